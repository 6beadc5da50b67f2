#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/assemble/assemble.hpp"
#include "harness/run/run_log.hpp"
#include "tests/fakes/act.hpp"
#include "tests/fakes/fake_clock.hpp"
#include "tests/fakes/fake_warden.hpp"

namespace rackproof::assemble_test {

inline constexpr const char* kMetric = "fake.rate";
inline constexpr const char* kBoot = "a-boot";  ///< of every host

/// Writes the journals of a run as the ranks and their wardens do, one event after the other. Rank
/// r is the only one on host "node<r>"; each host owes one number of kMetric to each of the steps
/// "a" and "b", and the table expects 100 B/s of it.
class Scene {
 public:
  explicit Scene(int ranks = 1);

  /// Opens the journals of a segment, and rank 0 writes everything up to the plan. Ranks in
  /// `absent` do not arrive.
  void begin(int segment = 1, const std::vector<int>& absent = {});
  /// The same without the plan.
  void begin_unplanned(int segment = 1);
  /// A whole attempt of a second on a rank.
  void attempt(int rank, const std::string& step, int number = 1, double value = 100);
  void attempt(int rank, const std::string& step, int number, const fakes::Script& script);
  /// An attempt that is not over.
  void start(int rank, const std::string& step);
  /// Both steps, measured on all ranks, and the end of the run.
  void whole_run();
  void end(bool completed = true, bool interrupted = false);
  void close(int rank,
             const model::Reason<model::CloseReason>& reason = model::CloseReason::kFinished);
  void close_all();
  /// A copy of what a rank wrote, kept by rank 0, as of now.
  void gather(int rank);

  run::RunLog& book() { return *run_log_; }
  fakes::FakeWarden& warden(int rank) { return *wardens_.at(static_cast<std::size_t>(rank)); }
  static std::string name(int rank, int segment = 1);
  std::string& bytes(int rank, int segment = 1);
  std::vector<assemble::JournalFile> files() const;
  model::Report report() const { return assemble::assemble(files()); }

  std::optional<journal::Repair> repaired;  ///< what the next segment begins with
  std::vector<journal::Kept> kept;

  fakes::FakeClock clock;
  std::shared_ptr<fakes::FakeDisk> disk = std::make_shared<fakes::FakeDisk>();

 private:
  warden::Launch launch(int rank, const std::string& step, int number) const;

  int ranks_;
  int segment_ = 1;
  std::vector<std::unique_ptr<fakes::FakeWarden>> wardens_;
  std::unique_ptr<run::RunLog> run_log_;
  fakes::Script script_;
};

std::string host_of(int rank);

const model::RankInfo& rank_of(const model::Report& report, int rank);

/// The verdict of the cell of a step on a rank's host.
model::Verdict verdict(const model::Report& report, const std::string& step, int rank = 0);

/// "done", "stopped: rank-lost".
std::string state(const model::Report& report, const std::string& step);

/// Findings of this id.
std::vector<model::Finding> findings(const model::Report& report, const std::string& id);

}  // namespace rackproof::assemble_test
