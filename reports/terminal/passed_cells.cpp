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
  PassedGroup one;
  one.step = cell.step;
  one.metric = cell.metric;
  one.parameters = cell.parameters;
  if (!cell.measurements.empty()) {
    one.unit = cell.measurements.back().unit;
    one.more = cell.measurements.back().better == model::Better::kMore;
  }
  one.verified = cell.verdict.outcome == model::Outcome::kVerified;
  PassedGroup& group = group_of(one);
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
    PassedGroup& group = group_of(other);
    group.cells += other.cells;
    group.values.insert(group.values.end(), other.values.begin(), other.values.end());
    if (is_easier(other.low.value, group.low.value, true)) group.low = std::move(other.low);
    if (is_easier(other.high.value, group.high.value, false)) group.high = std::move(other.high);
  }
}

PassedGroup& PassedCells::group_of(const PassedGroup& one) {
  const std::size_t hash = hash_of(one.step, one.metric, one.unit);
  const auto [first, last] = places_.equal_range(hash);
  for (auto place = first; place != last; ++place) {
    PassedGroup& group = groups_[place->second];
    if (group.verified == one.verified && group.parameters == one.parameters &&
        group.step == one.step && group.metric == one.metric && group.unit == one.unit) {
      return group;
    }
  }
  places_.emplace(hash, groups_.size());
  PassedGroup& group = groups_.emplace_back();
  group.step = one.step;
  group.metric = one.metric;
  group.parameters = one.parameters;
  group.unit = one.unit;
  group.more = one.more;
  group.verified = one.verified;
  return group;
}

}  // namespace rackproof::terminal
