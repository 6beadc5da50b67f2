#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace rackproof::judge {

/// Which side of its peers is the bad one.
enum class BadSide { kBelow, kAbove, kBoth };

struct SurveyPolicy {
  double family_alpha = 0.05;    ///< Holm: chance of one false outlier in the whole table
  double discovery_rate = 0.05;  ///< Benjamini-Hochberg: share of false ones among what is named
  std::size_t peer_minimum = 4;  ///< a metric that fewer nodes have is not compared
  double effect = 0.03;          ///< a deviation under this share of the median is no deviation
};

/// One value far from those of the other nodes.
struct Deviation {
  std::size_t node = 0;
  std::size_t metric = 0;
  double value = 0;
  double median = 0;        ///< of the nodes that it is compared with
  double z = 0;             ///< in standard deviates; negative: below the median
  double probability = 1;   ///< of a value so far out on a healthy node, for one comparison
  bool is_outlier = false;  ///< by Holm; else only by Benjamini-Hochberg
};

/// One metric over all nodes.
struct Column {
  std::size_t present = 0;
  bool compared = false;
  double median = 0;                   ///< of the larger group when there are two
  std::optional<double> other_median;  ///< of the smaller one
  std::vector<Deviation> suspects;     ///< everything that could still turn out to deviate
};

/// Looks at one metric (stats::stand_among_peers); a NaN is a node without a value. Pure, so that
/// columns can be looked at in any order and at once.
Column survey_column(const std::vector<double>& values, std::size_t metric, BadSide bad,
                     const SurveyPolicy& policy);

/// What deviates, over all columns: by Benjamini-Hochberg over every comparison that was made, and
/// by Holm among those. In the order of probability, then node, then metric. Takes the suspects out
/// of `columns`.
std::vector<Deviation> survey(std::vector<Column>& columns, const SurveyPolicy& policy);

}  // namespace rackproof::judge
