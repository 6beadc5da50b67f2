#include "reports/json/archive_json.hpp"
#include "reports/json/report_json.hpp"

namespace rackproof::model {

using archive::read_line;
using archive::write_line;

std::string to_json_line(const Cell& cell) { return write_line(cell); }
std::string to_json_line(const NodeInventory& node) { return write_line(node); }
std::string to_json_line(const PlatformTable& table) { return write_line(table); }
std::string to_json_line(const SuiteInfo& suite) { return write_line(suite); }
std::string to_json_line(const CauseTable& table) { return write_line(table); }
std::string to_json_line(const MetricBound& bound) { return write_line(bound); }
std::string to_json_line(const ToolInfo& tool) { return write_line(tool); }
std::string to_json_line(const RunInfo& run) { return write_line(run); }
std::string to_json_line(const StepInfo& step) { return write_line(step); }
std::string to_json_line(const History& history) { return write_line(history); }
std::string to_json_line(const Finding& finding) { return write_line(finding); }
std::string to_json_line(const Amends& amends) { return write_line(amends); }
std::string to_json_line(const Subject& subject) { return write_line(subject); }
std::string to_json_line(const Ending& ending) { return write_line(ending); }

Cell cell_from_json(std::string_view text) { return read_line<Cell>(text); }
NodeInventory node_from_json(std::string_view text) { return read_line<NodeInventory>(text); }
PlatformTable platform_from_json(std::string_view text) { return read_line<PlatformTable>(text); }
SuiteInfo suite_from_json(std::string_view text) { return read_line<SuiteInfo>(text); }
CauseTable cause_table_from_json(std::string_view text) { return read_line<CauseTable>(text); }
MetricBound bound_from_json(std::string_view text) { return read_line<MetricBound>(text); }
ToolInfo tool_from_json(std::string_view text) { return read_line<ToolInfo>(text); }
RunInfo run_from_json(std::string_view text) { return read_line<RunInfo>(text); }
StepInfo step_from_json(std::string_view text) { return read_line<StepInfo>(text); }
History history_from_json(std::string_view text) { return read_line<History>(text); }
Finding finding_from_json(std::string_view text) { return read_line<Finding>(text); }
Amends amends_from_json(std::string_view text) { return read_line<Amends>(text); }
Subject subject_from_json(std::string_view text) { return read_line<Subject>(text); }
Ending ending_from_json(std::string_view text) { return read_line<Ending>(text); }

}  // namespace rackproof::model
