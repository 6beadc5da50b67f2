#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rackproof::model {

/// A journal that a report was made out of. The lines stay in the file.
struct JournalInfo {
  std::string file;  ///< relative to the report
  int segment = 1;
  int rank = 0;
  std::int64_t bytes = 0;    ///< how many of its first bytes were read
  std::int64_t lines = 0;    ///< whole ones in them
  std::string sha256;        ///< of these bytes
  std::string head;          ///< the seal of the last whole line; empty: it has none
  std::vector<int> damaged;  ///< lines that were not taken, 1-based

  bool operator==(const JournalInfo&) const = default;
};

}  // namespace rackproof::model
