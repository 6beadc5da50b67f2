#include "harness/localise/slow_search.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace rackproof::localise {
namespace {

using Group = SlowSearch::Group;

Group joined(Group one, const Group& other) {
  one.insert(one.end(), other.begin(), other.end());
  return one;
}

bool has(const Group& group, std::size_t member) {
  return std::find(group.begin(), group.end(), member) != group.end();
}

Group members_of(const std::vector<Group>& units, std::size_t from, std::size_t to) {
  Group members;
  for (std::size_t i = from; i < to; ++i) members = joined(std::move(members), units[i]);
  return members;
}

}  // namespace

SlowSearch::SlowSearch(std::vector<Group> hosts, double margin)
    : hosts_(std::move(hosts)), margin_(margin) {
  const bool even = std::all_of(hosts_.begin(), hosts_.end(), [&](const Group& host) {
    return host.size() == hosts_.front().size();
  });
  suspects_ = members_of(hosts_, 0, hosts_.size());
  if (!even || suspects_.size() < 2) {
    throw std::invalid_argument("expected hosts with the same number of members each");
  }
  size_ = halves().one.size();
}

SlowSearch::Halves SlowSearch::halves() const {
  std::vector<Group> units;
  for (const Group& host : hosts_) {
    if (has(suspects_, host.front())) units.push_back(host);
  }
  if (units.size() < 2) {
    units.clear();
    for (const std::size_t member : suspects_) units.push_back({member});
  }
  const std::size_t half = units.size() / 2;
  const std::size_t count = units.size();
  return {members_of(units, 0, half), members_of(units, count - half, count),
          members_of(units, half, count - half)};
}

// The same others on both sides, host by host.
SlowSearch::Sides SlowSearch::beside_others(const Group& one, const Group& other,
                                            const Group& without) const {
  Group others;
  for (const std::size_t member : well_) {
    if (one.size() + others.size() >= size_) break;
    if (!has(without, member)) others.push_back(member);
  }
  return {joined(one, others), joined(other, others)};
}

std::optional<SlowSearch::Sides> SlowSearch::next() const {
  if (over_) return std::nullopt;
  if (between_) return beside_others(between_->one, between_->other, between_->other);
  const Halves sides = halves();
  return beside_others(sides.one, sides.other, {});
}

void SlowSearch::accuse(const Group& slow, const Group& fast, double ratio) {
  well_ = joined(fast, well_);
  std::sort(well_.begin(), well_.end());
  suspects_ = slow;
  deficit_ = 1 - ratio;
  over_ = suspects_.size() == 1;
}

void SlowSearch::tell(double ratio) {
  if (over_) throw std::invalid_argument("results of groups that were not to be run");
  const bool one_slow = ratio < 1 - margin_;
  if (between_) {
    const Sides compared = *std::exchange(between_, std::nullopt);
    if (one_slow) {
      accuse(compared.one, {}, ratio);
    } else {
      over_ = true;
    }
    return;
  }
  const Halves sides = halves();
  if (one_slow) return accuse(sides.one, sides.other, ratio);
  if (1 / ratio < 1 - margin_) return accuse(sides.other, sides.one, 1 / ratio);
  if (sides.between.empty()) {
    over_ = true;
    return;
  }
  well_ = joined(joined(sides.one, sides.other), well_);
  std::sort(well_.begin(), well_.end());
  const auto as_many = static_cast<std::ptrdiff_t>(sides.between.size());
  between_ = Sides{sides.between, Group(sides.one.begin(), sides.one.begin() + as_many)};
}

}  // namespace rackproof::localise
