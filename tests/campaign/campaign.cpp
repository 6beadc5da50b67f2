#include "tests/campaign/campaign.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <set>

#include "harness/stats/history.hpp"
#include "harness/stats/multiplicity.hpp"
#include "harness/stats/peers.hpp"
#include "harness/stats/robust.hpp"

namespace rackproof::campaign {
namespace {

constexpr double kAlpha = 0.05;
constexpr double kDiscoveryRate = 0.05;
constexpr double kPeerEffect = 0.03;
constexpr double kHistoryEffect = 0.01;
constexpr double kBetween = 0.01;
constexpr double kWithin = 0.003;
constexpr double kSlow = 0.92;
constexpr double kSlower = 0.97;

using Table = std::vector<std::vector<double>>;  ///< by metric, then device

class Draw {
 public:
  Draw(Noise noise, std::uint64_t seed) : noise_(noise), random_(seed) {}

  /// Mean 0, standard deviation 1; negative is slow.
  double shape() {
    switch (noise_) {
      case Noise::kNormal:
      case Noise::kTwoKinds:
      case Noise::kTwoBoards:
        return normal_(random_);
      case Noise::kSkewed:
        return -(gamma_(random_) - 16) / 4;
      case Noise::kVerySkewed: {
        // Skewness (w + 2) sqrt(w - 1) with w = exp(s^2): 1 at s = 0.31422.
        constexpr double kS = 0.31422;
        const double w = std::exp(kS * kS);
        return -(std::exp(kS * normal_(random_)) - std::sqrt(w)) / std::sqrt(w * (w - 1));
      }
    }
    return 0;
  }

  double uniform() { return uniform_(random_); }

 private:
  Noise noise_;
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_{0, 1};
  std::gamma_distribution<double> gamma_{16, 1};
  std::uniform_real_distribution<double> uniform_{0, 1};
};

/// What each device is worth in each metric.
Table make_devices(const Plan& plan, Draw& draw) {
  const bool kinds = plan.noise == Noise::kTwoKinds || plan.noise == Noise::kTwoBoards;
  std::vector<double> kind(plan.devices, 1);
  if (kinds) {
    const double slow = plan.noise == Noise::kTwoKinds ? 0.98 : 0.96;
    for (double& one : kind) one = draw.uniform() < 0.2 ? slow : 1;
  }
  const double between = kinds ? 0.6 * kBetween : kBetween;
  Table table(plan.metrics, std::vector<double>(plan.devices));
  for (auto& metric : table) {
    for (std::size_t i = 0; i < metric.size(); ++i) {
      metric[i] = 1000 * kind[i] * (1 + between * draw.shape());
    }
  }
  return table;
}

Table run_once(const Table& devices, Draw& draw) {
  Table run = devices;
  for (auto& metric : run) {
    for (double& value : metric) value *= 1 + kWithin * draw.shape();
  }
  return run;
}

/// The median of each device's earlier values.
Table medians(const Table& devices, std::size_t earlier, Draw& draw) {
  Table result = devices;
  std::vector<double> values(earlier);
  for (auto& metric : result) {
    for (double& value : metric) {
      for (double& one : values) one = value * (1 + kWithin * draw.shape());
      value = stats::median(values);
    }
  }
  return result;
}

/// By metric and device, as the judge keeps them: peers first, then history.
struct Tests {
  std::vector<double> p;
  std::vector<double> deficit;
  std::vector<std::size_t> device;
  std::size_t by_peers = 0;
};

void add(Tests& tests, const Table& values, double own_variance = 1) {
  std::vector<stats::LikeSet> sets;
  for (const auto& metric : values) sets.push_back({metric, true, own_variance});
  for (const stats::Standings& standings : stats::stand_among_peers(sets)) {
    for (std::size_t i = 0; i < standings.each.size(); ++i) {
      tests.p.push_back(standings.each[i].p);
      tests.deficit.push_back(standings.each[i].deficit);
      tests.device.push_back(i);
    }
  }
}

Table ratios(const Table& run, const Table& own) {
  Table result = run;
  for (std::size_t m = 0; m < run.size(); ++m) {
    for (std::size_t i = 0; i < run[m].size(); ++i) result[m][i] /= own[m][i];
  }
  return result;
}

struct Outcome {
  std::set<std::size_t> found;
  std::set<std::size_t> failed;
};

Outcome decide(const Tests& tests) {
  Outcome outcome;
  for (const auto& one : stats::benjamini_hochberg(tests.p, kDiscoveryRate)) {
    outcome.found.insert(tests.device[one.index]);
  }
  for (const auto& one : stats::holm(tests.p, kAlpha)) {
    const double least = one.index < tests.by_peers ? kPeerEffect : kHistoryEffect;
    if (tests.deficit[one.index] >= least) outcome.failed.insert(tests.device[one.index]);
  }
  return outcome;
}

Outcome judge_peers(const Table& run) {
  Tests tests;
  add(tests, run);
  tests.by_peers = tests.p.size();
  return decide(tests);
}

Outcome judge_all(const Table& run, const Table& own, std::size_t earlier) {
  Tests tests;
  add(tests, run);
  tests.by_peers = tests.p.size();
  add(tests, ratios(run, own), stats::own_variance_of_ratio(earlier));
  return decide(tests);
}

}  // namespace

std::string name_of(Noise noise) {
  switch (noise) {
    case Noise::kNormal:
      return "normal";
    case Noise::kSkewed:
      return "skewed -0.5";
    case Noise::kVerySkewed:
      return "skewed -1";
    case Noise::kTwoKinds:
      return "bimodal 2 %";
    case Noise::kTwoBoards:
      return "bimodal 4 %";
  }
  return "";
}

Rates simulate(const Plan& plan) {
  Rates rates;
  Draw draw(plan.noise, plan.seed);
  for (int campaign = 0; campaign < plan.campaigns; ++campaign) {
    const Table devices = make_devices(plan, draw);
    const Table own = medians(devices, plan.earlier, draw);
    const Table run = run_once(devices, draw);

    const auto began = std::chrono::steady_clock::now();
    const Outcome healthy = judge_all(run, own, plan.earlier);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    rates.seconds += took.count() / plan.campaigns;
    rates.failed_healthy += healthy.failed.size();
    rates.with_false_finding += healthy.found.empty() ? 0 : 1;

    // No draw depends on the device, so the first is as good as any.
    Table slow = run;
    slow[0][0] *= kSlow;
    const Outcome one = judge_peers(slow);
    rates.one_metric_found += one.found.contains(0) ? 1 : 0;
    rates.one_metric_failed += one.failed.contains(0) ? 1 : 0;
    for (std::size_t m = 1; m < slow.size(); ++m) slow[m][0] *= kSlow;
    const Outcome all = judge_peers(slow);
    rates.all_metrics_found += all.found.contains(0) ? 1 : 0;
    rates.all_metrics_failed += all.failed.contains(0) ? 1 : 0;
    Table slower = run;
    slower[0][0] *= kSlower;
    const Outcome history = judge_all(slower, own, plan.earlier);
    rates.history_found += history.found.contains(0) ? 1 : 0;
    rates.history_failed += history.failed.contains(0) ? 1 : 0;
    ++rates.campaigns;
  }
  return rates;
}

}  // namespace rackproof::campaign
