#include "benches/swing/events.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>

namespace rackproof::swing {
namespace {

namespace fs = std::filesystem;

constexpr double kRare = 0.05;

std::optional<double> count_in(const fs::path& file) {
  std::ifstream in(file);
  double value = 0;
  if (!(in >> value)) return std::nullopt;
  return value;
}

void add(std::optional<double>& sum, const std::optional<double>& more) {
  if (more) sum = sum.value_or(0) + *more;
}

// A package's count stands at each of its processors: the largest of them is the latest.
std::optional<double> of_processors(const fs::path& root, const std::string& what) {
  std::optional<double> sum;
  std::map<std::string, double> packages;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(root / "sys/devices/system/cpu", error)) {
    const fs::path folder = entry.path() / "thermal_throttle";
    add(sum, count_in(folder / ("core_" + what)));
    const auto package = count_in(folder / ("package_" + what));
    if (!package) continue;
    std::ifstream in(entry.path() / "topology/physical_package_id");
    std::string id;
    std::getline(in, id);
    double& largest = packages[id];
    largest = std::max(largest, *package);
  }
  for (const auto& [id, largest] : packages) add(sum, largest);
  return sum;
}

std::optional<double> lost_links(const fs::path& root) {
  std::optional<double> sum;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(root / "sys/class/net", error)) {
    if (!fs::exists(entry.path() / "device", error)) continue;
    add(sum, count_in(entry.path() / "carrier_down_count"));
  }
  for (const auto& adapter : fs::directory_iterator(root / "sys/class/infiniband", error)) {
    for (const auto& port : fs::directory_iterator(adapter.path() / "ports", error)) {
      add(sum, count_in(port.path() / "counters/link_downed"));
    }
  }
  return sum;
}

double choose(std::int64_t of, std::int64_t many) {
  return std::exp(std::lgamma(static_cast<double>(of) + 1) -
                  std::lgamma(static_cast<double>(many) + 1) -
                  std::lgamma(static_cast<double>(of - many) + 1));
}

}  // namespace

std::string_view text_of(Event event) {
  switch (event) {
    case Event::kPowerLimit:
      return "power limiting";
    case Event::kThrottle:
      return "thermal throttling";
    case Event::kLostLink:
      return "lost links";
    case Event::kPowerBrake:
      return "power brake";
    case Event::kXid:
      return "Xid errors";
  }
  return "";
}

EventCounts read_events(const fs::path& root) {
  return {of_processors(root, "power_limit_count"),
          of_processors(root, "throttle_count"),
          lost_links(root),
          {},
          {}};
}

EventCounts NodeLinks::read() {
  EventCounts counts;
  counts[static_cast<std::size_t>(Event::kLostLink)] = lost_links(root_);
  return counts;
}

bool came(const EventCounts& before, const EventCounts& after, Event event) {
  const auto at = static_cast<std::size_t>(event);
  return before[at] && after[at] && *after[at] > *before[at];
}

void count_events(const Run& run, const std::vector<std::array<bool, kEvents.size()>>& came,
                  const std::vector<std::string>& names, const std::vector<std::string>& hosts,
                  std::array<Arms, kEvents.size()>& arms) {
  if (run.kind != Run::Kind::kSquare) return;
  for (std::size_t event = 0; event < arms.size(); ++event) {
    Arms& arm = arms[event];
    ++(run.in_phase ? arm.in_phase_runs : arm.spread_runs);
    bool anywhere = false;
    for (std::size_t rank = 0; rank < came.size(); ++rank) {
      if (!came[rank][event]) continue;
      anywhere = true;
      const bool of_host = kEvents[event] == Event::kLostLink;
      if (run.in_phase) arm.places.insert(of_host ? hosts[rank] : names[rank]);
    }
    if (anywhere) ++(run.in_phase ? arm.in_phase : arm.spread);
  }
}

double chance(const Arms& arms) {
  const std::int64_t affected = arms.in_phase + arms.spread;
  double sum = 0;
  for (std::int64_t in = arms.in_phase; in <= std::min(arms.in_phase_runs, affected); ++in) {
    if (affected - in > arms.spread_runs) continue;
    sum += choose(arms.in_phase_runs, in) * choose(arms.spread_runs, affected - in);
  }
  return std::min(1.0, sum / choose(arms.in_phase_runs + arms.spread_runs, affected));
}

Accusation accusation(const Arms& arms) {
  if (arms.in_phase + arms.spread == 0) return Accusation::kNone;
  if (arms.spread > 0) return Accusation::kNotByPhase;
  if (arms.spread_runs == 0) return Accusation::kUncompared;
  // The least chance is a fraction such as 1/20, which the logarithms miss by their rounding.
  return chance(arms) <= kRare * (1 + 1e-9) ? Accusation::kSupply : Accusation::kTooFew;
}

std::string sentence(Event event, const Arms& arms) {
  const std::string runs =
      fmt::format("in {} of {} runs in phase", arms.in_phase, arms.in_phase_runs);
  const std::string where = fmt::format("{}", fmt::join(arms.places, ", "));
  switch (accusation(arms)) {
    case Accusation::kNone:
      return "";
    case Accusation::kSupply:
      return fmt::format(
          "{} in phase only: {} and in none of {} with phases spread (by chance: {:.2g}), on {}. "
          "The "
          "same load out of step does no harm: suspect the power supply, not the parts that it "
          "feeds",
          text_of(event), runs, arms.spread_runs, chance(arms), where);
    case Accusation::kTooFew:
      return fmt::format(
          "{} in phase only, on {}, but {}, which may be chance ({:.2g}): measure more --rounds",
          text_of(event), where, runs, chance(arms));
    case Accusation::kNotByPhase:
      return fmt::format(
          "{} {} and in {} of {} with phases spread: it does not take a load in step",
          text_of(event), runs, arms.spread, arms.spread_runs);
    case Accusation::kUncompared:
      return fmt::format(
          "{} {}, on {}; whether it takes a load in step shows --phases in-phase,spread",
          text_of(event), runs, where);
  }
  return "";
}

}  // namespace rackproof::swing
