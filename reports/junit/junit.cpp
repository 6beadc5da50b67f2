#include "reports/junit/junit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include "reports/model/cell_text.hpp"
#include "reports/model/printable.hpp"
#include "reports/model/words.hpp"

namespace rackproof::junit {
namespace {

using model::Cell;
using model::in_markup;
using model::Outcome;

// More lines than this in one case help nobody, and readers of these files have limits.
constexpr std::size_t kLines = 50;

enum class Result { kPassed, kFailed, kError, kSkipped };

struct Case {
  std::string name;
  std::vector<const Cell*> cells;
};

struct Totals {
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t errors = 0;
  std::size_t skipped = 0;
  double seconds = 0;

  void add(Result result, double time) {
    ++tests;
    failures += result == Result::kFailed ? 1 : 0;
    errors += result == Result::kError ? 1 : 0;
    skipped += result == Result::kSkipped ? 1 : 0;
    seconds += time;
  }
  void add(const Totals& other) {
    tests += other.tests;
    failures += other.failures;
    errors += other.errors;
    skipped += other.skipped;
    seconds += other.seconds;
  }
};

std::string property(std::string_view name, std::string_view value) {
  return fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", in_markup(name),
                     in_markup(value));
}

std::string case_name(const model::Subject& subject) {
  return subject.kind == contract::SubjectKind::kLink ? "links of " + subject.host
                                                      : model::label(subject);
}

std::vector<Case> cases_of(const std::vector<const Cell*>& cells) {
  std::vector<Case> cases;
  std::map<std::string, std::size_t> known;
  for (const Cell* cell : cells) {
    const std::string name = case_name(cell->subject);
    const auto [place, fresh] = known.try_emplace(name, cases.size());
    if (fresh) cases.push_back({name, {}});
    cases[place->second].cells.push_back(cell);
  }
  return cases;
}

bool owes(const Cell& cell, Result result) {
  if (!cell.required) return false;
  const Outcome outcome = cell.verdict.outcome;
  return result == Result::kFailed ? outcome == Outcome::kFail
                                   : outcome == Outcome::kUntested || outcome == Outcome::kUnjudged;
}

Result result_of(const Case& one) {
  bool passed = false;
  bool error = false;
  for (const Cell* cell : one.cells) {
    if (owes(*cell, Result::kFailed)) return Result::kFailed;
    error = error || owes(*cell, Result::kError);
    passed = passed || cell->verdict.outcome == Outcome::kPass;
  }
  if (error) return Result::kError;
  return passed ? Result::kPassed : Result::kSkipped;
}

std::string line_of(const Cell& cell) {
  const std::string numbers = model::numbers_of(cell);
  const std::string causes = model::causes_of(cell);
  const std::string subject =
      cell.subject.kind == contract::SubjectKind::kLink ? model::label(cell.subject) + ", " : "";
  return fmt::format("{}: {}{}{}{}{}", contract::word(cell.verdict.outcome), subject,
                     model::what_of(cell), numbers.empty() ? ", " : ": " + numbers + "; ",
                     model::reason_of(cell), causes.empty() ? "" : "; " + causes);
}

std::string lines_of(const std::vector<const Cell*>& cells) {
  std::string text;
  for (std::size_t i = 0; i < std::min(cells.size(), kLines); ++i) {
    text += in_markup(line_of(*cells[i])) + "\n";
  }
  if (cells.size() > kLines) text += fmt::format("and {} more\n", cells.size() - kLines);
  return text;
}

std::string trouble(const char* element, const std::vector<const Cell*>& cells) {
  const Cell& first = *cells.front();
  return fmt::format("      <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n", element,
                     in_markup(first.verdict.reason_id), in_markup(line_of(first)),
                     lines_of(cells));
}

// What is written inside a case.
std::string body_of(const Case& one, Result result) {
  std::vector<const Cell*> owed;
  std::vector<const Cell*> aside;
  for (const Cell* cell : one.cells) {
    const Outcome outcome = cell->verdict.outcome;
    if (result != Result::kSkipped && owes(*cell, result)) {
      owed.push_back(cell);
    } else if (outcome != Outcome::kPass) {
      aside.push_back(cell);
    }
  }
  std::string body;
  if (result == Result::kFailed) body += trouble("failure", owed);
  if (result == Result::kError) body += trouble("error", owed);
  if (result == Result::kSkipped) {
    body +=
        fmt::format("      <skipped message=\"{}\"/>\n", in_markup(line_of(*one.cells.front())));
  }
  if (aside.size() > (result == Result::kSkipped ? 1U : 0U)) {
    body += fmt::format("      <system-out>{}</system-out>\n", lines_of(aside));
  }
  return body;
}

std::string element(std::string_view owner, const std::string& name, double seconds,
                    const std::string& body) {
  const std::string head = fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"",
                                       in_markup(owner), in_markup(name), seconds);
  return body.empty() ? head + "/>\n" : head + ">\n" + body + "    </testcase>\n";
}

std::string suite_element(const std::string& name, const Totals& totals, std::string_view began,
                          const std::string& body) {
  return fmt::format(
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" "
      "time=\"{:.3f}\"{}>\n{}  </testsuite>\n",
      in_markup(name), totals.tests, totals.failures, totals.errors, totals.skipped, totals.seconds,
      began.empty() ? "" : fmt::format(" timestamp=\"{}\"", in_markup(began)), body);
}

// The schemas know local times only: 2026-01-31T12:00:00.
std::string began_of(const model::Report& report) {
  const std::string& utc = report.run.began_utc;
  return utc.size() >= 19 && utc[10] == 'T' ? utc.substr(0, 19) : "";
}

std::string acceptance_of(const model::Report& report, Totals& all) {
  std::string properties = "    <properties>\n";
  properties += property("run", report.run.id);
  properties += property("suite", report.suite.id);
  properties += property("suite.digest", report.suite.digest);
  for (const model::PlatformTable& table : report.platforms) {
    properties += property("platform." + table.id, table.digest);
  }
  properties += property("rackproof.version", report.tool.version);
  properties += property("rackproof.commit", report.tool.commit);
  for (const auto& [key, value] : report.run.labels) properties += property("label." + key, value);
  properties += "    </properties>\n";

  std::string findings;
  for (const model::Finding& finding : report.findings) {
    if (finding.severity < model::Severity::kError) continue;
    findings += in_markup(fmt::format("{}: {}, {}: {}", contract::word(finding.severity),
                                      finding.id, finding.subject, finding.text)) +
                "\n";
  }
  const bool accepted = report.acceptance == model::Acceptance::kAccepted;
  const bool rejected = report.acceptance == model::Acceptance::kRejected;
  const bool verified = report.acceptance == model::Acceptance::kVerified;
  const std::string text = in_markup(model::verdict_text(report));
  std::string body;
  if (verified) {
    body = fmt::format("      <skipped message=\"{}\"/>\n", text);
  } else if (!accepted) {
    body = fmt::format("      <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n",
                       rejected ? "failure" : "error", contract::word(report.acceptance), text,
                       findings);
  }
  if ((accepted || verified) && !findings.empty()) {
    body += fmt::format("      <system-out>{}</system-out>\n", findings);
  }
  Totals totals;
  totals.add(accepted   ? Result::kPassed
             : rejected ? Result::kFailed
             : verified ? Result::kSkipped
                        : Result::kError,
             std::max(report.run.seconds, 0.0));
  all.add(totals);
  return suite_element("rackproof", totals, began_of(report),
                       properties + element("rackproof", "acceptance", totals.seconds, body));
}

}  // namespace

std::string render(const model::Report& report) {
  std::map<std::string, std::vector<const Cell*>> cells_of_step;
  std::vector<std::string> steps;
  for (const Cell& cell : report.cells) {
    auto& cells = cells_of_step[cell.step];
    if (cells.empty()) steps.push_back(cell.step);
    cells.push_back(&cell);
  }
  std::map<std::pair<std::string, std::string>, double> seconds_of;
  for (const model::Attempt& attempt : report.attempts) {
    if (attempt.member != 0) continue;  // the members of a group work at the same time
    seconds_of[{attempt.step, case_name(attempt.subject)}] += std::max(attempt.seconds, 0.0);
  }
  Totals all;
  std::string suites = acceptance_of(report, all);
  for (const std::string& step : steps) {
    Totals totals;
    std::string body;
    for (const Case& one : cases_of(cells_of_step[step])) {
      const Result result = result_of(one);
      const auto time = seconds_of.find({step, one.name});
      const double seconds = time == seconds_of.end() ? 0 : time->second;
      totals.add(result, seconds);
      body += element(report.suite.id + "." + step, one.name, seconds, body_of(one, result));
    }
    all.add(totals);
    suites += suite_element(step, totals, began_of(report), body);
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"rackproof {}\" tests=\"{}\" "
      "failures=\"{}\" errors=\"{}\" time=\"{:.3f}\">\n{}</testsuites>\n",
      in_markup(report.suite.id), all.tests, all.failures, all.errors,
      std::max(report.run.seconds, 0.0), suites);
}

}  // namespace rackproof::junit
