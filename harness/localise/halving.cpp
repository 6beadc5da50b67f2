#include "harness/localise/halving.hpp"

#include <stdexcept>
#include <utility>

namespace rackproof::localise {
namespace {

/// The first half is the larger one of an odd number.
std::pair<Halving::Group, Halving::Group> halves(const Halving::Group& group) {
  const auto middle = group.begin() + static_cast<std::ptrdiff_t>((group.size() + 1) / 2);
  return {{group.begin(), middle}, {middle, group.end()}};
}

}  // namespace

Halving::Halving(Group failing, Pace pace, std::optional<std::size_t> bad)
    : pace_(pace), bad_(bad) {
  if (failing.size() < 2) throw std::invalid_argument("a group of fewer than two has no halves");
  failing_.push_back(std::move(failing));
}

std::vector<Halving::Group> Halving::next() const {
  if (bad_ && found_.size() >= *bad_) return {};
  std::vector<Group> groups;
  if (pace_ == Pace::kFewestRounds) {
    for (const Group& group : failing_) {
      auto [one, other] = halves(group);
      groups.push_back(std::move(one));
      groups.push_back(std::move(other));
    }
    return groups;
  }
  if (!failing_.empty()) {
    groups.push_back(halves(failing_.back()).first);
  } else if (!unknown_.empty()) {
    groups.push_back(unknown_);
  }
  return groups;
}

void Halving::tell(const std::vector<bool>& failed) {
  const std::size_t asked = next().size();
  if (failed.size() != asked || asked == 0) {
    throw std::invalid_argument("results of other groups than were to be run");
  }
  groups_ += asked;
  ++rounds_;
  if (pace_ == Pace::kFewestRounds) {
    tell_halves(failed);
  } else {
    tell_half(failed.front());
  }
}

void Halving::add(Group failing) {
  if (failing.size() == 1) {
    found_.push_back(failing.front());
  } else {
    failing_.push_back(std::move(failing));
  }
}

void Halving::tell_halves(const std::vector<bool>& failed) {
  const std::vector<Group> groups = std::exchange(failing_, {});
  for (std::size_t i = 0; i < groups.size(); ++i) {
    auto [one, other] = halves(groups[i]);
    if (!failed[2 * i] && !failed[2 * i + 1]) together_.push_back(groups[i]);
    if (failed[2 * i]) add(std::move(one));
    if (failed[2 * i + 1]) add(std::move(other));
  }
}

void Halving::tell_half(bool failed) {
  if (failing_.empty()) {
    Group rest = std::exchange(unknown_, {});
    if (failed) add(std::move(rest));
  } else {
    auto [one, other] = halves(failing_.back());
    failing_.pop_back();
    if (failed) {
      // The other half may be bad too: that is asked when this one is known.
      unknown_.insert(unknown_.end(), other.begin(), other.end());
      add(std::move(one));
    } else {
      add(std::move(other));
    }
  }
  // So many are still missing that all of the rest together must fail: it need not be asked.
  if (bad_ && found_.size() < *bad_ && failing_.empty() && !unknown_.empty()) {
    add(std::exchange(unknown_, {}));
  }
}

}  // namespace rackproof::localise
