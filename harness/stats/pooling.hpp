#pragma once

#include <vector>

namespace rackproof::stats {

/// A quantity of one set, and the variance with which it is known.
struct Estimate {
  double value = 0;
  double variance = 0;
};

/// Draws estimates of one quantity in many sets towards their common mean, the more so the less the
/// sets differ beyond their own errors: with eight values a set, the spread of one set is hardly
/// known, and that of sixty together well (empirical Bayes, as Smyth's moderated t for few arrays
/// and many genes, 2004). The variance between sets is DerSimonian and Laird's, plus its own
/// standard error, so that few sets are hardly drawn. Variances must be positive.
std::vector<Estimate> pooled(const std::vector<Estimate>& each);

}  // namespace rackproof::stats
