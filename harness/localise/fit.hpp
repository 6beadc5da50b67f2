#pragma once

#include <cstddef>
#include <vector>

#include "harness/localise/network.hpp"

namespace rackproof::localise {

/// The logarithm of each value as a sum of what its kind of link gives and what the parts give that
/// it goes over, each counted once however many of its ends lie in it: who waits for a slow leaf
/// does so once.
struct Fit {
  std::vector<double> level;   ///< of each kind of link
  std::vector<double> effect;  ///< of each candidate; 0 of ways and of those without evidence
  std::vector<double> error;   ///< standard error of that; infinity where it has none
  /// Sum of the effects of the candidates that a member is in.
  std::vector<double> of_member;
  /// The same of what is a part of its host alone, or the host: how members differ beside what
  /// leaves, rails and racks do.
  std::vector<double> of_end;
  /// Whether that sum is told by the pairs; else another one, with the opposite sign at every
  /// second member, would do as well.
  std::vector<bool> told;
  std::vector<double> residual;  ///< of each link
  double spread = 0;             ///< of one value, as a standard deviation
  double sum = 0;                ///< of the sizes of all residuals
  int sweeps = 0;
};

/// Tukey's median polish ("Exploratory Data Analysis", 1977) with crossed factors: the medians of
/// what is left are moved into the effects of one factor after the other, the coarsest first, so
/// that it takes what its parts have in common, until the sum of all sizes stops falling. The
/// median of the effects of each factor is 0. Half of the values of a part may be wild. Takes
/// members x factors x rounds for each sweep. Of each link `explained`, where given, is taken out
/// first.
Fit fit(const Network& network, const std::vector<double>& explained = {});

/// Standard deviation of values around 0 by their median size, without those that are 0 since an
/// effect was made of them; stats::kSpreadFloor at least.
double spread_of(const std::vector<double>& residuals);

}  // namespace rackproof::localise
