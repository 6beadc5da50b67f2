#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/compare/sample.hpp"

namespace rackproof::compare {

struct Options {
  double margin = 0.02;      ///< a smaller relative difference does not matter
  double confidence = 0.95;  ///< that no answer of the whole comparison is wrong
};

/// kEquivalent: proved to lie within the margin. kInconclusive: neither proved nor refused.
enum class Answer { kWorse, kBetter, kInconclusive, kEquivalent };

/// What one value of a comparison stands for.
enum class Unit {
  kPairs,     ///< a subject that both sides have
  kSubjects,  ///< a subject of one report
  kRuns       ///< a report: its median over the subjects
};

/// The comparison of one key.
struct Line {
  Key key;
  contract::Better better = contract::Better::kMore;
  Answer answer = Answer::kInconclusive;
  Unit unit = Unit::kSubjects;
  std::size_t count_a = 0;
  std::size_t count_b = 0;  ///< the same as count_a for pairs
  double typical_a = 0;     ///< median, in the unit of the key
  double typical_b = 0;
  double shift = 0;  ///< of B against A, relative: -0.03 is 3 % less
  /// Of the shift, with the confidence shared out among all lines; none for too few values.
  std::optional<double> low;
  std::optional<double> high;
  double effect = 0;       ///< -1 to 1 (stats::Shift)
  std::size_t lost = 0;    ///< subjects of A without a number in B, where the sides share any
  std::size_t needed = 0;  ///< values (pairs, or each side) that would do; 0: unknown
};

/// A fact that goes with the differences. It need not be their cause.
struct Association {
  std::string fact;
  std::string a;         ///< the values on each side, the most frequent first
  std::string b;         ///< the same
  double explained = 0;  ///< 0: no more than by chance; 1: its values keep the numbers apart
};

struct Comparison {
  std::string platforms;    ///< that the sides are of different ones; empty when they are not
  std::vector<Line> lines;  ///< those that differ first, the largest shift first
  std::vector<Key> only_a;
  std::vector<Key> only_b;
  std::size_t subjects_only_a = 0;
  std::size_t subjects_only_b = 0;
  std::vector<Association> associations;  ///< most explained first; none when nothing differs
  std::vector<std::string> notes;         ///< what the reader should know of the two sides
};

/// Compares reports of two sides. For each key the shift of the logarithms after Hodges and Lehmann
/// with its interval, the confidence shared out among the keys (Bonferroni). Worse or better: the
/// interval excludes zero; equivalent, which goes first: both one-sided tests against the margin
/// refuse (TOST: Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15, 1987). A subject
/// that both sides have is compared with itself; from four reports in all on, a value is a
/// report, as what changes from run to run then counts: the subjects of one run are no independent
/// values. Pure.
Comparison compare(const std::vector<Sample>& a, const std::vector<Sample>& b,
                   const Options& options);

}  // namespace rackproof::compare
