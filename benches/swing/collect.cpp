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

// What a rank says of the power that it looks at; `known` also where another one looks.
struct OwnPower {
  double known = 1;
  double measured = 0;
  double interval = 0;
  double phase = 0;
  double rise = -1;  // seconds; -1: not resolved
  double swung = 0;  // what follows is known
  double low = 0;
  double high = 0;
  double rose = -1;  // seconds, as they look
  double fell = -1;
};

void add_swing(const Run& run, double duty, const RunResult& mine, const std::vector<double>& watts,
               OwnPower& own) {
  const auto levels = levels_of(folded(watts, kBinsOfBeat), duty);
  if (!levels) return;
  std::vector<double> rises;
  std::vector<double> falls;
  for (const Pulse& pulse : mine.shape.pulses) {
    rises.push_back(pulse.on);
    falls.push_back(pulse.off);
  }
  const double on = duty / run.frequency;
  const double off = (1 - duty) / run.frequency;
  own.rise = rise_seconds(mine.updates, later(rises), *levels, on).value_or(-1);
  if (!resolves(own.interval, run.frequency)) return;
  own.swung = 1;
  own.low = levels->low;
  own.high = levels->high;
  own.rose = edge_seconds(mine.updates, later(rises), *levels, Edge::kRise, on).value_or(-1);
  own.fell = edge_seconds(mine.updates, later(falls), *levels, Edge::kFall, off).value_or(-1);
}

OwnPower power_of_rank(const Run& run, double duty, const RunResult& mine,
                       std::vector<double>& watts) {
  OwnPower own;
  const Shape& shape = mine.shape;
  const auto found = power_of(mine.updates, shape.from, shape.width, shape.bins);
  const auto interval = update_interval(mine.updates);
  own.known = found && interval ? 1 : 0;
  if (own.known == 0) return own;
  own.measured = 1;
  own.interval = *interval;
  watts = *found;
  if (run.kind == Run::Kind::kRamp) return own;
  own.phase = component_at(watts, shape.width, run.frequency).phase;
  if (run.kind == Run::Kind::kSquare && run.in_phase) add_swing(run, duty, mine, watts, own);
  return own;
}

std::optional<Swung> swung_of(const Run& run, double duty, const OwnPower& own) {
  if (own.swung == 0) return std::nullopt;
  Swung swung{own.low, own.high, own.interval, (1 - duty) / run.frequency};
  if (own.rose >= 0) swung.rise = own.rose;
  if (own.fell >= 0) swung.fall = own.fell;
  return swung;
}

void collect_power(const Ranks& ranks, const Run& run, double duty, const RunResult& mine,
                   Collected& all) {
  std::vector<double> watts(static_cast<std::size_t>(mine.shape.bins));
  const OwnPower own = mine.looks ? power_of_rank(run, duty, mine, watts) : OwnPower();
  const auto rows =
      ranks.gather(std::array{own.known, own.measured, own.interval, own.phase, own.rise, own.swung,
                              own.low, own.high, own.rose, own.fell});
  TotalPower total;
  total.watts = ranks.sum(watts);
  double rise = 0;
  bool all_rise = true;
  bool all_known = true;
  for (const auto& row : rows) {
    const OwnPower one{row[0], row[1], row[2], row[3], row[4],
                       row[5], row[6], row[7], row[8], row[9]};
    all.swung.push_back(swung_of(run, duty, one));
    all_known = all_known && one.known != 0;
    if (one.measured == 0) continue;
    total.interval = std::max(total.interval, one.interval);
    total.phases.push_back(one.phase);
    all_rise = all_rise && one.rise >= 0;
    rise = std::max(rise, one.rise);
  }
  if (!all_known || total.phases.empty()) return;
  if (all_rise) total.rise = rise;
  all.power = std::move(total);
}

void collect_proof(const Ranks& ranks, const LoadResult& load, const std::string& element,
                   Collected& all) {
  const WrongElement wrong = load.first_wrong.value_or(WrongElement());
  const auto rows =
      ranks.gather(std::array{static_cast<double>(load.compared), static_cast<double>(load.wrong),
                              wrong.pulse, wrong.element, wrong.got, wrong.want});
  for (std::size_t rank = 0; rank < rows.size(); ++rank) {
    const auto& row = rows[rank];
    all.compared += std::llround(row[0]);
    all.wrong += std::llround(row[1]);
    if (row[1] == 0 || all.first_wrong) continue;
    all.first_wrong = {
        fmt::format("rank {}, pulse {:.0f}, {} {:.0f}", rank, row[2], element, row[3]),
        fmt::format("{:.17g}", row[4]), fmt::format("{:.17g}", row[5]),
        static_cast<std::int64_t>(rank)};
  }
}

}  // namespace

Collected collect(const Ranks& ranks, const Run& run, double duty, const std::string& element,
                  const RunResult& mine) {
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
  collect_proof(ranks, mine.load, element, all);
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
  collect_power(ranks, run, duty, mine, all);
  return all;
}

}  // namespace rackproof::swing
