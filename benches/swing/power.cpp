#include "benches/swing/power.hpp"

#include <algorithm>
#include <cmath>

#include "benches/kit/statistics.hpp"

namespace rackproof::swing {
namespace {

struct Watts {
  double at = 0;
  double watts = 0;
};

// Mean power between updates, at the middle of each.
std::vector<Watts> watts_of(std::span<const EnergyReading> updates) {
  std::vector<Watts> all;
  for (std::size_t i = 1; i < updates.size(); ++i) {
    const double took = updates[i].at - updates[i - 1].at;
    if (took <= 0) continue;
    all.push_back(
        {updates[i - 1].at + took / 2, (updates[i].joules - updates[i - 1].joules) / took});
  }
  return all;
}

// Where the line through the points first comes up to `level` after `from`, before `until`.
std::optional<double> reaches(std::span<const Watts> points, double level, double from,
                              double until) {
  for (std::size_t i = 1; i < points.size(); ++i) {
    const Watts& a = points[i - 1];
    const Watts& b = points[i];
    if (b.at < from) continue;
    if (a.at > until) return std::nullopt;
    if (a.watts < level && b.watts >= level) {
      return a.at + (b.at - a.at) * (level - a.watts) / (b.watts - a.watts);
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<EnergyReading> updates_of(std::span<const EnergyReading> readings) {
  std::vector<EnergyReading> updates;
  for (const EnergyReading& reading : readings) {
    if (updates.empty() || reading.joules > updates.back().joules) updates.push_back(reading);
  }
  return updates;
}

std::optional<double> update_interval(std::span<const EnergyReading> updates) {
  constexpr std::size_t kLeast = 3;
  if (updates.size() < kLeast) return std::nullopt;
  std::vector<double> distances;
  // The first reading fell somewhere into its update.
  for (std::size_t i = 2; i < updates.size(); ++i) {
    distances.push_back(updates[i].at - updates[i - 1].at);
  }
  return kit::median(distances);
}

bool resolves(double interval, double frequency) { return 4 * interval * frequency <= 1; }

std::optional<std::vector<double>> power_of(std::span<const EnergyReading> updates, double start,
                                            double width, std::int64_t count) {
  const double end = start + width * static_cast<double>(count);
  if (updates.size() < 2 || updates.front().at > start || updates.back().at < end) {
    return std::nullopt;
  }
  std::size_t next = 1;
  const auto energy_at = [&](double moment) {
    while (next + 1 < updates.size() && updates[next].at < moment) ++next;
    const EnergyReading& a = updates[next - 1];
    const EnergyReading& b = updates[next];
    return a.joules + (b.joules - a.joules) * (moment - a.at) / (b.at - a.at);
  };
  std::vector<double> watts;
  double before = energy_at(start);
  for (std::int64_t bin = 1; bin <= count; ++bin) {
    const double now = energy_at(start + width * static_cast<double>(bin));
    watts.push_back((now - before) / width);
    before = now;
  }
  return watts;
}

std::vector<double> folded(std::span<const double> series, std::int64_t bins) {
  std::vector<double> beat;
  for (std::int64_t bin = 0; bin < bins; ++bin) {
    std::vector<double> values;
    for (auto at = static_cast<std::size_t>(bin); at < series.size();
         at += static_cast<std::size_t>(bins)) {
      values.push_back(series[at]);
    }
    if (!values.empty()) beat.push_back(kit::median(std::move(values)));
  }
  return beat;
}

std::optional<Levels> levels_of(std::span<const double> beat, double duty) {
  std::vector<double> high;
  std::vector<double> low;
  for (std::size_t bin = 0; bin < beat.size(); ++bin) {
    const double at = (static_cast<double>(bin) + 0.5) / static_cast<double>(beat.size());
    const double within = at < duty ? at / duty : (at - duty) / (1 - duty);
    if (within < 0.25 || within > 0.75) continue;
    (at < duty ? high : low).push_back(beat[bin]);
  }
  if (high.empty() || low.empty()) return std::nullopt;
  return Levels{kit::median(low), kit::median(high)};
}

std::optional<double> edge_seconds(std::span<const EnergyReading> updates,
                                   std::span<const double> edges, const Levels& levels, Edge edge,
                                   double patience) {
  const auto interval = update_interval(updates);
  if (!interval || levels.swing() <= 0) return std::nullopt;
  std::vector<Watts> points = watts_of(updates);
  Levels between = levels;
  if (edge == Edge::kFall) {  // upside down it rises
    for (Watts& point : points) point.watts = -point.watts;
    between = {-levels.high, -levels.low};
  }
  std::vector<double> all;
  for (const double at : edges) {
    // An update that holds the edge is a mean over both sides of it, and its middle is before.
    const double from = at - *interval;
    const double until = at + patience;
    const auto tenth = reaches(points, between.low + 0.1 * between.swing(), from, until);
    if (!tenth) continue;
    const auto most = reaches(points, between.low + 0.9 * between.swing(), *tenth, until);
    if (most) all.push_back(*most - *tenth);
  }
  if (all.empty()) return std::nullopt;
  return kit::median(std::move(all));
}

std::optional<double> rise_seconds(std::span<const EnergyReading> updates,
                                   std::span<const double> edges, const Levels& levels,
                                   double patience) {
  const auto rise = edge_seconds(updates, edges, levels, Edge::kRise, patience);
  if (!rise || *rise < 2 * *update_interval(updates)) return std::nullopt;
  return rise;
}

}  // namespace rackproof::swing
