#pragma once

#include <cstddef>
#include <cstdint>
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
  double z = 0;             ///< modified z-score
  double probability = 1;   ///< of so large a score on a healthy node, for one comparison
  bool is_outlier = false;  ///< by Holm; else only by Benjamini-Hochberg
};

/// One metric over all nodes. A NaN in a column is a node without a value.
struct Column {
  std::size_t present = 0;
  bool compared = false;
  double median = 0;
  double spread = 0;                ///< scaled to a standard deviation of normal values
  std::vector<Deviation> suspects;  ///< everything that could still turn out to deviate
};

/// Looks at one metric. Pure, so that columns can be looked at in any order and at once.
/// The scale is the median absolute deviation, floored as stats::spread does; where that is zero
/// (most nodes say the same, and it is zero) the mean absolute deviation stands in.
Column survey_column(const std::vector<double>& values, std::size_t metric, BadSide bad,
                     const SurveyPolicy& policy);

/// What deviates, over all columns: first by Benjamini-Hochberg over every comparison that was
/// made, then by Holm among those. In the order of probability, then node, then metric. `bad` has
/// an entry for each column. Takes the suspects out of `columns`.
std::vector<Deviation> survey(std::vector<Column>& columns, const std::vector<BadSide>& bad,
                              const SurveyPolicy& policy);

}  // namespace rackproof::judge
