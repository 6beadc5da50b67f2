#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/ledger/file.hpp"

namespace rackproof::ledger {

/// What became of the reports that were to be added.
struct Added {
  std::size_t added = 0;
  std::size_t known = 0;           ///< were in the ledger already, by their digest
  std::vector<std::string> unfit;  ///< why one could not be added, with its file
  std::size_t reports = 0;         ///< in the ledger now
};

/// Adds the reports that are meant by `paths` (index::report_files_in). Whatever cannot be read is
/// told in the result, and the others are added. Throws UsageError when the ledger cannot be
/// written; what was added until then stays.
Added add_reports(LedgerFile& ledger, const std::vector<std::string>& paths);

}  // namespace rackproof::ledger
