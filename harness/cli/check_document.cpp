#include "harness/cli/check_document.hpp"

#include <fmt/format.h>

#include <map>

#include "harness/cause/explain.hpp"
#include "harness/config/schema.hpp"
#include "harness/judge/judge.hpp"
#include "harness/wire/record_reader.hpp"
#include "reports/model/report_json.hpp"

namespace rackproof::cli {

void check_schema(const std::string& path, const std::string& schema, std::string_view text,
                  Complaints& complaints) {
  for (const auto& issue : config::validate(schema, text)) {
    complaints.push_back(
        issue.line > 0 ? fmt::format("{}:{}: {}: {}", path, issue.line, issue.pointer, issue.text)
                       : fmt::format("{}: {}: {}", path, issue.pointer, issue.text));
  }
}

// A report that was judged by other rules, or edited, gives other verdicts when judged again.
void check_report(const std::string& path, const std::string& text, const Program& program,
                  Complaints& complaints) {
  check_schema(path, program.paths.schemas + "/report.schema.json", text, complaints);
  if (!complaints.empty()) return;
  model::Report report = model::report_from_json(text);
  if (model::to_json(report) != text) {
    complaints.push_back(path + ": is not in canonical form");
  }
  std::map<std::string, int> verdicts;
  for (const auto& cell : report.cells) {
    if (++verdicts[cell.id] == 2) complaints.push_back(path + ": two cells are called " + cell.id);
  }
  model::Report again = report;
  judge::judge(again);
  cause::explain(again);
  for (std::size_t i = 0; i < report.cells.size(); ++i) {
    if (report.cells[i].causes != again.cells[i].causes) {
      complaints.push_back(
          fmt::format("{}: cells[{}].causes: are not what its evidence gives", path, i));
    }
    if (report.cells[i].verdict == again.cells[i].verdict) continue;
    complaints.push_back(fmt::format("{}: cells[{}].verdict: {} is not what its evidence gives: {}",
                                     path, i, report.cells[i].verdict.reason_id,
                                     again.cells[i].verdict.reason_id));
  }
  if (report.acceptance != again.acceptance || !(report.counts == again.counts)) {
    complaints.push_back(path + ": acceptance: is not what its cells give");
  }
}

void check_records(const std::string& path, const std::string& text, Complaints& complaints) {
  std::string_view rest = text;
  int number = 0;
  bool ended = false;
  while (!rest.empty()) {
    ++number;
    const std::size_t newline = rest.find('\n');
    const std::string_view line = rest.substr(0, newline);
    const auto complain = [&](const std::string& what) {
      complaints.push_back(fmt::format("{}:{}: {}", path, number, what));
    };
    if (newline == std::string_view::npos) complain("the last line has no newline");
    if (ended) complain("comes after 'end'");
    try {
      const wire::Incoming incoming = wire::read_record(line);
      const bool hello = std::holds_alternative<protocol::Hello>(incoming.record);
      if (hello != (number == 1)) complain("'hello' must be the first record and come once");
      ended = std::holds_alternative<protocol::End>(incoming.record);
    } catch (const wire::BadRecord& error) {
      complain(error.what());
    }
    rest.remove_prefix(newline == std::string_view::npos ? rest.size() : newline + 1);
  }
  if (!ended) complaints.push_back(path + ": the last record is not 'end': truncated");
}

}  // namespace rackproof::cli
