#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

namespace rackproof::contract {

/// No partner: a bye, in an odd group.
inline constexpr int kBye = -1;

/// The seed of rounds where nobody says another: that of whoever plays and of whoever plans.
inline constexpr std::uint64_t kUsualDraw = 1;

/// Who meets whom, in rounds of disjoint pairs that play at the same time: a function of its
/// arguments alone, so that who plays and who says beforehand what will be played need not talk.
///
/// The circle method: with m = n or the next even number, the seats i and j below m - 1 meet in the
/// round that (i + j) mod (m - 1) gives, and the last one meets the one that this would pair with
/// itself. All its rounds are the whole tournament, in which every two meet once. A few of them,
/// chosen and seated by a seed, are a sample in which nobody meets anybody twice: from two rounds
/// on it joins all members, from three on by cycles of odd length too (m - 1 is odd), without which
/// a slow member could not be told from a fast partner.
class Tournament {
 public:
  /// Every two of `members` meet: n - 1 rounds, or n for an odd number; none for fewer than two.
  explicit Tournament(int members) : members_(members), seats_(members + members % 2) {
    for (int round = 0; members_ > 1 && round < seats_ - 1; ++round) rounds_.push_back(round);
  }

  /// `rounds` of them, 0 or more; the whole tournament, in its own order, where that has no more.
  Tournament(int members, int rounds, std::uint64_t seed) : Tournament(members) {
    if (rounds < 0) throw std::invalid_argument("a tournament of less than no rounds");
    if (static_cast<std::size_t>(rounds) >= rounds_.size()) return;
    // The sequence of this engine is laid down by the standard, what std::shuffle does with it not.
    std::mt19937_64 random(seed);
    shuffle(rounds_, random);
    // Two neighbours on the circle join all members, whatever m - 1 may be divided by.
    const int beside = (rounds_.front() + 1) % (seats_ - 1);
    if (rounds > 1)
      std::iter_swap(std::find(rounds_.begin(), rounds_.end(), beside), rounds_.begin() + 1);
    rounds_.resize(static_cast<std::size_t>(rounds));
    seat_of_.resize(static_cast<std::size_t>(seats_));
    std::iota(seat_of_.begin(), seat_of_.end(), 0);
    shuffle(seat_of_, random);
    member_at_.resize(seat_of_.size());
    for (std::size_t i = 0; i < seat_of_.size(); ++i) {
      member_at_[static_cast<std::size_t>(seat_of_[i])] = static_cast<int>(i);
    }
  }

  int members() const { return members_; }
  int rounds() const { return static_cast<int>(rounds_.size()); }

  /// The partner of `member` in `round` (both from 0), or kBye. std::invalid_argument where there
  /// is no such member or round.
  int partner(int round, int member) const {
    if (member < 0 || member >= members_ || round < 0 || round >= rounds()) {
      throw std::invalid_argument("no such round or member in the tournament");
    }
    const int own = seat_of_.empty() ? member : seat_of_[static_cast<std::size_t>(member)];
    const int seat = meets(rounds_[static_cast<std::size_t>(round)], own);
    const int other = member_at_.empty() ? seat : member_at_[static_cast<std::size_t>(seat)];
    return other < members_ ? other : kBye;
  }

  /// The pairs of a round, the lower member first, in rising order of that.
  std::vector<std::pair<int, int>> pairs(int round) const {
    std::vector<std::pair<int, int>> all;
    for (int low = 0; low < members_; ++low) {
      const int high = partner(round, low);
      if (high > low) all.emplace_back(low, high);
    }
    return all;
  }

 private:
  static void shuffle(std::vector<int>& values, std::mt19937_64& random) {
    for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[random() % i]);
  }

  int meets(int round, int seat) const {
    const int circle = seats_ - 1;
    // The seat s with 2 s = round modulo an odd number.
    if (seat == circle) return round % 2 == 0 ? round / 2 : (round + circle) / 2;
    const int other = (round - seat + circle) % circle;
    return other == seat ? circle : other;
  }

  int members_;
  int seats_;
  std::vector<int> rounds_;     ///< of the circle, in the order in which they are played
  std::vector<int> seat_of_;    ///< by member; empty: each sits at its own number
  std::vector<int> member_at_;  ///< by seat
};

}  // namespace rackproof::contract
