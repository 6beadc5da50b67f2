#pragma once

#include <string>

#include "harness/wire/rows.hpp"

namespace rackproof::diagnose {

/// Reads a file of rows, "-" for stdin, a block at a time on all cores: only the numbers stay in
/// memory. Throws UsageError, with the name of the file and the first line that is wrong.
wire::RowTable load_rows(const std::string& path);

}  // namespace rackproof::diagnose
