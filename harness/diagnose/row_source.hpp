#pragma once

#include <string>

#include "harness/ingest/rows.hpp"

namespace rackproof::diagnose {

/// Reads a file of rows, "-" for stdin, a block at a time on all cores: only the numbers stay in
/// memory. Throws UsageError, with the name of the file and the first line that is wrong.
ingest::RowTable load_rows(const std::string& path);

}  // namespace rackproof::diagnose
