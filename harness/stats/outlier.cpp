#include "harness/stats/outlier.hpp"

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <stdexcept>

#include "harness/stats/series.hpp"

namespace rackproof::stats {
namespace {

namespace bm = boost::math;

/// A threshold beyond what a double holds is infinite: nothing exceeds it.
using NoOverflow = bm::policies::policy<bm::policies::overflow_error<bm::policies::ignore_error>>;

double tail(double alpha, std::size_t comparisons, Sides sides) {
  require_share(alpha, "an error rate");
  if (comparisons == 0) throw std::invalid_argument("a family of tests needs at least one");
  const double each = alpha / static_cast<double>(comparisons);
  return sides == Sides::kTwo ? each / 2 : each;
}

/// How the modified z-score of one among normal values is distributed.
bm::students_t_distribution<double, NoOverflow> score_among(std::size_t peers) {
  if (peers < kLeastPeers) throw std::invalid_argument("too few like values to name an outlier");
  return bm::students_t_distribution<double, NoOverflow>(0.4 * static_cast<double>(peers));
}

}  // namespace

double family_threshold(double alpha, std::size_t comparisons, Sides sides) {
  return bm::quantile(bm::complement(bm::normal_distribution<double, NoOverflow>(),
                                     tail(alpha, comparisons, sides)));
}

double peer_threshold(double alpha, std::size_t comparisons, std::size_t peers, Sides sides) {
  return bm::quantile(bm::complement(score_among(peers), tail(alpha, comparisons, sides)));
}

}  // namespace rackproof::stats
