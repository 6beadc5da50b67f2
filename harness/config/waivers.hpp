#pragma once

#include <string>
#include <vector>

#include "reports/model/cell_waiver.hpp"

namespace rackproof::config {

/// Reads a list of waivers (JSON with comments, schema rackproof/waivers/1): each with a reason, a
/// last day and who approved it, and about something: a waiver of every cell is refused. Throws
/// ConfigError.
std::vector<model::CellWaiver> load_waivers(const std::string& path);

/// One in a line: "METRIC [on SUBJECT] until DAY by NAME: REASON". Throws std::invalid_argument
/// that says what was expected.
model::CellWaiver parse_waiver(const std::string& text);

}  // namespace rackproof::config
