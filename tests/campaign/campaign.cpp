#include "tests/campaign/campaign.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>

#include "harness/judge/judge.hpp"
#include "harness/judge/suspects.hpp"
#include "harness/stats/margin.hpp"
#include "harness/stats/multiplicity.hpp"
#include "harness/stats/peers.hpp"
#include "harness/stats/robust.hpp"

namespace rackproof::campaign {
namespace {

const model::JudgePolicy kPolicy;
constexpr double kSlow = 0.92;
constexpr double kSlower = 0.97;

Table run_once(const Table& levels, Draw& draw) {
  Table run = levels;
  for (auto& metric : run) {
    for (double& value : metric) value = draw.run(value);
  }
  return run;
}

/// The median of each device's earlier values.
Table medians(const Table& levels, std::size_t earlier, Draw& draw) {
  Table result = levels;
  std::vector<double> values(earlier);
  for (auto& metric : result) {
    for (double& value : metric) {
      const double level = value;
      for (double& one : values) one = draw.run(level);
      value = stats::median(values);
    }
  }
  return result;
}

/// Suspects of all metrics with what they show when they are measured again.
struct Retests {
  std::vector<double> p;
  std::vector<std::pair<std::size_t, std::size_t>> cell;  ///< metric, device
  std::size_t again = 0;                                  ///< cells that were measured again
};

/// One metric; `divisor` of each device divides what is measured of it.
void retest(std::size_t metric, const std::vector<double>& levels, const std::vector<double>& first,
            const std::vector<double>& divisor, std::size_t earlier, Draw& draw, Retests& retests) {
  const bool with_history = earlier > 0;
  std::vector<double> values = first;
  for (std::size_t i = 0; i < values.size(); ++i) values[i] /= divisor[i];
  const std::vector<double> references = stats::medians_of_others(values);
  std::vector<std::size_t> suspects;
  std::vector<std::size_t> better;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double deficit = stats::shortfall(values[i], references[i], true);
    if (deficit > (with_history ? judge::kHistorySuspect : kPolicy.peer_effect))
      suspects.push_back(i);
    if (deficit <= 0) better.push_back(i);
  }
  if (suspects.empty()) return;
  std::stable_sort(better.begin(), better.end(),
                   [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  better.resize(std::min(better.size(), judge::kControls));
  const auto measure = [&](const std::vector<std::size_t>& devices) {
    std::vector<stats::Retaken> parts;
    for (const std::size_t i : devices) {
      stats::Retaken part{values[i], {}};
      for (int k = 0; k < kPolicy.peer_confirmations; ++k)
        part.again.push_back(draw.run(levels[i]) / divisor[i]);
      parts.push_back(std::move(part));
    }
    return parts;
  };
  const stats::Retest set{true, values.size() - 1, earlier, measure(better), measure(suspects)};
  retests.again += better.size() + suspects.size();
  for (std::size_t k = 0; k < suspects.size(); ++k) {
    const double margin = with_history ? judge::kHistoryEffect : kPolicy.peer_margin;
    retests.p.push_back(stats::confirm(set, k, references[suspects[k]], margin)->p);
    retests.cell.emplace_back(metric, suspects[k]);
  }
}

using Cells = std::set<std::pair<std::size_t, std::size_t>>;

Cells failed_of(const Retests& retests) {
  Cells failed;
  for (const auto& one : stats::holm(retests.p, kPolicy.family_alpha / 2))
    failed.insert(retests.cell[one.index]);
  return failed;
}

Retests retest_peers(const Table& levels, const Table& first, Draw& draw) {
  Retests retests;
  const std::vector<double> ones(first.front().size(), 1);
  for (std::size_t m = 0; m < first.size(); ++m) {
    retest(m, levels[m], first[m], ones, 0, draw, retests);
  }
  return retests;
}

bool has_failed(const Cells& cells, std::size_t device) {
  return std::any_of(cells.begin(), cells.end(),
                     [&](const auto& cell) { return cell.second == device; });
}

/// By the first measurement alone: outliers, and whether two groups lie apart.
struct FirstStage {
  std::set<std::size_t> outliers;  ///< devices
  bool groups = false;
};

FirstStage first_stage(const Table& first) {
  std::vector<stats::LikeSet> sets;
  for (const auto& metric : first) sets.push_back({metric, true, 1});
  FirstStage stage;
  std::vector<double> p;
  std::vector<double> deficit;
  for (const stats::Standings& among : stats::stand_among_peers(sets)) {
    for (const stats::Standing& one : among.each) {
      p.push_back(one.p);
      deficit.push_back(one.deficit);
    }
    stage.groups = stage.groups || (among.split && among.gap >= kPolicy.peer_effect);
  }
  for (const auto& one : stats::holm(p, kPolicy.family_alpha)) {
    if (deficit[one.index] >= kPolicy.peer_effect)
      stage.outliers.insert(one.index % first.front().size());
  }
  return stage;
}

class Campaign {
 public:
  Campaign(const Plan& plan, Draw& draw) : plan_(plan), draw_(draw) {
    levels_ = draw.devices(plan.devices, plan.metrics);
    first_ = run_once(levels_, draw);
  }

  void look_at_healthy(Rates& rates) {
    const auto began = std::chrono::steady_clock::now();
    const Retests retests = retest_peers(levels_, first_, draw_);
    const Cells failed = failed_of(retests);
    const FirstStage alone = first_stage(first_);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    rates.seconds += took.count() / plan_.campaigns;
    rates.again += static_cast<double>(retests.again) /
                   static_cast<double>(plan_.devices * plan_.metrics) / plan_.campaigns;
    rates.with_outlier += alone.outliers.empty() ? 0 : 1;
    rates.held_back += alone.groups ? 1 : 0;
    std::set<std::size_t> healthy;
    for (const auto& [metric, device] : failed) {
      const double reference = stats::medians_of_others(levels_[metric])[device];
      if (stats::shortfall(levels_[metric][device], reference, true) <= kPolicy.peer_margin) {
        healthy.insert(device);
      }
    }
    rates.failed_healthy += healthy.size();
    rates.with_failed += healthy.empty() ? 0 : 1;
  }

  // No draw depends on the device, so the first is as good as any.
  void look_for_slow(Rates& rates) {
    Table levels = levels_;
    Table first = first_;
    const auto slow_down = [&](std::size_t metric) {
      levels[metric][0] *= kSlow;
      first[metric][0] = draw_.run(levels[metric][0]);
    };
    slow_down(0);
    rates.one_metric_failed += failed_of(retest_peers(levels, first, draw_)).contains({0, 0});
    rates.one_metric_outlier += first_stage(first).outliers.contains(0) ? 1 : 0;
    for (std::size_t m = 1; m < levels.size(); ++m) slow_down(m);
    rates.all_metrics_failed +=
        has_failed(failed_of(retest_peers(levels, first, draw_)), 0) ? 1 : 0;
    rates.all_metrics_outlier += first_stage(first).outliers.contains(0) ? 1 : 0;
  }

  void look_at_history(Rates& rates) {
    Table levels = levels_;
    Table first = first_;
    const Table own = medians(levels_, plan_.earlier, draw_);
    levels[0][0] *= kSlower;
    first[0][0] = draw_.run(levels[0][0]);
    Retests retests;
    for (std::size_t m = 0; m < first.size(); ++m) {
      retest(m, levels[m], first[m], own[m], plan_.earlier, draw_, retests);
    }
    rates.history_failed += failed_of(retests).contains({0, 0}) ? 1 : 0;
  }

 private:
  const Plan& plan_;
  Draw& draw_;
  Table levels_;
  Table first_;
};

}  // namespace

Rates simulate(const Plan& plan) {
  Rates rates;
  Draw draw(plan.noise, plan.seed);
  for (int i = 0; i < plan.campaigns; ++i) {
    Campaign campaign(plan, draw);
    campaign.look_at_healthy(rates);
    campaign.look_for_slow(rates);
    campaign.look_at_history(rates);
    ++rates.campaigns;
  }
  return rates;
}

}  // namespace rackproof::campaign
