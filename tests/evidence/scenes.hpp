#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/assemble/assemble.hpp"
#include "harness/config/installed.hpp"
#include "reports/model/report.hpp"

namespace rackproof::evidence {

/// What is installed in a folder of its own, gone with this object: one suite, one table, what one
/// bench prints.
class Installation {
 public:
  Installation();
  Installation(const Installation&) = delete;
  Installation& operator=(const Installation&) = delete;
  ~Installation();

  const config::Paths& paths() const { return paths_; }
  std::string suite() const { return paths_.suites + "/evidence.json"; }
  std::string table() const { return paths_.platforms + "/box.json"; }
  static std::string suite_text();
  static std::string table_text();

 private:
  std::filesystem::path folder_;
  config::Paths paths_;
};

/// What is wrong with the second of two hosts. kInjected: a test-only fault was on; kOtherAnswer:
/// the digest of its answer is not that of the first; kOtherWay: it measured in a way that the
/// table does not demand; kScattered: its samples lie far apart; kFewer: nothing, but a third one
/// was expected; kUnjudged: nothing, but nobody accepts that a claim has no limit.
enum class Ill {
  kNothing,
  kSlow,
  kWrong,
  kCrashed,
  kDisturbed,
  kInjected,
  kOtherWay,
  kScattered,
  kFewer,
  kUnjudged
};

inline constexpr std::array kIlls = {
    Ill::kNothing,  Ill::kSlow,     Ill::kWrong,     Ill::kCrashed, Ill::kDisturbed,
    Ill::kInjected, Ill::kOtherWay, Ill::kScattered, Ill::kFewer,   Ill::kUnjudged};

/// A run of the suite on two hosts, and what was made out of it.
struct Scene {
  Ill ill = Ill::kNothing;
  std::vector<assemble::JournalFile> journals;
  model::Report report;
};

/// Plays a run of the suite and the table in these files. Throws document::ConfigError or
/// support::UsageError as a run refuses them.
Scene play(Ill ill, const Installation& installation, const std::string& suite,
           const std::string& table);

/// One scene of each kind, with what is installed.
std::vector<Scene> scenes(const Installation& installation);

/// The cell that must not pass in a scene that is ill: that of kIllStep, kIllSize on kIllHost.
inline constexpr const char* kIllHost = "node1";
inline constexpr const char* kIllStep = "rate";
inline constexpr std::int64_t kIllSize = 2;

}  // namespace rackproof::evidence
