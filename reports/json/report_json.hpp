#pragma once

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "reports/model/report.hpp"

namespace rackproof::model {

/// A document that is not a report of a version we read. The text says where and what was expected.
struct BadReport : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The largest report that is read, in bytes, when it is laid out in another way than to_json's.
inline constexpr std::size_t kMaxReportBytes = std::size_t{512} << 20;

/// The canonical bytes of a report: UTF-8, keys sorted, one-space indentation, one newline at the
/// end, doubles in one fixed form that always has a point or an exponent and reads back as the same
/// double. Absent optionals and texts that are empty by meaning are left out, collections never
/// are. Bytes that are not UTF-8 become U+FFFD. The same report always gives the same bytes. Throws
/// std::invalid_argument when a number is not finite.
std::string to_json(const Report& report);

/// The same bytes in parts, of which each holds one cell at most: a large report takes no more
/// memory than it has already. What was given before it throws is no report.
void write_json(const Report& report, const std::function<void(std::string_view part)>& take);

/// True for the text of a schema version that report_from_json reads.
bool is_readable_version(std::string_view text);

/// Whether a report of this schema version tells what no limit judged (since 1.7). In one of
/// before that was a pass, and "accepted" did not ask for a limit.
bool tells_claims(std::string_view schema_version);

/// Reads a report back. Throws BadReport for anything else: another schema version (the message
/// names both), an unknown, duplicate or missing key, a host twice, a wrong type, nesting deeper
/// than 64 levels, more than kMaxReportBytes, a document that was cut off. The text says where
/// ("/cells/3/verdict/outcome") and what was expected.
Report report_from_json(std::string_view text);

/// A host that is in the report's inventory twice, which would count as two; empty: none.
std::string host_told_twice(const Report& report);

/// report_from_json in one way for every layout: slower, and in ten times the memory of the text.
Report careful_report_from_json(std::string_view text);

/// The parts that journals also carry, as one line of JSON without a newline, and back. They write
/// and throw as the report does.
std::string to_json_line(const Cell& cell);
Cell cell_from_json(std::string_view text);
std::string to_json_line(const NodeInventory& node);
NodeInventory node_from_json(std::string_view text);
std::string to_json_line(const PlatformTable& table);
PlatformTable platform_from_json(std::string_view text);
std::string to_json_line(const SuiteInfo& suite);
SuiteInfo suite_from_json(std::string_view text);
std::string to_json_line(const CauseTable& table);
CauseTable cause_table_from_json(std::string_view text);
std::string to_json_line(const MetricBound& bound);
MetricBound bound_from_json(std::string_view text);
std::string to_json_line(const ToolInfo& tool);
ToolInfo tool_from_json(std::string_view text);
std::string to_json_line(const RunInfo& run);
RunInfo run_from_json(std::string_view text);
std::string to_json_line(const StepInfo& step);
StepInfo step_from_json(std::string_view text);
std::string to_json_line(const History& history);
History history_from_json(std::string_view text);
std::string to_json_line(const Finding& finding);
Finding finding_from_json(std::string_view text);
std::string to_json_line(const Amends& amends);
Amends amends_from_json(std::string_view text);
std::string to_json_line(const Subject& subject);
Subject subject_from_json(std::string_view text);
std::string to_json_line(const Ending& ending);
Ending ending_from_json(std::string_view text);

}  // namespace rackproof::model
