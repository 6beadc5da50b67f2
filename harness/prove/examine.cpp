#include "harness/prove/examine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reports/model/finding_id.hpp"
#include "reports/model/words.hpp"

namespace rackproof::prove {
namespace {

std::string joined(const std::set<std::string>& words) {
  std::string text;
  for (const std::string& one : words) text += (text.empty() ? "" : " or ") + one;
  return text;
}

using Hosts = std::set<std::string>;

std::string demanded(const Injection& one, const Hosts& guilty) {
  std::string text =
      fmt::format("{} ({})", contract::word(one.demand.outcome), joined(one.demand.reasons));
  if (!guilty.empty()) text += fmt::format(" of {} alone", fmt::join(guilty, ", "));
  if (!one.demand.finding.empty())
    text += fmt::format(", finding {} naming it", one.demand.finding);
  if (one.demand.located) text += ", located";
  return text;
}

std::string told(const model::Cell& cell) {
  return fmt::format("{}: {} ({})", model::label(cell.subject),
                     contract::word(cell.verdict.outcome), cell.verdict.reason_id);
}

bool meets(const Demand& demand, const model::Cell& cell) {
  return cell.verdict.outcome == demand.outcome && demand.reasons.contains(cell.verdict.reason_id);
}

bool is_located(const model::Report& report, const std::string& step) {
  return std::any_of(report.attempts.begin(), report.attempts.end(), [&](const auto& attempt) {
    return attempt.step == step &&
           std::any_of(attempt.checks.begin(), attempt.checks.end(), [](const auto& check) {
             return !check.passed && !check.first_wrong_where.empty();
           });
  });
}

/// One that names them all, or any where nobody is guilty.
bool has_finding(const model::Report& report, const std::string& id, const Hosts& guilty) {
  return std::any_of(report.findings.begin(), report.findings.end(), [&](const auto& finding) {
    return finding.id == id && std::all_of(guilty.begin(), guilty.end(), [&](const auto& host) {
             return finding.subject.find(host) != std::string::npos ||
                    finding.text.find(host) != std::string::npos;
           });
  });
}

bool was_tried(const model::Report& report, const std::string& step) {
  return std::any_of(report.attempts.begin(), report.attempts.end(),
                     [&](const auto& attempt) { return attempt.step == step; });
}

void look(const model::Report& report, const Injection& one, const Hosts& guilty, Entry& entry) {
  const auto miss = [&entry](const std::string& seen) {
    entry.state = State::kMissed;
    entry.seen = seen;
  };
  const model::Cell* culprit = nullptr;
  for (const model::Cell& cell : report.cells) {
    if (cell.step != one.step.id) continue;
    const bool innocent = !guilty.empty() && !guilty.contains(cell.subject.host);
    if (innocent && !model::is_right(cell.verdict.outcome)) {
      return miss("an innocent part is blamed: " + told(cell));
    }
    if (innocent) continue;
    culprit = &cell;
    if (!meets(one.demand, cell)) return miss(told(cell));
  }
  if (culprit == nullptr) return miss("no cell of the guilty part is in the report");
  if (!one.demand.finding.empty() && !has_finding(report, one.demand.finding, guilty)) {
    return miss(fmt::format("{}, but no finding {} names it", told(*culprit), one.demand.finding));
  }
  if (one.demand.located && !is_located(report, one.step.id)) {
    return miss(told(*culprit) + ", but not where the wrong element is");
  }
  entry.state = State::kCaught;
  entry.seen = told(*culprit);
}

}  // namespace

const char* word(State state) {
  switch (state) {
    case State::kCaught:
      return "caught";
    case State::kMissed:
      return "MISSED";
    case State::kUnproven:
      return "not proven";
  }
  return "";
}

int Proof::count(State state) const {
  return static_cast<int>(std::count_if(entries.begin(), entries.end(),
                                        [state](const Entry& one) { return one.state == state; }));
}

std::vector<Entry> examine(const model::Report& report, const std::vector<Injection>& all,
                           const HostOf& host_of) {
  std::vector<Entry> entries;
  for (const Injection& one : all) {
    Hosts guilty;
    for (const int rank : one.guilty) guilty.insert(host_of(rank));
    Entry entry{one.name, one.planted, demanded(one, guilty), one.missing, State::kUnproven};
    if (!one.missing.empty()) {
      entry.demanded.clear();
    } else if (was_tried(report, one.step.id)) {
      look(report, one, guilty, entry);
    } else {
      entry.seen = "the run broke before it could be planted";
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

Entry examine_tampered(const model::Report& report, const std::string& journal) {
  Entry entry{"tampered journal", "one digit of a number in " + journal + " is another",
              "finding journal-damaged naming the file and the line, and no acceptance", "",
              State::kMissed};
  const auto found =
      std::find_if(report.findings.begin(), report.findings.end(), [&](const auto& finding) {
        return finding.id == model::finding_id::kJournalDamaged &&
               finding.text.find(journal + ":") != std::string::npos;
      });
  if (found == report.findings.end()) {
    entry.seen = "nothing: the changed number was believed";
  } else if (report.run.completed || report.acceptance == model::Acceptance::kAccepted) {
    entry.seen = found->text + "; but the run counts as completed";
  } else {
    entry.seen = found->text;
    entry.state = State::kCaught;
  }
  return entry;
}

Entry examine_refusal(const std::string& name, const std::string& planted,
                      const std::string& refusal, const std::string& host) {
  Entry entry{name, planted, "the run is refused, naming " + host, refusal, State::kMissed};
  if (refusal.empty()) {
    entry.seen = "the run was not refused";
  } else if (refusal.find(host) == std::string::npos) {
    entry.seen = "refused without naming it: " + refusal;
  } else {
    entry.state = State::kCaught;
  }
  return entry;
}

}  // namespace rackproof::prove
