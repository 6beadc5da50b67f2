#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "harness/stats/peers.hpp"

namespace rackproof::stats {

/// Which side of its peers is the bad one.
enum class BadSide { kBelow, kAbove, kBoth };

struct OutlierPolicy {
  double family_alpha = 0.05;    ///< Holm: chance of one false outlier in the whole table
  double discovery_rate = 0.05;  ///< Benjamini-Hochberg: share of false ones among what is named
  std::size_t peer_minimum = 4;  ///< a metric that fewer nodes have is not compared
  double effect = 0.03;          ///< a deviation, or a gap between groups, under this is none
};

/// Whether the chances that are told of a column can be believed: they rest on noise that is coarse
/// in no way, hardly skewed and has no heavy tails.
enum class Basis {
  kTested,    ///< the column itself shows it
  kTogether,  ///< it has too few values, does not contradict it, and all columns together show it
  kFew,       ///< all columns together have too few values to show it
  kCoarse,    ///< values lie on steps as wide as the noise: whole numbers, rounded ones, ties
  kSkewed,    ///< more than a gamma distribution of skewness -1, for which the rates were simulated
  kHeavyTails,  ///< rather Student's t with 3 degrees of freedom than normal
};

/// True where a rate of false alarms is promised.
bool promises_rate(Basis basis);

/// One value far from those of the other nodes.
struct Deviation {
  std::size_t node = 0;
  std::size_t metric = 0;
  double value = 0;
  double median = 0;        ///< of the nodes that it is compared with
  double z = 0;             ///< in standard deviates; negative: below the median
  double probability = 1;   ///< of a value so far out on a healthy node, for one comparison
  bool is_outlier = false;  ///< by Holm; else only by Benjamini-Hochberg
  bool by_rank = false;     ///< its column promises no rate: the probability is an ordering only
  std::size_t rank = 1;     ///< 1: no other node is farther out on this side
};

/// One metric over all nodes.
struct Column {
  std::size_t present = 0;
  bool compared = false;
  double median = 0;                   ///< of the larger group when there are two
  std::optional<double> other_median;  ///< of the smaller one
  Basis basis = Basis::kFew;
  std::vector<Deviation> suspects;  ///< everything that could still turn out to deviate
  /// Nodes of the slower of two groups that lie `effect` apart; where both sides are bad, of the
  /// smaller one, or of halves the lower one.
  std::vector<std::size_t> slower;
};

/// Looks at a table of metrics by the test of the judge (PeerTest), with spreads pooled over
/// all of them. Columns can be taken, and looked at, in any order and at once.
class OutlierSearch {
 public:
  OutlierSearch(std::size_t metrics, const OutlierPolicy& policy);

  /// A NaN is a node without a value.
  void take(std::size_t metric, const std::vector<double>& values, BadSide bad);
  /// After all were taken.
  void pool();
  Column column(std::size_t metric) const;

 private:
  struct Taken {
    std::vector<double> values;
    std::vector<std::uint32_t> nodes;  ///< of the values; empty: each is that of its place
    BadSide bad = BadSide::kBoth;
    bool compared = false;
    double resolution = 0;  ///< least distance of different values, where some are equal; else 0
    double evidence = 0;    ///< log-likelihood of normal noise over heavy tails

    std::size_t node(std::size_t i) const { return nodes.empty() ? i : nodes[i]; }
  };

  Basis basis_of(std::size_t metric) const;

  OutlierPolicy policy_;
  std::vector<Taken> taken_;
  PeerTest test_;
  double evidence_ = 0;  ///< of all columns together
};

/// What deviates, over all columns: by Benjamini-Hochberg over every comparison that was made, and
/// by Holm among those. In the order of probability, then node, then metric. Takes the suspects out
/// of `columns`.
std::vector<Deviation> find_deviations(std::vector<Column>& columns, const OutlierPolicy& policy);

}  // namespace rackproof::stats
