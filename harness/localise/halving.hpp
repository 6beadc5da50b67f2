#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace rackproof::localise {

enum class Pace {
  /// One half at a time, the other is inferred: right where a group fails when, and only when, one
  /// of its parts is bad.
  kFewestGroups,
  /// Both halves at once: half as long, twice as many groups, and nothing is inferred, so that
  /// parts that fail only together show.
  kFewestRounds,
};

/// Finds the bad parts of a group that fails (a hang, wrong data, slow only when large) where
/// nothing adds up that could be fitted: adaptive group testing by halving (Hwang, Journal of the
/// American Statistical Association 67, 1972). Parts are told by number.
///
/// With kFewestGroups d bad ones among N take d ceil(log2 N) groups at most where their number is
/// known, and one more for each where the rest has to be shown to be well.
class Halving {
 public:
  using Group = std::vector<std::size_t>;

  /// `failing` is a group that was seen to fail, of two parts and more. With `bad`, it ends when so
  /// many have been found. std::invalid_argument for fewer parts.
  Halving(Group failing, Pace pace, std::optional<std::size_t> bad = std::nullopt);

  /// The groups to run now, at once: they have no part in common. Empty: done. A group may have one
  /// part.
  std::vector<Group> next() const;
  /// What became of the groups of next(), in their order.
  void tell(const std::vector<bool>& failed);

  bool done() const { return next().empty(); }
  /// Parts that are bad by themselves, in the order in which they were found.
  const std::vector<std::size_t>& found() const { return found_; }
  /// Groups that failed though both their halves were well: they fail only together.
  const std::vector<Group>& together() const { return together_; }
  std::size_t groups() const { return groups_; }  ///< that were run
  std::size_t rounds() const { return rounds_; }

 private:
  void add(Group failing);
  void tell_halves(const std::vector<bool>& failed);
  void tell_half(bool failed);

  Pace pace_;
  std::optional<std::size_t> bad_;
  std::vector<Group> failing_;  ///< of two parts and more
  Group unknown_;               ///< parts of which nothing is known
  std::vector<std::size_t> found_;
  std::vector<Group> together_;
  std::size_t groups_ = 0;
  std::size_t rounds_ = 0;
};

}  // namespace rackproof::localise
