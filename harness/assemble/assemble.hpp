#pragma once

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "reports/model/report.hpp"

namespace rackproof::assemble {

/// The journals do not hold the beginning of a run.
struct NoRun : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A journal file by its name in the run directory.
struct JournalFile {
  std::string name;  ///< "journals/0001-rank-00000.jsonl"
  std::string bytes = {};
  /// Set for one that is read when it is its turn, in parts, as it may be large: gives `take` what
  /// `bytes` would hold.
  std::function<void(const std::function<void(std::string_view)>& take)> parts = {};
};

/// The recordings beside the journals. They may be large, and there may be many: each is asked for
/// when it is its turn.
struct Recordings {
  struct File {
    std::string bytes;
    std::string sha256;
  };
  /// Nothing when there is no such file.
  std::function<std::optional<File>(const std::string& name)> read;
};

/// cause::explain. Where that fails no cell has causes, and a finding report-part-failed keeps the
/// report from being accepted.
void explain(model::Report& report);

/// Makes the judged report out of the journals alone. Pure: the same journals give the same report,
/// whoever asks and whenever, so that what a run reports and what is put together after a crash
/// agree. A rank whose journal ends in the middle, or that rank 0 gave up, is lost; what no journal
/// holds is untested. A `gathered` copy counts only where the rank's own journal is missing. Throws
/// NoRun. Recordings add what hosts did meanwhile, and no verdict.
model::Report assemble(const std::vector<JournalFile>& journals, const Recordings& recordings = {});

}  // namespace rackproof::assemble
