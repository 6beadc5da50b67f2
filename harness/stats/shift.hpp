#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "harness/stats/interval.hpp"

namespace rackproof::stats {

/// By how much one series lies above another, whatever the distribution of both.
struct Shift {
  double estimate = 0;
  /// -1: every value of the first is above every one of the second; 1: the other way round.
  double effect = 0;
};

/// Two series, and where their shift lies. Sorts once, so that several intervals are quick.
class TwoSamples {
 public:
  /// Finite values, none of the series empty; std::invalid_argument otherwise.
  TwoSamples(std::vector<double> before, std::vector<double> after);

  /// The estimate of Hodges and Lehmann: the median of all differences after - before (Annals of
  /// Mathematical Statistics 34, 1963). The effect is Cliff's delta (Psychological Bulletin 114,
  /// 1993).
  Shift shift() const;
  /// The shifts that the test of Mann and Whitney does not refuse: ranks of the differences, exact
  /// for up to 40 values each, else by the normal approximation (Hollander, Wolfe and Chicken,
  /// "Nonparametric Statistical Methods", 4.3). Assumes independent values and series of one shape.
  /// Nothing when there are too few values for `confidence`.
  std::optional<Interval> interval(double confidence) const;

 private:
  double kth_difference(double k) const;

  std::vector<double> before_;
  std::vector<double> after_;
};

/// As TwoSamples, where ranks of so few values could refuse nothing.
class FewValues {
 public:
  FewValues(std::vector<double> before, std::vector<double> after);

  Shift shift() const;
  /// Student's t of the difference of the means, with one spread for both: assumes normal values,
  /// which the medians of many subjects nearly are. Nothing for fewer than four values in all.
  std::optional<Interval> interval(double confidence) const;

 private:
  std::vector<double> before_;
  std::vector<double> after_;
};

/// Differences within pairs, and where their middle lies.
class Pairs {
 public:
  /// Finite values, at least one; std::invalid_argument otherwise.
  explicit Pairs(std::vector<double> differences);

  /// The median of all averages of two differences, and the rank-biserial correlation of the pairs
  /// (Kerby, Comprehensive Psychology 3, 2014).
  Shift shift() const;
  /// The shifts that Wilcoxon's signed-rank test does not refuse: exact for up to 60 pairs, else by
  /// the normal approximation (the same book, 3.3). Assumes independent pairs and differences that
  /// lie symmetrically. Nothing when there are too few pairs for `confidence`.
  std::optional<Interval> interval(double confidence) const;

 private:
  double kth_average(double k) const;

  std::vector<double> differences_;
};

}  // namespace rackproof::stats
