#include "reports/terminal/passed_cells.hpp"

#include <functional>
#include <utility>

#include "reports/terminal/layout.hpp"

namespace rackproof::terminal {
namespace {

std::size_t hash_of(const std::string& step, const std::string& metric, const std::string& unit) {
  const std::hash<std::string> hash;
  return (hash(step) * 31 + hash(metric)) * 31 + hash(unit);
}

bool is_easier(const std::optional<double>& limit, const std::optional<double>& than, bool low) {
  if (!limit) return false;
  return !than || (low ? *limit < *than : *limit > *than);
}

}  // namespace

void PassedCells::add(const model::Cell& cell) {
  if (cell.verdict.outcome != model::Outcome::kPass) return;
  static const std::string none;
  const std::string& unit = cell.measurements.empty() ? none : cell.measurements.back().unit;
  const bool more =
      cell.measurements.empty() || cell.measurements.back().better == model::Better::kMore;
  PassedGroup& group = group_of(cell.step, cell.metric, cell.parameters, unit, more);
  ++group.cells;
  if (cell.verdict.observed) group.values.push_back(*cell.verdict.observed);
  if (is_easier(cell.verdict.limit_low, group.low.value, true)) {
    group.low = {cell.verdict.limit_low, limit_of(cell)};
  }
  if (is_easier(cell.verdict.limit_high, group.high.value, false)) {
    group.high = {cell.verdict.limit_high, limit_of(cell)};
  }
}

void PassedCells::append(PassedCells later) {
  for (PassedGroup& other : later.groups_) {
    PassedGroup& group =
        group_of(other.step, other.metric, other.parameters, other.unit, other.more);
    group.cells += other.cells;
    group.values.insert(group.values.end(), other.values.begin(), other.values.end());
    if (is_easier(other.low.value, group.low.value, true)) group.low = std::move(other.low);
    if (is_easier(other.high.value, group.high.value, false)) group.high = std::move(other.high);
  }
}

PassedGroup& PassedCells::group_of(const std::string& step, const std::string& metric,
                                   const model::Parameters& parameters, const std::string& unit,
                                   bool more) {
  const std::size_t hash = hash_of(step, metric, unit);
  const auto [first, last] = places_.equal_range(hash);
  for (auto place = first; place != last; ++place) {
    PassedGroup& group = groups_[place->second];
    if (group.parameters == parameters && group.step == step && group.metric == metric &&
        group.unit == unit) {
      return group;
    }
  }
  places_.emplace(hash, groups_.size());
  groups_.push_back({step, metric, parameters, unit, more, 0, {}, {}, {}});
  return groups_.back();
}

}  // namespace rackproof::terminal
