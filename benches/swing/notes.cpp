#include "benches/swing/notes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "benches/kit/statistics.hpp"
#include "benches/swing/power.hpp"
#include "benches/swing/skew.hpp"
#include "benches/swing/spectrum.hpp"

namespace rackproof::swing {
namespace {

std::string duration(double seconds) {
  if (seconds >= 1) return fmt::format("{:.3f} s", seconds);
  if (seconds >= 1e-3) return fmt::format("{:.3f} ms", seconds * 1e3);
  return fmt::format("{:.3f} us", seconds * 1e6);
}

std::string offset_of(double seconds) {
  return (seconds < 0 ? "-" : "+") + duration(std::abs(seconds));
}

std::string late_or_early(double lag) {
  return fmt::format("{} {}", duration(std::abs(lag)), lag < 0 ? "early" : "late");
}

std::int64_t largest_at(const std::vector<double>& values) {
  return std::max_element(values.begin(), values.end()) - values.begin();
}

std::int64_t smallest_at(const std::vector<double>& values) {
  return std::min_element(values.begin(), values.end()) - values.begin();
}

// Those without a sensor, by why; empty where all have one.
std::string lacks_of(const std::vector<Sensed>& all) {
  std::vector<std::string> texts;
  for (const Lack lack :
       {Lack::kNoCounter, Lack::kNotReadable, Lack::kNoLibrary, Lack::kNoGpuCounter}) {
    const auto lacks = [lack](const Sensed& one) { return one.lack == lack; };
    const auto first = std::find_if(all.begin(), all.end(), lacks);
    if (first == all.end()) continue;
    const auto more = std::count_if(first, all.end(), lacks) - 1;
    texts.push_back(fmt::format("{} on {}{}", text_of(lack), first->name,
                                more == 0 ? "" : fmt::format(" and {} more", more)));
  }
  return fmt::format("{}", fmt::join(texts, "; "));
}

void add_skew(const Skew& skew, const std::vector<std::string>& names, double bound,
              protocol::Note& note) {
  note.text += fmt::format(
      "; rising edges {} apart at the median and {} at 99 % of {} beats, where clocks are known to "
      "{}; farthest off is rank {} on {}, {}",
      duration(skew.p50), duration(skew.p99), skew.per_beat.size(), duration(bound),
      skew.worst_rank, names[static_cast<std::size_t>(skew.worst_rank)],
      late_or_early(skew.worst_lag));
  note.facts["skew_p50"] = skew.p50;
  note.facts["skew_p99"] = skew.p99;
  note.facts["skew_worst"] = skew.worst;
  note.facts["worst_rank"] = skew.worst_rank;
  note.facts["worst_lag"] = skew.worst_lag;
}

void add_load(const Run& run, const Config& config, const Series& series, protocol::Note& note) {
  if (!series.load_coherence.empty()) {
    note.text += fmt::format("; coherence of the load {:.4f}", series.load_coherence.front());
    note.facts["coherence"] = series.load_coherence.front();
  }
  for (const auto& [harmonic, amplitudes] : series.load_amplitudes) {
    // Over the mean of a square wave of swing 1, which is its duty.
    const double ideal = square_amplitude(1, config.duty, harmonic) / config.duty;
    note.text += fmt::format(
        "; amplitude at {:g} Hz {:.3f} of the mean load, of {:.3f} that a square wave in step has",
        harmonic * run.frequency, amplitudes.front(), ideal);
    note.facts[fmt::format("load_amplitude.{}", harmonic)] = amplitudes.front();
  }
  if (!series.load_ramp_errors.empty()) {
    note.text += fmt::format("; the load is off its line by at most {:.3f} of its top",
                             series.load_ramp_errors.front());
    note.facts["ramp_error"] = series.load_ramp_errors.front();
  }
}

void add_power(const Run& run, const Collected& all, const Series& series, protocol::Note& note) {
  if (!all.power) return;
  note.facts["power_interval"] = all.power->interval;
  if (!resolves(all.power->interval, run.frequency)) {
    note.text += fmt::format(
        "; the energy counters move every {}, which does not resolve {:g} Hz: nothing is said of "
        "power",
        duration(all.power->interval), run.frequency);
    return;
  }
  const double mean = kit::mean(all.power->watts);
  note.text += fmt::format("; power {:.1f} W on average", mean);
  note.facts["power_mean"] = mean;
  for (const auto& [harmonic, amplitudes] : series.power_amplitudes) {
    note.text += fmt::format(", amplitude at {:g} Hz {:.1f} W", harmonic * run.frequency,
                             amplitudes.front());
    note.facts[fmt::format("power_amplitude.{}", harmonic)] = amplitudes.front();
  }
  if (!series.power_swings.empty()) {
    note.text += fmt::format(", swing {:.1f} W", series.power_swings.front());
    note.facts["power_swing"] = series.power_swings.front();
  }
}

}  // namespace

double Clocks::apart() const { return kit::largest(offsets) - kit::smallest(offsets); }

double Clocks::bound() const {
  std::vector<double> sorted = bounds;
  std::sort(sorted.rbegin(), sorted.rend());
  return sorted[0] + (sorted.size() > 1 ? sorted[1] : 0);
}

protocol::Note note_of(const Clocks& clocks) {
  const std::int64_t ahead = largest_at(clocks.offsets);
  const std::int64_t behind = smallest_at(clocks.offsets);
  const auto offset = [&](std::int64_t rank) {
    return clocks.offsets[static_cast<std::size_t>(rank)];
  };
  return {
      fmt::format("the clocks of {} ranks are {} apart (of rank 0's, rank {}'s is {}, rank "
                  "{}'s {}); after alignment two of them differ by at most {}",
                  clocks.offsets.size(), duration(clocks.apart()), ahead, offset_of(offset(ahead)),
                  behind, offset_of(offset(behind)), duration(clocks.bound())),
      {{"apart", clocks.apart()},
       {"bound", clocks.bound()},
       {"ahead_rank", ahead},
       {"ahead", offset(ahead)},
       {"behind_rank", behind},
       {"behind", offset(behind)}}};
}

Headroom headroom_of(const std::vector<Sensed>& all) {
  double sum = 0;
  for (const Sensed& one : all) {
    if (!one.idle_watts || !one.limit_watts) return std::nullopt;
    sum += *one.limit_watts - *one.idle_watts;
  }
  return sum;
}

protocol::Note note_of(const std::vector<Sensed>& all, const std::string& sensed,
                       const std::string& power) {
  protocol::Note note;
  const std::string lacks = lacks_of(all);
  if (lacks.empty()) {
    note.text = power;
  } else {
    note.text = lacks + ": nothing is said of power, and coherence and amplitudes are of the load";
  }
  for (const Event event : kEvents) {
    const auto counted = std::count_if(all.begin(), all.end(), [&](const Sensed& one) {
      return one.counted[static_cast<std::size_t>(event)];
    });
    note.text +=
        fmt::format("; {} counted on {} of {} {}", text_of(event), counted, all.size(), sensed);
  }
  note.facts["sensed"] = static_cast<std::int64_t>(all.size());
  note.facts["power"] = lacks.empty();
  if (const Headroom headroom = headroom_of(all)) note.facts["headroom"] = *headroom;
  return note;
}

protocol::Note note_of(const Run& run, const Config& config, const Collected& all,
                       const Series& series, const std::vector<std::string>& names) {
  protocol::Note note;
  note.text = title_of(run, static_cast<std::int64_t>(names.size()));
  note.facts = {{"frequency", run.frequency},
                {"in_phase", run.in_phase},
                {"bound", all.bound},
                {"drifted", all.drifted}};
  if (run.in_phase) add_skew(skew_of(all.rises), names, all.bound, note);
  add_load(run, config, series, note);
  add_power(run, all, series, note);
  return note;
}

}  // namespace rackproof::swing
