#include "benches/swing/collect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "benches/swing/spectrum.hpp"

namespace rackproof::swing {
namespace {

// Edges without those of the first beat, which is for warming up.
std::vector<double> later(const std::vector<double>& edges) {
  if (edges.empty()) return {};
  return {edges.begin() + 1, edges.end()};
}

// What a host says of its power; `known` also where another rank of the host has the sensor.
struct HostPower {
  double known = 1;
  double measured = 0;
  double interval = 0;
  double phase = 0;
  double rise = -1;
};

HostPower power_of_host(const Run& run, double duty, const RunResult& mine,
                        std::vector<double>& watts) {
  HostPower host;
  const Shape& shape = mine.shape;
  const auto found = power_of(mine.updates, shape.from, shape.width, shape.bins);
  const auto interval = update_interval(mine.updates);
  host.known = found && interval ? 1 : 0;
  if (host.known == 0) return host;
  host.measured = 1;
  host.interval = *interval;
  watts = *found;
  if (run.kind == Run::Kind::kRamp) return host;
  host.phase = component_at(watts, shape.width, run.frequency).phase;
  if (run.kind != Run::Kind::kSquare || !run.in_phase) return host;
  const auto levels = levels_of(folded(watts, kBinsOfBeat), duty);
  if (!levels) return host;
  std::vector<double> edges;
  for (const Pulse& pulse : shape.pulses) edges.push_back(pulse.on);
  const auto rise = rise_seconds(mine.updates, later(edges), *levels, duty / run.frequency);
  host.rise = rise.value_or(-1);
  return host;
}

std::optional<TotalPower> total_power(const Ranks& ranks, const Run& run, double duty,
                                      const RunResult& mine) {
  std::vector<double> watts(static_cast<std::size_t>(mine.shape.bins));
  const HostPower host =
      ranks.local_rank() == 0 ? power_of_host(run, duty, mine, watts) : HostPower();
  const auto hosts =
      ranks.gather(std::array{host.known, host.measured, host.interval, host.phase, host.rise});
  TotalPower total;
  total.watts = ranks.sum(watts);
  double rise = 0;
  bool all_rise = true;
  for (const auto& one : hosts) {
    if (one[0] == 0) return std::nullopt;
    if (one[1] == 0) continue;
    total.interval = std::max(total.interval, one[2]);
    total.phases.push_back(one[3]);
    all_rise = all_rise && one[4] >= 0;
    rise = std::max(rise, one[4]);
  }
  if (total.phases.empty()) return std::nullopt;
  if (all_rise) total.rise = rise;
  return total;
}

void collect_proof(const Ranks& ranks, const LoadResult& load, Collected& all) {
  const WrongLane wrong = load.first_wrong.value_or(WrongLane());
  const auto rows =
      ranks.gather(std::array{static_cast<double>(load.compared), static_cast<double>(load.wrong),
                              wrong.pulse, wrong.lane, wrong.got, wrong.want});
  for (std::size_t rank = 0; rank < rows.size(); ++rank) {
    const auto& row = rows[rank];
    all.compared += std::llround(row[0]);
    all.wrong += std::llround(row[1]);
    if (row[1] == 0 || all.first_wrong) continue;
    all.first_wrong = {fmt::format("rank {}, pulse {:.0f}, lane {:.0f}", rank, row[2], row[3]),
                       fmt::format("{:.17g}", row[4]), fmt::format("{:.17g}", row[5]),
                       static_cast<std::int64_t>(rank)};
  }
}

}  // namespace

Collected collect(const Ranks& ranks, const Run& run, double duty, const RunResult& mine) {
  Collected all;
  if (run.kind != Run::Kind::kStage) {
    all.rises = ranks.gather(later(mine.load.rises));
    all.falls = ranks.gather(later(mine.load.falls));
  }
  const std::vector<double>& bins = mine.load.trace.bins();
  const Component part = run.kind == Run::Kind::kRamp
                             ? Component()
                             : component_at(bins, mine.shape.width, run.frequency);
  all.load = ranks.sum(bins);
  collect_proof(ranks, mine.load, all);
  std::array<double, 4 + kEvents.size()> facts{part.amplitude, part.phase, mine.bound,
                                               mine.drifted};
  std::copy(mine.came.begin(), mine.came.end(), facts.begin() + 4);
  std::vector<double> bounds{0, 0};
  for (const auto& rank : ranks.gather(facts)) {
    if (rank[0] > 0) all.phases.push_back(rank[1]);
    bounds.push_back(rank[2]);
    all.drifted = std::max(all.drifted, std::abs(rank[3]));
    auto& came = all.came.emplace_back();
    for (std::size_t event = 0; event < came.size(); ++event) came[event] = rank[4 + event] != 0;
  }
  std::sort(bounds.rbegin(), bounds.rend());
  all.bound = bounds[0] + bounds[1];
  all.power = total_power(ranks, run, duty, mine);
  return all;
}

}  // namespace rackproof::swing
