#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace rackproof::campaign {

/// How healthy devices of one kind differ in one metric, with a coefficient of variation (CV) of
/// 1 % between devices and 0.3 % of one device from run to run unless said otherwise. The shapes
/// were chosen before the judge was run on them: those of an independent audit of its verdicts.
enum class Noise {
  kNormal,
  /// A loss that is gamma distributed, skewness -1.4.
  kGamma,
  /// A log-normal loss, skewness -2.
  kLogNormal,
  /// Student's t with 3 degrees of freedom.
  kHeavyTails,
  /// Normal, and each value is rounded to 1 % of the mean.
  kRounded,
  /// Normal, correlated by 0.8 between the metrics of a device.
  kCorrelated,
  /// Normal with 0.6 %, and each rack of 8 devices has an offset of 0.8 % of its own.
  kRacks,
  /// Half of them are of a kind that is 3 % slower in every metric.
  kTwoKinds,
  /// Three kinds, 0, 2 and 4 % slower, with 60, 25 and 15 % of all devices.
  kThreeKinds,
  /// 70 % run at a cap, the others half-normally below it.
  kCapped,
  kUniform,
  /// Devices 0.3 % apart, and Student's t with 3 degrees and 1 % from run to run.
  kNoisyRuns,
  /// Devices 0.3 % apart, and one run in 300 is 5 to 30 % slower than it should be.
  kSpikes,
};
inline constexpr Noise kNoises[] = {
    Noise::kNormal,     Noise::kGamma,     Noise::kLogNormal, Noise::kHeavyTails, Noise::kRounded,
    Noise::kCorrelated, Noise::kRacks,     Noise::kTwoKinds,  Noise::kThreeKinds, Noise::kCapped,
    Noise::kUniform,    Noise::kNoisyRuns, Noise::kSpikes};
std::string name_of(Noise noise);

using Table = std::vector<std::vector<double>>;  ///< by metric, then device

class Draw {
 public:
  Draw(Noise noise, std::uint64_t seed) : noise_(noise), random_(seed) {}

  /// What each device is worth in each metric.
  Table devices(std::size_t devices, std::size_t metrics);

  /// Of which kind each of them is.
  const std::vector<std::size_t>& kinds() const { return kinds_; }

  /// What each of them is worth in all metrics: 1, but for kinds and racks.
  const std::vector<double>& worth() const { return worth_; }

  /// What a run measures of a device that is worth so much.
  double run(double level);

 private:
  double shape();
  double uniform() { return uniform_(random_); }
  double normal() { return normal_(random_); }
  double heavy();

  Noise noise_;
  std::vector<std::size_t> kinds_;
  std::vector<double> worth_;
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_{0, 1};
  std::gamma_distribution<double> gamma_{2, 1};
  std::student_t_distribution<double> t_{3};
  std::uniform_real_distribution<double> uniform_{0, 1};
};

}  // namespace rackproof::campaign
