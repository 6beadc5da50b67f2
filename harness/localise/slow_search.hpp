#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace rackproof::localise {

/// Finds the host, and of a host the member, that makes a group slow, where no limit of a smaller
/// group is known: two parts of the group that are alike but for whom they are suspected to have
/// in them are run one after the other, and the slower one has the culprit. First these are the
/// halves; then the suspects are halved, each half with the same others of the faster part beside
/// it, so that both parts have the size of a half, and as many members on each host, to the end.
/// Hosts are told apart first, then the members of the one that is left. Members are told by
/// number. It is right where one part makes the group slow, and names nobody where two do that are
/// in different halves.
class SlowSearch {
 public:
  using Group = std::vector<std::size_t>;
  /// Parts of one size, to be run one after the other.
  struct Sides {
    Group one;
    Group other;
  };

  /// `hosts` has the members of each host, two members or more in all, and on each host as many;
  /// std::invalid_argument where they are not. A side that is slower by more than the share
  /// `margin` is slow.
  SlowSearch(std::vector<Group> hosts, double margin);

  /// The parts to run now; nothing when it is done.
  std::optional<Sides> next() const;
  /// The speed of the first side of next() over that of the other.
  void tell(double ratio);

  /// Those among which the culprit is: all, as long as no part was slower than its like.
  const Group& suspects() const { return suspects_; }
  /// By which share the last side that was slow was slower; 0 before.
  double deficit() const { return deficit_; }

 private:
  /// What is compared: halves of the suspects, and what is left over of an odd number of them.
  struct Halves {
    Group one;
    Group other;
    Group between;
  };

  Halves halves() const;
  Sides beside_others(const Group& one, const Group& other, const Group& without) const;
  void accuse(const Group& slow, const Group& fast, double ratio);

  std::vector<Group> hosts_;
  double margin_;
  std::size_t size_ = 0;  ///< of a side
  Group suspects_;
  Group well_;  ///< members of sides that were the faster ones
  /// What is left over where halves were alike, and as many of one half to compare it with.
  std::optional<Sides> between_;
  double deficit_ = 0;
  bool over_ = false;
};

}  // namespace rackproof::localise
