#include "tests/campaign/noise.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace rackproof::campaign {
namespace {

constexpr double kMean = 1000;
constexpr double kBetween = 0.01;
constexpr double kWithin = 0.003;
constexpr double kTight = 0.003;
constexpr double kStep = 0.01;
constexpr std::size_t kInRack = 8;
// Of the mean: the tails of Student's t reach below nothing, and rates do not.
constexpr double kLeast = 0.01;

bool is_tight(Noise noise) { return noise == Noise::kNoisyRuns || noise == Noise::kSpikes; }

double spread_of(Noise noise) {
  if (is_tight(noise)) return kTight;
  const bool parts =
      noise == Noise::kRacks || noise == Noise::kTwoKinds || noise == Noise::kThreeKinds;
  return parts ? 0.6 * kBetween : kBetween;
}

}  // namespace

std::string name_of(Noise noise) {
  switch (noise) {
    case Noise::kNormal:
      return "normal";
    case Noise::kGamma:
      return "gamma";
    case Noise::kLogNormal:
      return "log-normal";
    case Noise::kHeavyTails:
      return "t3";
    case Noise::kRounded:
      return "rounded";
    case Noise::kCorrelated:
      return "correlated";
    case Noise::kRacks:
      return "racks";
    case Noise::kTwoKinds:
      return "two kinds";
    case Noise::kThreeKinds:
      return "three kinds";
    case Noise::kCapped:
      return "capped";
    case Noise::kUniform:
      return "uniform";
    case Noise::kNoisyRuns:
      return "noisy runs";
    case Noise::kSpikes:
      return "spikes";
  }
  return "";
}

// Student's t with 3 degrees of freedom has a variance of 3.
double Draw::heavy() { return t_(random_) / std::sqrt(3.0); }

// Mean 0, standard deviation 1; negative is slow.
double Draw::shape() {
  switch (noise_) {
    case Noise::kGamma:
      return -(gamma_(random_) - 2) / std::sqrt(2.0);
    case Noise::kLogNormal: {
      // Skewness (w + 2) sqrt(w - 1) with w = exp(s^2): 2 at s = 0.55145.
      constexpr double kS = 0.55145;
      const double w = std::exp(kS * kS);
      return -(std::exp(kS * normal()) - std::sqrt(w)) / std::sqrt(w * (w - 1));
    }
    case Noise::kHeavyTails:
      return heavy();
    case Noise::kCapped: {
      // 30 % half-normal: mean 0.3 sqrt(2 / pi), mean square 0.3.
      const double loss = uniform() < 0.3 ? std::abs(normal()) : 0;
      const double mean = 0.3 * std::sqrt(2 / std::numbers::pi);
      return (mean - loss) / std::sqrt(0.3 - mean * mean);
    }
    case Noise::kUniform:
      return (uniform() - 0.5) * std::sqrt(12.0);
    default:
      return normal();
  }
}

Table Draw::devices(std::size_t devices, std::size_t metrics) {
  std::vector<double> own(devices, 1);
  kinds_.assign(devices, 0);
  double offset = 0;
  for (std::size_t i = 0; i < devices; ++i) {
    if (noise_ == Noise::kTwoKinds && uniform() < 0.5) kinds_[i] = 1;
    if (noise_ == Noise::kThreeKinds) {
      const double kind = uniform();
      kinds_[i] = kind < 0.6 ? 0 : kind < 0.85 ? 1 : 2;
    }
    own[i] -= (noise_ == Noise::kTwoKinds ? 0.03 : 0.02) * static_cast<double>(kinds_[i]);
    if (i % kInRack == 0) offset = 0.8 * kBetween * normal();
    if (noise_ == Noise::kRacks) own[i] += offset;
  }
  worth_ = own;
  std::vector<double> common(devices, 0);
  for (double& one : common) one = normal();
  const bool correlated = noise_ == Noise::kCorrelated;
  Table table(metrics, std::vector<double>(devices));
  for (auto& metric : table) {
    for (std::size_t i = 0; i < devices; ++i) {
      const double loss =
          correlated ? std::sqrt(0.8) * common[i] + std::sqrt(0.2) * normal() : shape();
      metric[i] = kMean * own[i] * std::max(kLeast, 1 + spread_of(noise_) * loss);
    }
  }
  return table;
}

double Draw::run(double level) {
  double value = level;
  if (noise_ == Noise::kNoisyRuns) {
    value *= std::max(kLeast, 1 + 0.01 * heavy());
  } else {
    value *= 1 + kWithin * normal();
  }
  if (noise_ == Noise::kSpikes && uniform() < 1.0 / 300) value *= 1 - (0.05 + 0.25 * uniform());
  if (noise_ == Noise::kRounded) value = std::round(value / (kStep * kMean)) * kStep * kMean;
  return value;
}

}  // namespace rackproof::campaign
