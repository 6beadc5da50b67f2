#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "harness/stats/modes.hpp"
#include "harness/stats/outlier.hpp"

namespace rackproof::stats {

/// The spread (standard deviation) of like parts counts as at least this share of their median.
/// Parts that agree better than that agree better than one of them agrees with itself from run to
/// run: its coefficient of variation is 0.3 % (docs/judging.md).
inline constexpr double kSpreadFloor = 0.003;

/// Values of one quantity, measured on like parts.
struct LikeSet {
  std::vector<double> values;  ///< finite; at least kLeastPeers
  bool more_is_better = true;
  /// Share of the variance that a single measurement has; less than 1 for a ratio, whose divisor
  /// has an error too. That error hides some of the skewness, not of the tail: the skewness counts
  /// as larger by this.
  double own_variance = 1;
};

/// Where one value stands among its like.
struct Standing {
  double deficit = 0;     ///< how much worse than the median, as a share of it; negative: better
  double z = 0;           ///< the deficit in units of a standard normal deviate
  double p = 1;           ///< chance of a value so much worse among healthy ones, at most
  double p_better = 1;    ///< chance of a value so much better
  bool in_minor = false;  ///< belongs to the smaller of two groups, of halves to the worse one
};

/// How one set came out.
struct Standings {
  std::vector<Standing> each;  ///< in the order of the values
  double centre = 0;           ///< the median; of the larger group when each has its own
  std::optional<Split> split;  ///< set when the values fall into two groups
  bool by_group = false;       ///< each value was compared with its own group
  /// Between the nearest values of both, as a share of the larger group's median; 0 when they are
  /// neighbours among whole numbers, which have nothing between them.
  double gap = 0;
  double minor_centre = 0;  ///< median of the smaller group
  double major_centre = 0;  ///< median of the larger one
};

/// Compares each value with its like, in three steps, of which the first and the last take sets in
/// any order and at once. This is the whole test for outliers; what to do about the p-values of all
/// sets together is for multiplicity.hpp.
///
/// A set falls into two groups when it splits in two by itself (split_in_two, or split_at_gap for a
/// gap of kGroupGap), or when its best two parts, of two values and a tenth of all at least, lie
/// apart by 8 + 32 / n standard deviations within: these are pooled over all sets, and with
/// 1 % for four degrees of freedom, which is how healthy parts vary. With n from 4 to 72 values of
/// one hump, normal, with a spread of up to 5 % or mixed ones of 0.4 and 4 %, about one set in
/// 3,000 is taken for two groups; with a spread of 20 %, one in 50 of four values. Groups of
/// least_in_mode() values, and halves, are compared each by itself; of less than kLeastPeers values
/// no part can be named.
///
/// The spread is taken from the octiles of what lies within four standard deviations, so that an
/// eighth of the parts may be bad; a spread that is skewed to the bad side has a long tail there,
/// taken to be log-normal with the skewness that the octiles show (Tukey's g). Spread and skewness
/// of a set are known the worse the smaller it is: they are pooled over all sets (pooling.hpp), and
/// what then is left of the error of the spread is in the tail of Student's t. p below 0.1 is exact
/// in this sense; a larger one may be told as 1. Takes n log n.
class PeerTest {
 public:
  explicit PeerTest(std::size_t sets) : sets_(sets) {}

  /// Takes the set of this place. Throws std::invalid_argument for one that is too small and for a
  /// value that is not finite. A place that is never taken stays without standings.
  void take(std::size_t place, const LikeSet& set);
  /// After all were taken.
  void pool();
  /// Where the deficit, or what the value is better by, is under `least_deficit`, p is told as 1:
  /// to find it takes most of the time, and who asks for an effect does not look at it.
  Standings standings(std::size_t place, double least_deficit = 0) const;

  /// For each value of a set that was compared, its distance from the median in standard
  /// normal deviates, as far as healthy parts have it: none beyond `cut`.
  std::vector<double> deviates(std::size_t place, double cut) const;
  /// How skewed the set is to the bad side (Tukey's g, pooled): 0 for a symmetrical one.
  double skewness(std::size_t place) const;
  /// The least distance between different values, as a share of the median, where some are equal; 0
  /// where none are.
  double resolution(std::size_t place) const;
  /// The spread of the set, as a share of its median; of its larger group.
  double spread(std::size_t place) const;

 private:
  /// Neighbours in the order of a set's values that are compared with each other.
  struct Group {
    std::size_t first = 0;
    std::size_t last = 0;
    bool minor = false;
    double centre = 0;
    double scale = 1;
    double deviation = 0;  ///< by its own values
    double spread = 0;
    double skewness = 0;
    double freedom = 0;

    std::size_t size() const { return last - first; }
  };
  struct Set {
    std::vector<double> sorted;
    std::vector<std::uint32_t> place;  ///< of the sorted values
    bool more_is_better = true;
    double own_variance = 1;
    std::optional<Split> split;
    bool by_group = false;
    std::vector<Group> groups;
  };

  class View;

  static Group group_of(const Set& set, std::size_t first, std::size_t last);
  static void divide(Set& set, const Split& split);
  void divide_by_pooled_spread();
  void find_shapes();
  static const Group& largest_group(const Set& set);

  std::vector<Set> sets_;
};

/// A gap of this share of the median may part groups: it is the deficit that fails a part
/// (peer_effect of docs/judging.md).
inline constexpr double kGroupGap = 0.03;

/// PeerTest on all sets, one after the other.
std::vector<Standings> stand_among_peers(const std::vector<LikeSet>& sets,
                                         double least_deficit = 0);

}  // namespace rackproof::stats
