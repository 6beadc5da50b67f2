#pragma once

#include <cstddef>
#include <cstdint>

#include "tests/campaign/noise.hpp"

namespace rackproof::campaign {

struct Plan {
  Noise noise = Noise::kNormal;
  std::size_t devices = 10000;
  std::size_t metrics = 60;
  int campaigns = 10;
  std::uint64_t seed = 1;
  std::size_t earlier = 5;  ///< runs that the own history holds
};

/// Counts over all campaigns, by the usual values of a suite. A device is failed by numbers of a
/// second stage: suspects are those more than 3 % below the median of the others (2 % below their
/// history), of their own kind where kinds can be told; they, and three of the better half, are
/// measured four more times, and Holm's procedure rejects at 0.025 over all suspects that their
/// level is within 5 % (1 %). A healthy device is one whose true level is, among those of its true
/// kind; among all where its kind is too small to be told. An outlier is one that Holm's procedure
/// rejects at 0.05 over all cells, by the first measurement alone, and whose deficit is 3 %: what
/// failed a device before there was a second stage.
struct Rates {
  int campaigns = 0;
  int with_failed = 0;             ///< healthy campaigns in which a healthy device failed
  std::size_t failed_healthy = 0;  ///< such devices
  int with_outlier = 0;            ///< healthy campaigns with an outlier, by the first measurement
  int held_back = 0;        ///< healthy campaigns in which two groups 3 % apart keep the run back
  int held_back_alike = 0;  ///< those of them whose devices lie nowhere so far apart in truth
  int kinds = 0;            ///< healthy campaigns in which kinds were told
  double again = 0;         ///< share of the cells that was measured again
  /// Trials (one a campaign) in which the slow device failed, or was an outlier:
  int one_metric_failed = 0;  ///< 8 % slow in one metric
  int one_metric_outlier = 0;
  int all_metrics_failed = 0;  ///< 8 % slow in all metrics
  int all_metrics_outlier = 0;
  int history_failed = 0;  ///< 3 % slow in one metric, by its own history
  /// Trials in which a tenth of the devices, four at least, are 8 % slow in all metrics, or in a
  /// third of them, and the run is accepted: nobody failed and no groups keep it back.
  int group_accepted = 0;
  int group_in_third_accepted = 0;
  double seconds = 0;  ///< of the comparisons of one healthy campaign, mean
};

/// The same plan always gives the same rates. Runs stats::stand_among_peers, margin.hpp and
/// multiplicity.hpp, as the judge does.
Rates simulate(const Plan& plan);

}  // namespace rackproof::campaign
