#pragma once

#include <string>

#include "reports/model/report.hpp"

namespace rackproof::csv {

/// A line for each cell, all outcomes, in the order of the report, below a line of column names
/// (RFC 4180: CRLF, quotes doubled). Numbers are in base units with a point and read back as the
/// same double; what does not apply is empty. A text that a spreadsheet would take for a formula
/// begins with an apostrophe. Pure.
std::string render(const model::Report& report);

}  // namespace rackproof::csv
