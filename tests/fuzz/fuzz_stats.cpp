#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "harness/stats/change_points.hpp"
#include "harness/stats/history.hpp"
#include "harness/stats/interval.hpp"
#include "harness/stats/multiplicity.hpp"
#include "harness/stats/peers.hpp"
#include "harness/stats/robust.hpp"
#include "harness/stats/shift.hpp"
#include "tests/fuzz/fuzz.hpp"

// The statistics of the judge, on the series that like parts give when something is wrong with
// them: halves, ties, zeros, values that lie worlds apart, few of them. None may throw, hang or
// give what is no number: a report hangs on it.
namespace {

namespace stats = rackproof::stats;
using rackproof::fuzz::expect;

/// Takes an input apart; when it is used up, the rest is zeros.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  unsigned next() { return at_ < size_ ? data_[at_++] : 0; }
  bool done() const { return at_ >= size_; }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
  std::size_t at_ = 0;
};

double level_of(unsigned byte) {
  constexpr double kLevels[] = {100,    1,      0,     -5,   1e-300,
                                1e300,  5e-324, 1e308, 90,   -1e308,
                                99.999, 50,     1e-9,  1e12, 1.7976931348623157e308,
                                3};
  return kLevels[byte % std::size(kLevels)];
}

double noise_of(unsigned byte) {
  constexpr double kNoises[] = {0, 1e-16, 1e-6, 5e-4, 3e-3, 0.01, 0.1, 1};
  return kNoises[byte % std::size(kNoises)];
}

/// Two levels with noise, the second from some place on; some values equal, some zero.
std::vector<double> series_of(Bytes& bytes, std::size_t n) {
  const double first = level_of(bytes.next());
  const unsigned second_is = bytes.next();
  const double second = second_is < 64 ? level_of(second_is) : first / 2 * (second_is / 128.0);
  const std::size_t from = bytes.next() % (n + 1);
  const double noise = noise_of(bytes.next());
  const unsigned ties = bytes.next();
  std::minstd_rand random(bytes.next() + 1);
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) {
    const double level = i < from ? first : second;
    double value = level * (1 + noise * (static_cast<double>(random() % 2001) / 1000 - 1));
    if (ties % 4 == 1 && i > 0 && random() % 2 == 0) value = values.back();
    if (ties % 4 == 2 && random() % 3 == 0) value = 0;
    if (ties % 4 == 3 && std::abs(value) < 1e15) value = std::round(value);
    values.push_back(std::isfinite(value) ? value : level);
  }
  return values;
}

bool is_chance(double p) { return p >= 0 && p <= 1; }

void compare_like(Bytes& bytes) {
  std::vector<stats::LikeSet> sets;
  const std::size_t count = 1 + bytes.next() % 40;
  const bool alike = bytes.next() % 2 == 0;
  const std::size_t n = stats::kLeastPeers + bytes.next() % 24;
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 1 && alike) {
      // A healthy metric like the second: what is pooled comes from many of them.
      sets.push_back(sets[1]);
      for (double& value : sets.back().values) value *= 0.5;
      continue;
    }
    stats::LikeSet set;
    set.values = series_of(bytes, alike ? n : stats::kLeastPeers + bytes.next() % 24);
    const unsigned how = bytes.next();
    set.more_is_better = how % 2 == 0;
    if (how % 5 == 0) set.own_variance = stats::own_variance_of_ratio(5 + how % 7);
    sets.push_back(std::move(set));
  }
  std::vector<double> worse;
  for (const stats::Standings& among : stats::stand_among_peers(sets)) {
    expect(std::isfinite(among.centre), "a centre is a number");
    expect(!among.by_group || among.split, "groups come of a split");
    for (const stats::Standing& one : among.each) {
      expect(std::isfinite(one.deficit) && std::isfinite(one.z), "a standing is a number");
      expect(is_chance(one.p) && is_chance(one.p_better), "a chance lies in [0, 1]");
      worse.push_back(one.p);
    }
  }
  stats::holm(worse, 0.05);
  stats::benjamini_hochberg(worse, 0.05);
}

void compare_with_own(Bytes& bytes) {
  std::vector<stats::OwnHistory> all;
  for (unsigned i = bytes.next() % 8 + 1; i > 0; --i) {
    stats::OwnHistory one;
    one.earlier = series_of(bytes, stats::kLeastHistory + bytes.next() % 10);
    one.now = level_of(bytes.next());
    if (stats::is_comparable(one)) all.push_back(std::move(one));
  }
  for (const stats::Standing& one : stats::stand_in_history(all)) {
    expect(std::isfinite(one.deficit) && std::isfinite(one.z), "a standing is a number");
    expect(is_chance(one.p) && is_chance(one.p_better), "a chance lies in [0, 1]");
  }
}

void expect_ordered(const std::optional<stats::Interval>& interval) {
  if (interval) expect(interval->low <= interval->high, "an interval has its ends in order");
}

void compare_series(Bytes& bytes) {
  const auto a = series_of(bytes, 1 + bytes.next() % 50);
  const auto b = series_of(bytes, 1 + bytes.next() % 50);
  const double confidence = 0.5 + bytes.next() / 520.0;
  expect_ordered(stats::median_interval(a, confidence));
  expect_ordered(stats::quantile_interval(b, 0.05, confidence));
  expect_ordered(stats::mean_interval(b, confidence));
  // Logarithms are what is compared: of any double they lie within 800.
  const auto small = [](std::vector<double> values) {
    for (double& value : values) value = std::log(std::max(std::abs(value), 5e-324));
    return values;
  };
  const stats::TwoSamples two(small(a), small(b));
  expect(std::isfinite(two.shift().estimate), "a shift is a number");
  expect_ordered(two.interval(confidence));
  const stats::Pairs pairs(small(a));
  expect(std::isfinite(pairs.shift().estimate), "a shift is a number");
  expect_ordered(pairs.interval(confidence));
  for (const stats::ChangePoint& one : stats::change_points(small(b), 0.05)) {
    expect(one.at > 0 && one.at < b.size() && is_chance(one.p), "a change lies inside");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, size);
  switch (bytes.next() % 4) {
    case 0:
      compare_with_own(bytes);
      break;
    case 1:
      compare_series(bytes);
      break;
    default:
      compare_like(bytes);
  }
  return 0;
}
