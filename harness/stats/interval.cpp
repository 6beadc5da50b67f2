#include "harness/stats/interval.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "harness/stats/robust.hpp"
#include "harness/stats/series.hpp"

namespace rackproof::stats {
namespace {

namespace bm = boost::math;

// In double: the default of long double takes half the time of judging a large run.
using InDouble = bm::policies::policy<bm::policies::promote_double<false>>;
using Binomial = bm::binomial_distribution<double, InDouble>;

double at_most(const Binomial& below, long count) {
  return count < 0 ? 0 : bm::cdf(below, static_cast<double>(count));
}

/// Largest rank (1-based) whose value exceeds the quantile with probability of at most `tail`; 0
/// when even the smallest value does more often.
long low_rank(const Binomial& below, long n, double tail) {
  long least = 0;
  long most = n;
  while (least < most) {
    const long middle = least + (most - least + 1) / 2;
    if (at_most(below, middle - 1) <= tail) {
      least = middle;
    } else {
      most = middle - 1;
    }
  }
  return least;
}

/// Smallest rank whose value is under the quantile with probability of at most `tail`; n + 1 when
/// even the largest value is more often.
long high_rank(const Binomial& below, long n, double tail) {
  long least = 1;
  long most = n + 1;
  while (least < most) {
    const long middle = least + (most - least) / 2;
    const double under =
        middle > n ? 0 : bm::cdf(bm::complement(below, static_cast<double>(middle - 1)));
    if (under <= tail) {
      most = middle;
    } else {
      least = middle + 1;
    }
  }
  return least;
}

/// Where the ends of an interval stand among the sorted values.
struct Ranks {
  long n = 0;
  double q = 0;
  double confidence = 0;
  long low = 0;
  long high = 0;
  double coverage = 0;
};

Ranks ranks_of(long n, double q, double confidence) {
  // The number of values under the quantile is binomial.
  const Binomial below(static_cast<double>(n), q);
  const double tail = (1 - confidence) / 2;
  Ranks ranks{n, q, confidence, low_rank(below, n, tail), high_rank(below, n, tail), 0};
  ranks.coverage = at_most(below, ranks.high - 1) - at_most(below, ranks.low - 1);
  return ranks;
}

/// A large run asks a million times for the same ones, and to find them takes longer than the rest.
const Ranks& known_ranks(long n, double q, double confidence) {
  thread_local Ranks last;
  if (last.n != n || last.q != q || last.confidence != confidence) {
    last = ranks_of(n, q, confidence);
  }
  return last;
}

}  // namespace

std::optional<Interval> quantile_interval(std::vector<double> values, double q, double confidence) {
  require_series(values);
  require_share(q, "a quantile");
  require_share(confidence, "a confidence");
  const long n = static_cast<long>(values.size());
  const Ranks& ranks = known_ranks(n, q, confidence);
  if (ranks.low < 1 || ranks.high > n) return std::nullopt;
  std::sort(values.begin(), values.end());
  return Interval{values[static_cast<std::size_t>(ranks.low - 1)],
                  values[static_cast<std::size_t>(ranks.high - 1)], ranks.coverage};
}

std::optional<Interval> median_interval(std::vector<double> values, double confidence) {
  return quantile_interval(std::move(values), 0.5, confidence);
}

std::optional<Interval> mean_interval(const std::vector<double>& values, double confidence) {
  require_series(values);
  require_share(confidence, "a confidence");
  if (values.size() < 2) return std::nullopt;
  const double centre = mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - centre) * (value - centre);
  const double n = static_cast<double>(values.size());
  const double error = std::sqrt(squares / (n - 1) / n);
  const double t = bm::quantile(bm::complement(bm::students_t(n - 1), (1 - confidence) / 2));
  const double half = t * error;
  if (!std::isfinite(half)) return std::nullopt;
  return Interval{centre - half, centre + half, confidence};
}

}  // namespace rackproof::stats
