#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "reports/model/report.hpp"

namespace rackproof::model {

/// A document that is not a report of a version we read. The text says where and what was expected.
struct BadReport : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The canonical bytes of a report: UTF-8, keys sorted, one-space indentation, numbers in their
/// shortest form, one newline at the end. The same report always gives the same bytes. Throws
/// std::invalid_argument when a number is not finite.
std::string to_json(const Report& report);

/// Reads a report back. Throws BadReport for anything else, a newer schema version included (the
/// message names both versions).
Report report_from_json(std::string_view text);

// The parts that journals also carry, as one-line JSON, and back (BadReport).
std::string to_json_line(const Cell& cell);
Cell cell_from_json(std::string_view text);
std::string to_json_line(const NodeInventory& node);
NodeInventory node_from_json(std::string_view text);
std::string to_json_line(const PlatformTable& table);
PlatformTable platform_from_json(std::string_view text);
std::string to_json_line(const SuiteInfo& suite);
SuiteInfo suite_from_json(std::string_view text);
std::string to_json_line(const ToolInfo& tool);
ToolInfo tool_from_json(std::string_view text);
std::string to_json_line(const RunInfo& run);
RunInfo run_from_json(std::string_view text);
std::string to_json_line(const StepInfo& step);
StepInfo step_from_json(std::string_view text);
std::string to_json_line(const Finding& finding);
Finding finding_from_json(std::string_view text);
std::string to_json_line(const Subject& subject);
Subject subject_from_json(std::string_view text);
std::string to_json_line(const Ending& ending);
Ending ending_from_json(std::string_view text);

}  // namespace rackproof::model
