#include "harness/ingest/set_back.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace rackproof::ingest {

void take_back(Account& account) {
  std::map<std::string, model::Attempt*> attempts;
  for (model::Attempt& attempt : account.report.attempts) attempts[attempt.nonce] = &attempt;
  for (model::Cell& cell : account.report.cells) {
    for (auto* list : {&cell.measurements, &cell.confirmations}) {
      for (model::Measurement& one : *list) {
        const auto made = attempts.find(one.attempt);
        if (made != attempts.end()) made->second->measurements.push_back(std::move(one));
      }
      list->clear();
    }
  }
}

// All of it first: what no line keeps counts for nothing, whatever becomes of the lines.
void after_repair(const journal::Repair& repair, int segment, Account& account) {
  model::Report& report = account.report;
  take_back(account);
  account.set_back.clear();
  for (model::Attempt& attempt : std::exchange(report.attempts, {})) {
    auto& of_step = account.set_back[attempt.step];
    of_step[model::label(attempt.subject)].push_back(std::move(attempt));
  }
  account.repaired_in = segment;
  account.steps.clear();
  account.rolls.clear();
  // The run that begins now looks at its hosts again, and has findings of its own about them.
  std::erase_if(report.findings, [](const auto& one) { return !one.step.empty(); });
  for (const model::Repair& part : repair.amends.repairs) {
    std::erase_if(report.findings, [&](const auto& one) { return one.subject == part.host; });
  }
  report.amends = repair.amends;
  report.run.began_utc.clear();
}

void after_repair(const journal::Kept& kept, int segment, Account& account) {
  if (account.repaired_in != segment) return;
  if (kept.done) account.steps[kept.step] = {model::StepState::kDone, {}};
  const auto of_step = account.set_back.find(kept.step);
  if (of_step == account.set_back.end()) return;
  for (const std::string& subject : kept.subjects) {
    const auto attempts = of_step->second.find(subject);
    if (attempts == of_step->second.end()) continue;
    auto& all = account.report.attempts;
    std::move(attempts->second.begin(), attempts->second.end(), std::back_inserter(all));
    of_step->second.erase(attempts);
  }
}

}  // namespace rackproof::ingest
