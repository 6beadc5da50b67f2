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
  if (!model::is_right(cell.verdict.outcome)) return;
  static const std::string none;
  const model::Measurement* last = cell.measurements.empty() ? nullptr : &cell.measurements.back();
  PassedGroup& group =
      group_of({cell.step, cell.metric, cell.parameters, last == nullptr ? none : last->unit,
                last == nullptr || last->better == contract::Better::kMore,
                cell.verdict.outcome == model::Outcome::kVerified});
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
    PassedGroup& group = group_of(
        {other.step, other.metric, other.parameters, other.unit, other.more, other.verified});
    group.cells += other.cells;
    group.values.insert(group.values.end(), other.values.begin(), other.values.end());
    if (is_easier(other.low.value, group.low.value, true)) group.low = std::move(other.low);
    if (is_easier(other.high.value, group.high.value, false)) group.high = std::move(other.high);
  }
}

PassedGroup& PassedCells::group_of(const Key& key) {
  const std::size_t hash = hash_of(key.step, key.metric, key.unit);
  const auto [first, last] = places_.equal_range(hash);
  for (auto place = first; place != last; ++place) {
    PassedGroup& group = groups_[place->second];
    if (group.verified == key.verified && group.parameters == key.parameters &&
        group.step == key.step && group.metric == key.metric && group.unit == key.unit) {
      return group;
    }
  }
  places_.emplace(hash, groups_.size());
  PassedGroup& group = groups_.emplace_back();
  group.step = key.step;
  group.metric = key.metric;
  group.parameters = key.parameters;
  group.unit = key.unit;
  group.more = key.more;
  group.verified = key.verified;
  return group;
}

}  // namespace rackproof::terminal
