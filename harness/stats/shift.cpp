#include "harness/stats/shift.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "harness/stats/rank_chances.hpp"
#include "harness/stats/robust.hpp"
#include "harness/stats/series.hpp"

namespace rackproof::stats {
namespace {

constexpr std::size_t kExactEach = 40;
constexpr std::size_t kExactPairs = 60;

// How many of the ranks from the bottom an interval may leave out on each side, when `chance` gives
// the probabilities of the rank statistic from 0 on; nothing when not even the extreme one.
std::optional<double> ranks_left_out(const std::vector<double>& chance, double tail) {
  double sum = 0;
  for (std::size_t i = 0; i < chance.size(); ++i) {
    sum += chance[i];
    if (sum > tail) return i == 0 ? std::nullopt : std::optional(static_cast<double>(i));
  }
  return std::nullopt;
}

std::optional<double> ranks_by_normal(double mean, double variance, double tail) {
  const double z = boost::math::quantile(boost::math::normal(), tail);
  const double ranks = std::floor(mean + z * std::sqrt(variance));
  return ranks < 1 ? std::nullopt : std::optional(ranks);
}

// Chances of each value of the signed-rank statistic: every sign is a fair coin.
std::vector<double> signed_rank(std::size_t n) {
  std::vector<double> chance(n * (n + 1) / 2 + 1, 0);
  chance[0] = 1;
  for (std::size_t rank = 1; rank <= n; ++rank) {
    for (std::size_t k = chance.size(); k-- > 0;) {
      chance[k] = (chance[k] + (k >= rank ? chance[k - rank] : 0)) / 2;
    }
  }
  return chance;
}

// The smallest t for which count(t) reaches k, count growing with t, between two bounds.
template <class Count>
double smallest_reaching(double low, double high, double k, const Count& count) {
  if (count(low) >= k) return low;
  // Doubles halve their distance 53 times at most before they are neighbours, of one scale.
  for (int i = 0; i < 100; ++i) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    (count(middle) >= k ? high : low) = middle;
  }
  return high;
}

double tail_of(double confidence) {
  require_share(confidence, "a confidence");
  return (1 - confidence) / 2;
}

}  // namespace

TwoSamples::TwoSamples(std::vector<double> before, std::vector<double> after)
    : before_(std::move(before)), after_(std::move(after)) {
  require_series(before_);
  require_series(after_);
  std::sort(before_.begin(), before_.end());
  std::sort(after_.begin(), after_.end());
}

double TwoSamples::kth_difference(double k) const {
  // Both are sorted: where the limit rises, so does the place.
  const auto count = [this](double t) {
    double pairs = 0;
    std::size_t j = 0;
    for (const double value : before_) {
      while (j < after_.size() && after_[j] - value <= t) ++j;
      pairs += static_cast<double>(j);
    }
    return pairs;
  };
  const double reached =
      smallest_reaching(after_.front() - before_.back(), after_.back() - before_.front(), k, count);
  // The bisection ends beside the difference; near zero, where there are always more doubles
  // between, some way off.
  double nearest = after_.front() - before_.back();
  std::size_t j = 0;
  for (const double value : before_) {
    while (j < after_.size() && after_[j] - value <= reached) ++j;
    if (j > 0) nearest = std::max(nearest, after_[j - 1] - value);
  }
  return nearest;
}

Shift TwoSamples::shift() const {
  const double all = static_cast<double>(before_.size()) * static_cast<double>(after_.size());
  Shift shift;
  shift.estimate =
      (kth_difference(std::floor((all + 1) / 2)) + kth_difference(std::ceil((all + 1) / 2))) / 2;
  double sum = 0;
  for (const double value : before_) {
    const auto range = std::equal_range(after_.begin(), after_.end(), value);
    sum += static_cast<double>(after_.end() - range.second) -
           static_cast<double>(range.first - after_.begin());
  }
  shift.effect = sum / all;
  return shift;
}

std::optional<Interval> TwoSamples::interval(double confidence) const {
  const auto n = static_cast<double>(before_.size());
  const auto m = static_cast<double>(after_.size());
  const bool exact = before_.size() <= kExactEach && after_.size() <= kExactEach;
  const auto out =
      exact
          ? ranks_left_out(mann_whitney_chances(before_.size(), after_.size()), tail_of(confidence))
          : ranks_by_normal(n * m / 2, n * m * (n + m + 1) / 12, tail_of(confidence));
  if (!out) return std::nullopt;
  return Interval{kth_difference(*out), kth_difference(n * m + 1 - *out), confidence};
}

FewValues::FewValues(std::vector<double> before, std::vector<double> after)
    : before_(std::move(before)), after_(std::move(after)) {
  require_series(before_);
  require_series(after_);
}

Shift FewValues::shift() const { return TwoSamples(before_, after_).shift(); }

std::optional<Interval> FewValues::interval(double confidence) const {
  const double tail = tail_of(confidence);
  const auto n = static_cast<double>(before_.size());
  const auto m = static_cast<double>(after_.size());
  if (n + m < 4) return std::nullopt;
  double squares = 0;
  for (const auto* side : {&before_, &after_}) {
    const double centre = mean(*side);
    for (const double value : *side) squares += (value - centre) * (value - centre);
  }
  const double error = std::sqrt(squares / (n + m - 2) * (1 / n + 1 / m));
  const boost::math::students_t student(n + m - 2);
  const double half = boost::math::quantile(boost::math::complement(student, tail)) * error;
  const double off = mean(after_) - mean(before_);
  return Interval{off - half, off + half, confidence};
}

Pairs::Pairs(std::vector<double> differences) : differences_(std::move(differences)) {
  require_series(differences_);
  std::sort(differences_.begin(), differences_.end());
}

double Pairs::kth_average(double k) const {
  const auto count = [this](double t) {
    double pairs = 0;
    std::size_t end = differences_.size();  // of the partners that are small enough
    for (std::size_t i = 0; i < differences_.size() && end > i; ++i) {
      while (end > i && differences_[i] + (differences_[end - 1] - differences_[i]) / 2 > t) --end;
      pairs += static_cast<double>(end - i);
    }
    return pairs;
  };
  const double reached = smallest_reaching(differences_.front(), differences_.back(), k, count);
  double nearest = differences_.front();
  std::size_t end = differences_.size();
  for (std::size_t i = 0; i < differences_.size() && end > i; ++i) {
    const auto average = [&](std::size_t partner) {
      return differences_[i] + (differences_[partner] - differences_[i]) / 2;
    };
    while (end > i && average(end - 1) > reached) --end;
    if (end > i) nearest = std::max(nearest, average(end - 1));
  }
  return nearest;
}

Shift Pairs::shift() const {
  const auto n = static_cast<double>(differences_.size());
  const double all = n * (n + 1) / 2;
  Shift shift;
  shift.estimate =
      (kth_average(std::floor((all + 1) / 2)) + kth_average(std::ceil((all + 1) / 2))) / 2;
  std::vector<double> sizes;
  for (const double difference : differences_) {
    if (difference != 0) sizes.push_back(std::fabs(difference));
  }
  std::sort(sizes.begin(), sizes.end());
  double sum = 0;
  double ranks = 0;
  for (const double difference : differences_) {
    if (difference == 0) continue;
    const auto range = std::equal_range(sizes.begin(), sizes.end(), std::fabs(difference));
    const double rank = (static_cast<double>(range.first - sizes.begin()) + 1 +
                         static_cast<double>(range.second - sizes.begin())) /
                        2;
    sum += difference > 0 ? rank : -rank;
    ranks += rank;
  }
  shift.effect = ranks > 0 ? sum / ranks : 0;
  return shift;
}

std::optional<Interval> Pairs::interval(double confidence) const {
  const auto n = static_cast<double>(differences_.size());
  const auto out =
      differences_.size() <= kExactPairs
          ? ranks_left_out(signed_rank(differences_.size()), tail_of(confidence))
          : ranks_by_normal(n * (n + 1) / 4, n * (n + 1) * (2 * n + 1) / 24, tail_of(confidence));
  if (!out) return std::nullopt;
  return Interval{kth_average(*out), kth_average(n * (n + 1) / 2 + 1 - *out), confidence};
}

}  // namespace rackproof::stats
