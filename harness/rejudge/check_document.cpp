#include "harness/rejudge/check_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "harness/config/installed.hpp"
#include "harness/document/schema.hpp"
#include "harness/ingest/record_reader.hpp"
#include "harness/plan/plan.hpp"
#include "harness/rejudge/held_against.hpp"
#include "harness/rejudge/judged_again.hpp"
#include "reports/json/report_json.hpp"

namespace rackproof::rejudge {

void check_schema(const std::string& path, const std::string& schema, std::string_view text,
                  Complaints& complaints) {
  for (const auto& issue : document::validate(schema, text)) {
    complaints.push_back(
        issue.line > 0 ? fmt::format("{}:{}: {}: {}", path, issue.line, issue.pointer, issue.text)
                       : fmt::format("{}: {}: {}", path, issue.pointer, issue.text));
  }
}

namespace {

using Say = std::function<void(const std::string&)>;

// A measurement that stands in another cell than it was made for would be judged as that one's, and
// one that confirms as if it had been made beside all others.
void check_measurements(const model::Cell& cell, std::size_t place, bool confirming,
                        const std::map<std::string, const model::Attempt*>& attempts,
                        const Say& say) {
  const auto& list = confirming ? cell.confirmations : cell.measurements;
  const char* name = confirming ? "confirmations" : "measurements";
  for (std::size_t k = 0; k < list.size(); ++k) {
    const model::Measurement& one = list[k];
    const auto attempt = attempts.find(one.attempt);
    if (attempt == attempts.end() || attempt->second->step != cell.step) {
      say(fmt::format("cells[{}].{}[{}].attempt: is none of its step", place, name, k));
    } else if (attempt->second->confirms != confirming) {
      say(fmt::format("cells[{}].{}[{}].attempt: is one that {}", place, name, k,
                      confirming ? "does not confirm" : "confirms"));
    }
    if (one.metric != cell.metric || !(one.subject == cell.subject) ||
        one.parameters != cell.parameters) {
      say(fmt::format("cells[{}].{}[{}]: is of another cell", place, name, k));
    }
  }
}

void check_places(const model::Report& report, const Say& say) {
  std::map<std::string, const model::Attempt*> attempts;
  for (const model::Attempt& attempt : report.attempts) attempts[attempt.nonce] = &attempt;
  std::map<std::string, int> verdicts;
  for (std::size_t i = 0; i < report.cells.size(); ++i) {
    const model::Cell& cell = report.cells[i];
    if (++verdicts[cell.id] == 2) say("two cells are called " + cell.id);
    if (cell.id != plan::cell_id(cell.step, cell.subject, cell.metric, cell.parameters)) {
      say(fmt::format("cells[{}].id: is not what step, subject, metric and parameters give", i));
    }
    check_measurements(cell, i, false, attempts, say);
    check_measurements(cell, i, true, attempts, say);
  }
  const bool all_finished =
      std::all_of(report.ranks.begin(), report.ranks.end(),
                  [](const auto& rank) { return rank.state == model::RankState::kFinished; });
  if (report.run.completed && !all_finished) say("run.completed: a rank did not finish");
}

void check_verdicts(const model::Report& report, const model::Report& again, const Say& say) {
  for (std::size_t i = 0; i < report.cells.size(); ++i) {
    if (report.cells[i].causes != again.cells[i].causes) {
      say(fmt::format("cells[{}].causes: are not what its evidence gives", i));
    }
    if (report.cells[i].verdict == again.cells[i].verdict) continue;
    say(fmt::format("cells[{}].verdict: {} is not what its evidence gives: {}", i,
                    report.cells[i].verdict.reason_id, again.cells[i].verdict.reason_id));
  }
}

void check_conclusion(const model::Report& report, const model::Report& again, const Say& say) {
  if (report.acceptance != again.acceptance) say("acceptance: is not what its cells give");
  if (!(report.counts == again.counts)) say("counts: are not what its cells give");
  if (!(report.required_counts == again.required_counts)) {
    say("required_counts: are not what its cells give");
  }
  if (report.judged_claims != again.judged_claims)
    say("judged_claims: are not what its cells give");
  // An earlier version said in other words what it decided.
  if (report.schema_version != model::kSchemaVersion) return;
  if (report.acceptance_reason != again.acceptance_reason) {
    say("acceptance_reason: is not what its cells give: " + again.acceptance_reason);
  }
  const std::size_t most = std::max(report.findings.size(), again.findings.size());
  for (std::size_t i = 0; i < most; ++i) {
    const bool both = i < report.findings.size() && i < again.findings.size();
    if (both && report.findings[i] == again.findings[i]) continue;
    say(fmt::format("findings[{}]: {}, and the evidence gives {}", i,
                    i < report.findings.size() ? report.findings[i].id : "is missing",
                    i < again.findings.size() ? again.findings[i].id : "none"));
    return;
  }
}

void check_owed(const model::Report& report, const config::Paths& paths, const Say& say) {
  for (const std::string& one : contradictions(report, paths)) say(one);
  const OwedCells owed(report, paths);
  for (const std::string& one : owed.steps()) say(one);
  std::vector<OwedCells::Mark> marks;
  marks.reserve(report.cells.size());
  for (const model::Cell& cell : report.cells) marks.push_back(OwedCells::mark(cell));
  for (const std::string& one : owed.compare(marks)) say(one);
}

}  // namespace

// A report that was judged by other rules, or edited, gives other verdicts when judged again.
void check_report(const std::string& path, const std::string& text, const config::Paths& paths,
                  Complaints& complaints) {
  check_schema(path, paths.schemas + "/report.schema.json", text, complaints);
  if (!complaints.empty()) return;
  model::Report report = model::report_from_json(text);
  if (model::to_json(report) != text) {
    complaints.push_back(path + ": is not in canonical form");
  }
  const Say say = [&](const std::string& what) { complaints.push_back(path + ": " + what); };
  check_places(report, say);
  const model::Report again = judged_again(report);
  check_verdicts(report, again, say);
  check_conclusion(report, again, say);
  check_owed(report, paths, say);
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
      const ingest::Incoming incoming = ingest::read_record(line);
      const bool hello = std::holds_alternative<protocol::Hello>(incoming.record);
      if (hello != (number == 1)) complain("'hello' must be the first record and come once");
      ended = std::holds_alternative<protocol::End>(incoming.record);
    } catch (const ingest::BadRecord& error) {
      complain(error.what());
    }
    rest.remove_prefix(newline == std::string_view::npos ? rest.size() : newline + 1);
  }
  if (!ended) complaints.push_back(path + ": the last record is not 'end': truncated");
}

}  // namespace rackproof::rejudge
