#include "tests/campaign/campaign.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <set>

#include "harness/judge/judge.hpp"
#include "harness/peers/suspects.hpp"
#include "harness/stats/kinds.hpp"
#include "harness/stats/kinds_apart.hpp"
#include "harness/stats/margin.hpp"
#include "harness/stats/modes.hpp"
#include "harness/stats/multiplicity.hpp"
#include "harness/stats/peer_sets.hpp"
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
  std::vector<double> deficit;
  std::size_t again = 0;  ///< cells that were measured again
};

/// One metric of some devices; `divisor` of each device divides what is measured of it.
void retest(std::size_t metric, const stats::PeerSet& peers, const std::vector<double>& levels,
            const std::vector<double>& first, const std::vector<double>& divisor,
            std::size_t earlier, Draw& draw, Retests& retests) {
  const bool with_history = earlier > 0;
  std::vector<double> values;
  for (const std::size_t i : peers.members) values.push_back(first[i] / divisor[i]);
  const std::vector<double> references = stats::medians_of_others(values);
  std::vector<std::size_t> suspects;
  std::vector<std::size_t> better;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double deficit = stats::shortfall(values[i], references[i], true);
    const double effect = with_history ? peers::kHistorySuspect : kPolicy.peer_effect;
    if (deficit > effect && peers.tested[i]) suspects.push_back(i);
    if (deficit <= 0) better.push_back(i);
  }
  if (suspects.empty()) return;
  std::stable_sort(better.begin(), better.end(),
                   [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  better.resize(std::min(better.size(), judge::kControls));
  const auto measure = [&](const std::vector<std::size_t>& places) {
    std::vector<stats::Retaken> parts;
    for (const std::size_t i : places) {
      const std::size_t device = peers.members[i];
      stats::Retaken part{values[i], {}};
      for (int k = 0; k < kPolicy.peer_confirmations; ++k)
        part.again.push_back(draw.run(levels[device]) / divisor[device]);
      parts.push_back(std::move(part));
    }
    return parts;
  };
  const stats::Retest set{true, values.size() - 1, earlier, measure(better), measure(suspects)};
  retests.again += better.size() + suspects.size();
  for (std::size_t k = 0; k < suspects.size(); ++k) {
    const double margin = with_history ? peers::kHistoryEffect : kPolicy.peer_margin;
    const auto again = stats::confirm(set, k, references[suspects[k]], margin);
    retests.p.push_back(again->p);
    retests.deficit.push_back(again->deficit);
    retests.cell.emplace_back(metric, peers.members[suspects[k]]);
  }
}

stats::KindTable table_of(const Table& first) {
  stats::KindTable table(first.front().size());
  for (const auto& metric : first) table.add(metric);
  return table;
}

stats::Clusters clusters_of(const Table& first) { return table_of(first).clusters(); }

stats::PeerSet everybody(std::size_t devices) {
  return stats::peer_sets(
             {std::vector<std::size_t>(devices, 0), {devices}, std::vector<bool>(devices, false)})
      .front();
}

using Cells = std::set<std::pair<std::size_t, std::size_t>>;

Cells failed_of(const Retests& retests) {
  Cells failed;
  for (const auto& one : stats::holm(retests.p, kPolicy.family_alpha / 2))
    failed.insert(retests.cell[one.index]);
  return failed;
}

Retests retest_peers(const Table& levels, const Table& first, const stats::Clusters& clusters,
                     Draw& draw) {
  Retests retests;
  const std::vector<double> ones(first.front().size(), 1);
  const std::vector<stats::PeerSet> sets = stats::peer_sets(clusters);
  for (std::size_t m = 0; m < first.size(); ++m) {
    for (const stats::PeerSet& peers : sets) {
      retest(m, peers, levels[m], first[m], ones, 0, draw, retests);
    }
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

/// Whether groups of single metrics keep the run back, by their first and their later numbers.
bool holds_by_one_metric(const std::vector<stats::Standings>& whole, const Retests& retests) {
  std::vector<std::set<std::size_t>> slower;
  std::vector<std::size_t> metric;
  for (std::size_t m = 0; m < whole.size(); ++m) {
    const stats::Standings& among = whole[m];
    if (!among.split || among.gap < kPolicy.peer_effect) continue;
    slower.emplace_back();
    metric.push_back(m);
    const bool minor = among.minor_centre < among.major_centre;
    for (std::size_t i = 0; i < among.each.size(); ++i) {
      if (among.each[i].in_minor == minor) slower.back().insert(i);
    }
  }
  std::map<std::pair<std::size_t, std::size_t>, double> worst;
  for (std::size_t k = 0; k < retests.cell.size(); ++k) {
    double& deficit = worst.try_emplace(retests.cell[k], retests.deficit[k]).first->second;
    deficit = std::max(deficit, retests.deficit[k]);
  }
  for (std::size_t s = 0; s < slower.size(); ++s) {
    std::vector<double> later;
    for (const std::size_t i : slower[s]) {
      const auto again = worst.find({metric[s], i});
      if (again != worst.end()) later.push_back(again->second);
    }
    if (stats::is_still_a_group(slower[s].size(), later, kPolicy.peer_effect)) return true;
    for (std::size_t other = 0; other < slower.size(); ++other) {
      const auto both = std::count_if(slower[s].begin(), slower[s].end(),
                                      [&](std::size_t i) { return slower[other].contains(i); });
      if (other != s && both >= 2) return true;
    }
  }
  return false;
}

FirstStage first_stage(const Table& first, const stats::Clusters& clusters,
                       const Retests& retests) {
  FirstStage stage;
  std::vector<stats::LikeSet> whole;
  for (const auto& metric : first) whole.push_back({metric, true, 1});
  for (const auto& apart : stats::kinds_apart(table_of(first), clusters)) {
    stage.groups = stage.groups || (apart && apart->most >= kPolicy.peer_effect);
  }
  std::vector<stats::LikeSet> sets;
  std::vector<stats::PeerSet> peers = stats::peer_sets(clusters);
  std::erase_if(peers, [](const auto& set) { return set.members.size() < stats::kLeastPeers; });
  for (const auto& metric : first) {
    for (const stats::PeerSet& some : peers) {
      sets.push_back({{}, true, 1});
      for (const std::size_t i : some.members) sets.back().values.push_back(metric[i]);
    }
  }
  stage.groups = stage.groups || holds_by_one_metric(stats::stand_among_peers(whole), retests);
  std::vector<double> p;
  std::vector<std::pair<std::size_t, double>> deficit;
  const auto standings = stats::stand_among_peers(sets);
  for (std::size_t s = 0; s < standings.size(); ++s) {
    const stats::PeerSet& some = peers[s % peers.size()];
    for (std::size_t k = 0; k < some.members.size(); ++k) {
      if (!some.tested[k]) continue;
      p.push_back(standings[s].each[k].p);
      deficit.emplace_back(some.members[k], standings[s].each[k].deficit);
    }
  }
  for (const auto& one : stats::holm(p, kPolicy.family_alpha)) {
    const auto& [device, share] = deficit[one.index];
    if (share >= kPolicy.peer_effect) stage.outliers.insert(device);
  }
  return stage;
}

/// Of each device, the true level of its peers.
std::vector<double> true_references(const std::vector<double>& levels,
                                    const std::vector<std::size_t>& kinds) {
  std::vector<double> references = stats::medians_of_others(levels);
  std::vector<std::vector<std::size_t>> of_kind(1 + *std::max_element(kinds.begin(), kinds.end()));
  for (std::size_t i = 0; i < kinds.size(); ++i) of_kind[kinds[i]].push_back(i);
  for (const std::vector<std::size_t>& devices : of_kind) {
    if (devices.size() < stats::least_in_mode(kinds.size())) continue;
    std::vector<double> values;
    for (const std::size_t i : devices) values.push_back(levels[i]);
    const std::vector<double> among = stats::medians_of_others(values);
    for (std::size_t k = 0; k < devices.size(); ++k) references[devices[k]] = among[k];
  }
  return references;
}

/// Whether devices that are worth so much fall into two groups whose medians lie apart, in truth.
bool lie_apart(std::vector<double> worth) {
  std::sort(worth.begin(), worth.end());
  for (std::size_t below = 1; below < worth.size(); ++below) {
    if (worth[below] == worth[below - 1]) continue;
    const auto at = worth.begin() + static_cast<std::ptrdiff_t>(below);
    const double slower = stats::median({worth.begin(), at});
    const double faster = stats::median({at, worth.end()});
    // What is worth 0.97 lies so far behind 1, however both are rounded.
    if (1 - slower / faster > kPolicy.peer_effect - 1e-9) return true;
  }
  return false;
}

class Campaign {
 public:
  Campaign(const Plan& plan, Draw& draw) : plan_(plan), draw_(draw) {
    levels_ = draw.devices(plan.devices, plan.metrics);
    kinds_ = draw.kinds();
    worth_ = draw.worth();
    first_ = run_once(levels_, draw);
  }

  void look_at_healthy(Rates& rates) {
    const auto began = std::chrono::steady_clock::now();
    const stats::Clusters clusters = clusters_of(first_);
    const Retests retests = retest_peers(levels_, first_, clusters, draw_);
    const Cells failed = failed_of(retests);
    const FirstStage alone = first_stage(first_, clusters, retests);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    rates.seconds += took.count() / plan_.campaigns;
    rates.again += static_cast<double>(retests.again) /
                   static_cast<double>(plan_.devices * plan_.metrics) / plan_.campaigns;
    rates.with_outlier += alone.outliers.empty() ? 0 : 1;
    rates.held_back += alone.groups ? 1 : 0;
    rates.held_back_alike += alone.groups && !lie_apart(worth_) ? 1 : 0;
    rates.kinds += clusters.any_kind() ? 1 : 0;
    std::set<std::size_t> healthy;
    for (const auto& [metric, device] : failed) {
      const double reference = true_references(levels_[metric], kinds_)[device];
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
    stats::Clusters clusters = clusters_of(first);
    Retests retests = retest_peers(levels, first, clusters, draw_);
    rates.one_metric_failed += failed_of(retests).contains({0, 0});
    rates.one_metric_outlier += first_stage(first, clusters, retests).outliers.contains(0) ? 1 : 0;
    for (std::size_t m = 1; m < levels.size(); ++m) slow_down(m);
    clusters = clusters_of(first);
    retests = retest_peers(levels, first, clusters, draw_);
    rates.all_metrics_failed += has_failed(failed_of(retests), 0) ? 1 : 0;
    rates.all_metrics_outlier += first_stage(first, clusters, retests).outliers.contains(0) ? 1 : 0;
  }

  void look_for_group(Rates& rates) {
    rates.group_accepted += accepts_group(1) ? 1 : 0;
    rates.group_in_third_accepted += accepts_group(3) ? 1 : 0;
  }

  void look_at_history(Rates& rates) {
    Table levels = levels_;
    Table first = first_;
    const Table own = medians(levels_, plan_.earlier, draw_);
    levels[0][0] *= kSlower;
    first[0][0] = draw_.run(levels[0][0]);
    Retests retests;
    const stats::PeerSet all = everybody(plan_.devices);
    for (std::size_t m = 0; m < first.size(); ++m) {
      retest(m, all, levels[m], first[m], own[m], plan_.earlier, draw_, retests);
    }
    rates.history_failed += failed_of(retests).contains({0, 0}) ? 1 : 0;
  }

 private:
  /// Of every `stride`-th metric a tenth of the devices is slow.
  bool accepts_group(std::size_t stride) {
    Table levels = levels_;
    Table first = first_;
    for (std::size_t m = 0; m < levels.size(); m += stride) {
      for (std::size_t i = 0; i < stats::least_in_mode(plan_.devices); ++i) {
        levels[m][i] *= kSlow;
        first[m][i] = draw_.run(levels[m][i]);
      }
    }
    const stats::Clusters clusters = clusters_of(first);
    const Retests retests = retest_peers(levels, first, clusters, draw_);
    return !first_stage(first, clusters, retests).groups && failed_of(retests).empty();
  }

  const Plan& plan_;
  Draw& draw_;
  std::vector<std::size_t> kinds_;
  std::vector<double> worth_;
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
    if (plan.devices >= 2 * stats::kLeastInMode) campaign.look_for_group(rates);
    ++rates.campaigns;
  }
  return rates;
}

}  // namespace rackproof::campaign
