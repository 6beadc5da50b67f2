#include "harness/judge/own_history.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>

#include "harness/stats/history.hpp"

namespace rackproof::judge {
namespace {

bool is_usable(const model::History& history) {
  return history.values.size() >= stats::kLeastHistory &&
         std::all_of(history.values.begin(), history.values.end(),
                     [](double value) { return std::isfinite(value) && value > 0; });
}

/// The name under which a subject has a history; empty when it can have none.
std::string_view name_of(const model::Subject& subject) {
  switch (subject.kind) {
    case model::SubjectKind::kDevice:
      return subject.device;
    case model::SubjectKind::kNode:
      return subject.host;
    case model::SubjectKind::kLink:
    case model::SubjectKind::kGroup:
      return {};
  }
  return {};
}

}  // namespace

std::vector<const model::History*> own_history(const Context& context,
                                               const std::vector<Judgement>& judgements) {
  const model::Report& report = context.report();
  std::vector<const model::History*> found(judgements.size(), nullptr);
  if (report.history.empty()) return found;
  std::unordered_multimap<std::string_view, const model::History*> by_subject;
  for (const model::History& one : report.history) {
    if (is_usable(one)) by_subject.emplace(one.subject, &one);
  }
  for (std::size_t i = 0; i < judgements.size(); ++i) {
    if (judgements[i].clean.empty() || !judgements[i].verdict.observed) continue;
    const model::Cell& cell = report.cells[i];
    const auto [begin, end] = by_subject.equal_range(name_of(cell.subject));
    for (auto one = begin; one != end; ++one) {
      const model::History& history = *one->second;
      if (history.step == cell.step && history.metric == cell.metric &&
          history.unit == judgements[i].clean.back()->unit &&
          history.parameters == cell.parameters) {
        found[i] = &history;
        break;
      }
    }
  }
  return found;
}

}  // namespace rackproof::judge
