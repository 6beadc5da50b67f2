#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace rackproof::campaign {

/// How healthy devices of one kind differ in one metric. All have the coefficient of variation (CV)
/// of 1 % between devices, and 0.3 % of one device from run to run, that healthy GPUs show; the
/// shapes were chosen before the judge was run on them.
enum class Noise {
  kNormal,
  /// Gamma, skewness -0.5. A rate is a peak less a loss; memory reaches 92 % of its peak, and a
  /// loss of 8 % with a spread of 1 % has a skewness of 0.25 as a gamma and 0.38 as a log-normal
  /// variable. This is more than both.
  kSkewed,
  /// Log-normal, skewness -1: twice that, with a heavier tail than the gamma distribution.
  kVerySkewed,
  /// One device in five is of a kind that is 2 % slower in every metric, each kind normal with
  /// 0.6 %: together a CV of 1 %.
  kTwoKinds,
  /// The same 4 % apart: boards of two makers.
  kTwoBoards,
};
inline constexpr Noise kNoises[] = {Noise::kNormal, Noise::kSkewed, Noise::kVerySkewed,
                                    Noise::kTwoKinds, Noise::kTwoBoards};
std::string name_of(Noise noise);

struct Plan {
  Noise noise = Noise::kNormal;
  std::size_t devices = 10000;
  std::size_t metrics = 60;
  int campaigns = 10;
  std::uint64_t seed = 1;
  std::size_t earlier = 5;  ///< runs that the own history holds
};

/// Counts over all campaigns. A device is failed by a number that Holm's procedure rejects at 0.05
/// over all tests of the campaign and whose deficit is at least 3 % (peers), 1 % (history); found
/// by one that Benjamini and Hochberg's does at 0.05. These are the defaults of a suite.
struct Rates {
  int campaigns = 0;
  std::size_t failed_healthy = 0;  ///< devices falsely failed, by peers and history together
  int with_false_finding = 0;      ///< healthy campaigns with a finding or more
  /// Trials (one a campaign) in which the slow device was found, and failed:
  int one_metric_found = 0;  ///< 8 % slow in one metric, by its peers
  int one_metric_failed = 0;
  int all_metrics_found = 0;  ///< 8 % slow in all metrics, by its peers
  int all_metrics_failed = 0;
  int history_found = 0;  ///< 3 % slow in one metric, by its own history
  int history_failed = 0;
  double seconds = 0;  ///< of the comparisons of one healthy campaign, mean
};

/// The same plan always gives the same rates. Runs stats::stand_among_peers, stand_in_history and
/// multiplicity.hpp, as the judge does.
Rates simulate(const Plan& plan);

}  // namespace rackproof::campaign
