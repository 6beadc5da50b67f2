#include "harness/assemble/hangs.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <variant>

#include "harness/evidence/hang.hpp"
#include "reports/model/finding_id.hpp"

namespace rackproof::assemble {
namespace {

// Members of one try: step, subject, how often the run had been resumed, number, whether it
// confirms.
using Try = std::tuple<std::string, std::string, int, int, bool>;

bool is_late(const model::Attempt* one) {
  return std::holds_alternative<model::ending::TimedOut>(one->ending);
}

bool is_told(const model::Report& report, const std::string& step, const std::string& subject) {
  return std::any_of(report.findings.begin(), report.findings.end(), [&](const auto& finding) {
    return finding.id == model::finding_id::kGroupFailed && finding.step == step &&
           finding.subject == subject;
  });
}

}  // namespace

void note_hangs(model::Report& report) {
  std::map<Try, evidence::Hang::Members> tries;
  for (const model::Attempt& one : report.attempts) {
    if (one.members == 0 || one.narrows) continue;
    tries[{one.step, model::label(one.subject), one.resumed, one.number, one.confirms}].push_back(
        &one);
  }
  for (const auto& [of, members] : tries) {
    if (std::ssize(members) != members.front()->members) continue;
    if (std::none_of(members.begin(), members.end(), is_late)) continue;
    if (is_told(report, std::get<0>(of), std::get<1>(of))) continue;
    if (const auto hang = evidence::hang_of(members)) {
      report.findings.push_back(evidence::finding_of(*hang, "not done at its deadline"));
    }
  }
}

}  // namespace rackproof::assemble
