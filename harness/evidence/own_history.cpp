#include "harness/evidence/own_history.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "harness/stats/history.hpp"

namespace rackproof::evidence {
namespace {

bool is_usable(const model::History& history) {
  return history.values.size() >= stats::kLeastHistory &&
         std::all_of(history.values.begin(), history.values.end(),
                     [](double value) { return std::isfinite(value) && value > 0; });
}

/// The name under which a subject has a history; empty when it can have none.
std::string_view name_of(const model::Subject& subject) {
  switch (subject.kind) {
    case contract::SubjectKind::kDevice:
      return subject.device;
    case contract::SubjectKind::kNode:
      return subject.host;
    case contract::SubjectKind::kLink:
    case contract::SubjectKind::kGroup:
      return {};
  }
  return {};
}

}  // namespace

OwnHistory::OwnHistory(const model::Report& report) {
  for (const model::History& one : report.history) {
    if (is_usable(one)) by_subject_.emplace(one.subject, &one);
  }
}

const model::History* OwnHistory::of(const model::Cell& cell, const std::string& unit,
                                     contract::Statistic statistic) const {
  const auto [begin, end] = by_subject_.equal_range(name_of(cell.subject));
  for (auto one = begin; one != end; ++one) {
    const model::History& history = *one->second;
    if (history.step == cell.step && history.metric == cell.metric && history.unit == unit &&
        history.statistic == statistic && history.parameters == cell.parameters) {
      return &history;
    }
  }
  return nullptr;
}

}  // namespace rackproof::evidence
