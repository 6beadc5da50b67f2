#include "harness/stats/change_points.hpp"

#include <algorithm>
#include <array>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "harness/stats/rank_chances.hpp"
#include "harness/stats/robust.hpp"
#include "harness/stats/series.hpp"

namespace rackproof::stats {
namespace {

// A split is proposed from this share of the score on that the rank test asks for: for skewed
// values ranks tell more than means, up to about a quarter.
constexpr double kShareOfScore = 0.75;
// A value counts as at most so many deviations from the middle of its neighbours: a spike is no
// level.
constexpr double kSpike = 3;
constexpr std::size_t kNeighbours = 3;  // on each side
// Larger parts are compared by the normal approximation, of smaller ones the nearest values
// exactly.
constexpr std::size_t kExact = 20;
constexpr std::size_t kNearest = 40;

struct CusumSplit {
  std::size_t at = 0;
  double cusum = 0;
};

struct SeededInterval {
  std::size_t begin = 0;
  std::size_t end = 0;
  CusumSplit best;
};

// The spread of a series that changes its level now and then: that of the differences of
// neighbours.
double spread_of(const std::vector<double>& values) {
  std::vector<double> differences;
  differences.reserve(values.size());
  for (std::size_t i = 1; i < values.size(); ++i) {
    differences.push_back(std::fabs(values[i] - values[i - 1]));
  }
  const double upper_quartile = 0.6744897501960817;
  return median(std::move(differences)) / upper_quartile / std::sqrt(2.0);
}

std::vector<double> without_spikes(const std::vector<double>& values, double spread) {
  std::vector<double> out = values;
  const double reach = kSpike * spread;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t begin = i < kNeighbours ? 0 : i - kNeighbours;
    const std::size_t end = std::min(values.size(), i + kNeighbours + 1);
    std::size_t within = 0;
    for (std::size_t k = begin; k < end; ++k) {
      within += std::fabs(values[k] - values[i]) <= reach ? 1 : 0;
    }
    if (2 * within > end - begin) continue;  // then so is the middle one
    std::array<double, 2 * kNeighbours + 1> near;
    std::copy(values.begin() + static_cast<std::ptrdiff_t>(begin),
              values.begin() + static_cast<std::ptrdiff_t>(end), near.begin());
    const auto count = static_cast<std::ptrdiff_t>(end - begin);
    std::nth_element(near.begin(), near.begin() + count / 2, near.begin() + count);
    const double middle = near[static_cast<std::size_t>(count / 2)];
    out[i] = std::clamp(values[i], middle - reach, middle + reach);
  }
  return out;
}

// Sums of the first values, so that any part's mean takes one subtraction.
std::vector<double> sums_of(const std::vector<double>& values, double spread) {
  const double origin = values.front();
  std::vector<double> sums(values.size() + 1, 0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    sums[i + 1] = sums[i] + (values[i] - origin) / spread;
  }
  return sums;
}

// What every split of an interval of one length is multiplied with: divisions take most of the
// time.
class Weights {
 public:
  explicit Weights(std::size_t length) : share_(length + 1), weight_(length + 1, 0) {
    const auto n = static_cast<double>(length);
    for (std::size_t left = 0; left <= length; ++left) {
      const auto l = static_cast<double>(left);
      share_[left] = l / n;
      if (left > 0 && left < length) weight_[left] = n / (l * (n - l));
    }
  }

  // The split from `begin` on with the largest difference of means, in its standard deviations.
  CusumSplit best_split(const std::vector<double>& sums, std::size_t begin) const {
    const std::size_t length = share_.size() - 1;
    const double base = sums[begin];
    const double all = sums[begin + length] - base;
    double largest = 0;  // its square
    std::size_t at = 0;
    for (std::size_t left = kLeastBetweenChanges; left + kLeastBetweenChanges <= length; ++left) {
      const double off = sums[begin + left] - base - all * share_[left];
      const double square = off * off * weight_[left];
      if (square > largest) {
        largest = square;
        at = begin + left;
      }
    }
    return {at, std::sqrt(largest)};
  }

 private:
  std::vector<double> share_;
  std::vector<double> weight_;
};

// Intervals of all lengths, each by a factor of the root of two shorter, that overlap by half.
std::vector<SeededInterval> seeded_intervals(std::size_t n) {
  std::vector<SeededInterval> all = {{0, n, {}}};
  for (double length = static_cast<double>(n) / std::sqrt(2.0); length >= 2 * kLeastBetweenChanges;
       length /= std::sqrt(2.0)) {
    const auto size = static_cast<std::size_t>(std::ceil(length));
    const auto count = 2 * static_cast<std::size_t>(std::ceil(static_cast<double>(n) / length)) - 1;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t begin = count == 1 ? 0 : i * (n - size) / (count - 1);
      all.push_back({begin, begin + size, {}});
    }
  }
  return all;
}

// The largest split first, then the largest of the intervals that it does not cut, and so on.
std::vector<std::size_t> proposed(const std::vector<double>& sums,
                                  std::vector<SeededInterval> intervals, double least) {
  std::optional<Weights> weights;  // intervals of one length follow each other
  std::size_t length = 0;
  for (SeededInterval& interval : intervals) {
    if (interval.end - interval.begin != length) {
      length = interval.end - interval.begin;
      weights.emplace(length);
    }
    interval.best = weights->best_split(sums, interval.begin);
  }
  std::erase_if(intervals, [&](const SeededInterval& one) { return one.best.cusum < least; });
  std::sort(intervals.begin(), intervals.end(),
            [](const SeededInterval& a, const SeededInterval& b) {
              return std::tuple(-a.best.cusum, a.begin, a.end) <
                     std::tuple(-b.best.cusum, b.begin, b.end);
            });
  std::vector<std::size_t> splits;
  for (const SeededInterval& one : intervals) {
    const bool cut = std::any_of(splits.begin(), splits.end(),
                                 [&](std::size_t at) { return at > one.begin && at < one.end; });
    if (!cut) splits.push_back(one.best.at);
  }
  std::sort(splits.begin(), splits.end());
  return splits;
}

double upper_tail(double z) {
  return boost::math::cdf(boost::math::complement(boost::math::normal(), z));
}

// Two-sided chance of ranks as unlike as those of two parts of `values`, ties halved.
double rank_p(const std::vector<double>& values, std::size_t begin, std::size_t at,
              std::size_t end) {
  const bool exact = std::min(at - begin, end - at) < kExact;
  if (exact) {
    begin = std::max(begin, at > kNearest ? at - kNearest : 0);
    end = std::min(end, at + kNearest);
  }
  std::vector<double> left(values.begin() + static_cast<std::ptrdiff_t>(begin),
                           values.begin() + static_cast<std::ptrdiff_t>(at));
  std::sort(left.begin(), left.end());
  double above = 0;  // pairs in which the right one is larger
  for (std::size_t i = at; i < end; ++i) {
    const auto range = std::equal_range(left.begin(), left.end(), values[i]);
    above += static_cast<double>(range.first - left.begin()) +
             static_cast<double>(range.second - range.first) / 2;
  }
  const auto n = static_cast<double>(at - begin);
  const auto m = static_cast<double>(end - at);
  const double extreme = std::min(above, n * m - above);
  if (exact) return std::min(1.0, 2 * mann_whitney_at_most(at - begin, end - at, extreme));
  const double z = (n * m / 2 - extreme - 0.5) / std::sqrt(n * m * (n + m + 1) / 12);
  return std::min(1.0, 2 * upper_tail(std::max(0.0, z)));
}

// The same when the values are worth a share of as many independent ones.
double worth_less(double p, double worth) {
  if (worth >= 1 || p >= 1) return p;
  const double z = boost::math::quantile(
      boost::math::complement(boost::math::normal(), std::max(p, 1e-300) / 2));
  return std::min(1.0, 2 * upper_tail(z * std::sqrt(worth)));
}

class Segmentation {
 public:
  Segmentation(const std::vector<double>& values, const std::vector<double>& sums,
               std::vector<std::size_t> splits, double limit, double worth)
      : values_(values), sums_(sums), splits_(std::move(splits)), limit_(limit), worth_(worth) {}

  // Moves each split to the best place between its neighbours, and drops the least sure one as long
  // as it is not sure enough.
  void settle() {
    for (bool changed = true; changed;) {
      for (std::size_t i = 0; i < splits_.size(); ++i) {
        const auto [best, fresh] = best_.try_emplace({begin_of(i), end_of(i)}, CusumSplit());
        if (fresh) {
          best->second = Weights(end_of(i) - begin_of(i)).best_split(sums_, begin_of(i));
        }
        if (best->second.at != 0) splits_[i] = best->second.at;
      }
      changed = false;
      std::size_t worst = 0;
      double largest = -1;
      for (std::size_t i = 0; i < splits_.size(); ++i) {
        const double p = p_of(i);
        if (p > largest) {
          largest = p;
          worst = i;
        }
      }
      if (!(largest > limit_)) continue;
      splits_.erase(splits_.begin() + static_cast<std::ptrdiff_t>(worst));
      changed = true;
    }
  }

  std::vector<ChangePoint> points() const {
    std::vector<ChangePoint> points;
    for (std::size_t i = 0; i < splits_.size(); ++i) {
      points.push_back(
          {splits_[i], middle(begin_of(i), splits_[i]), middle(splits_[i], end_of(i)), p_of(i)});
    }
    return points;
  }

 private:
  std::size_t begin_of(std::size_t i) const { return i == 0 ? 0 : splits_[i - 1]; }
  std::size_t end_of(std::size_t i) const {
    return i + 1 < splits_.size() ? splits_[i + 1] : values_.size();
  }
  double p_of(std::size_t i) const {
    const auto [known, fresh] = known_.try_emplace({begin_of(i), splits_[i], end_of(i)}, 0.0);
    if (fresh) {
      known->second = worth_less(rank_p(values_, begin_of(i), splits_[i], end_of(i)), worth_);
    }
    return known->second;
  }
  double middle(std::size_t begin, std::size_t end) const {
    return median({values_.begin() + static_cast<std::ptrdiff_t>(begin),
                   values_.begin() + static_cast<std::ptrdiff_t>(end)});
  }

  const std::vector<double>& values_;
  const std::vector<double>& sums_;
  std::vector<std::size_t> splits_;
  double limit_;
  double worth_;
  // Few parts change from one round to the next.
  std::map<std::pair<std::size_t, std::size_t>, CusumSplit> best_;
  mutable std::map<std::tuple<std::size_t, std::size_t, std::size_t>, double> known_;
};

}  // namespace

std::vector<ChangePoint> change_points(const std::vector<double>& values, double false_points,
                                       double correlation) {
  require_share(false_points, "the number of false points");
  if (!(correlation >= 0 && correlation < 1)) {
    throw std::invalid_argument("the correlation of neighbours must be at least 0 and less than 1");
  }
  if (values.size() < 2 * kLeastBetweenChanges) return {};
  require_series(values);
  double spread = spread_of(values);
  // More than half of the neighbours are equal: any difference is one.
  if (!(spread > 0)) {
    spread = std::max(std::fabs(median(values)) * 1e-6, std::numeric_limits<double>::min());
  }
  // Differences of neighbours understate the spread of correlated values, and these the error of a
  // mean of them.
  spread /= std::sqrt(1 - correlation);
  const double worth = (1 - correlation) / (1 + correlation);
  const std::vector<double> sums =
      sums_of(without_spikes(values, spread), spread / std::sqrt(worth));
  const std::vector<SeededInterval> intervals = seeded_intervals(values.size());
  double looked_at = 0;
  for (const SeededInterval& one : intervals) looked_at += static_cast<double>(one.end - one.begin);
  const double limit = false_points / looked_at;
  const double score =
      boost::math::quantile(boost::math::complement(boost::math::normal(), limit / 2));
  Segmentation segmentation(values, sums, proposed(sums, intervals, kShareOfScore * score), limit,
                            worth);
  segmentation.settle();
  return segmentation.points();
}

std::optional<double> neighbour_correlation(const std::vector<double>& values,
                                            double false_points) {
  if (values.size() < 2 * kLeastBetweenChanges) return std::nullopt;
  std::vector<double> rest = values;
  std::vector<std::size_t> ends;
  for (const ChangePoint& one : change_points(values, false_points)) ends.push_back(one.at);
  ends.push_back(values.size());
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    const double level = median({values.begin() + static_cast<std::ptrdiff_t>(begin),
                                 values.begin() + static_cast<std::ptrdiff_t>(end)});
    for (; begin < end; ++begin) rest[begin] -= level;
  }
  const double reach = kSpike * median_absolute_deviation(rest) / kNormalQuartile;
  if (!(reach > 0)) return std::nullopt;
  for (double& one : rest) one = std::clamp(one, -reach, reach) / reach;
  double squares = rest.front() * rest.front();
  double products = 0;
  for (std::size_t i = 1; i < rest.size(); ++i) {
    squares += rest[i] * rest[i];
    products += rest[i] * rest[i - 1];
  }
  const double found = products / squares;
  // Each level that is taken out takes some of it along (Kendall, Biometrika 41, 1954).
  const double lost = static_cast<double>(ends.size()) / static_cast<double>(values.size());
  return found + (1 + 3 * found) * lost;
}

}  // namespace rackproof::stats
