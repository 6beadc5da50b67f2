#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/compare/sample.hpp"
#include "harness/index/digest.hpp"
#include "harness/index/sqlite.hpp"

namespace rackproof::index {

/// What samples depend on besides their reports: the program that read them (its digest) and the
/// table. Those of another context are not believed.
std::string context_of(const std::string& program_digest, const config::ComparisonRules& table);

/// The samples of reports, in an SQLite file. A cache: it may be deleted at any time, and whatever
/// is in the file, no sample comes out of it but the one that went in for the same content, unless
/// somebody forged it. Each function throws IndexError when the file cannot be used.
class SampleIndex {
 public:
  /// Calls `work(i)` for each i under `count`.
  using Each = std::function<void(std::size_t count, const std::function<void(std::size_t)>& work)>;

  /// Opens the file; where there is none, it is made as soon as there is something to write.
  /// Refuses a file that is no index, one that others than its user and root own or may write, and
  /// any in a folder that everybody may write to.
  SampleIndex(const std::string& path, std::string context);
  ~SampleIndex();

  /// False: nothing will be found.
  bool knows_any() const { return has_tables_; }
  /// The digest of a file that is as it was when it was read for it (stamp_of_file); empty: it has
  /// to be read.
  std::string digest_of(const std::string& file, const Stamp& stamp);
  /// The sample of each content, without a name; nothing where it is not known.
  std::vector<std::optional<compare::Sample>> find(const std::vector<std::string>& digests,
                                                   const Each& each);
  /// That a file has this content, whose sample is known.
  void saw(const std::string& file, const Content& content);
  /// The same, and the sample; written now and then.
  void add(const std::string& file, const Content& content, const compare::Sample& sample);
  /// Writes what is left, and drops what is known of files that are no longer there.
  void finish();

 private:
  struct NewReport;

  void open();
  void write();
  void make_tables();
  void write_report(const NewReport& report, std::set<std::string>& written_parts);
  std::vector<std::string> gone();
  std::string seal_of(const std::vector<std::string_view>& fields) const;

  std::string path_;
  std::string context_;
  std::unique_ptr<Database> database_;
  bool has_tables_ = false;  ///< of this context
  std::map<std::string, Content> stored_;
  std::set<std::string> seen_;
  std::vector<std::pair<std::string, Content>> new_files_;
  std::vector<NewReport> new_reports_;
};

/// Deletes the file when it says that it is an index, whatever state it is in. False: it is not.
bool discard(const std::string& path);

}  // namespace rackproof::index
