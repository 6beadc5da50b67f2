#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace rackproof::stats {

/// The median of all other values, for each value of a set; n log n. Throws std::invalid_argument
/// for fewer than two values and for one that is not finite.
std::vector<double> medians_of_others(const std::vector<double>& values);

/// How much worse a value is than `reference`, as a share of it; negative: better.
double shortfall(double value, double reference, bool more_is_better);

/// A part that was measured once, or by a statistic of several, and later again.
struct Retaken {
  double before = 0;
  std::vector<double> again;
};

/// What is known of the parts of one set that were measured again. All values are positive.
struct Retest {
  bool more_is_better = true;
  std::size_t peers = 0;  ///< first values of which the reference of a suspect is the median
  /// Earlier values of each part of which a median divides its values; 0: nothing does.
  std::size_t earlier = 0;
  /// Parts that nothing is said against: how they changed tells what the later measurements have
  /// that the first one had not, such as an idle machine around them.
  std::vector<Retaken> controls;
  std::vector<Retaken> suspects;
};

/// What the later values of one suspect say.
struct Confirmation {
  double deficit = 0;  ///< of their mean against the reference, as it would be by now
  double p = 1;        ///< chance of values so bad for a part that is no worse than the margin
};

/// One-sided test that a suspect's own level is worse than `reference` by more than `margin`, a
/// share of it (Wellek, "Testing Statistical Hypotheses of Equivalence and Noninferiority", 2010,
/// with the part's level under test instead of a treatment's). Only later values count for the
/// suspect, which are independent of those that made it one; the reference, the median of `peers`
/// first values, is multiplied by how the controls changed. The error is that of one part from
/// measurement to measurement, pooled over all parts of the set and at least kSpreadFloor; that of
/// the reference, of the change and of the suspect's own mean are all in the t statistic. How parts
/// differ from each other is not: no model of it is needed.
///
/// Nothing when the suspect was not measured twice again.
std::optional<Confirmation> confirm(const Retest& set, std::size_t suspect, double reference,
                                    double margin);

/// Whether parts that formed a group by their first numbers still do by their later ones: two of
/// them at least lie `effect` behind. `deficits` are those of the later numbers, one for each part
/// that was measured again; who was not is taken for what it was.
bool is_still_a_group(std::size_t parts, const std::vector<double>& deficits, double effect);

}  // namespace rackproof::stats
