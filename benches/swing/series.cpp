#include "benches/swing/series.hpp"

#include <array>

#include "benches/kit/statistics.hpp"
#include "benches/swing/power.hpp"
#include "benches/swing/shape.hpp"
#include "benches/swing/skew.hpp"
#include "benches/swing/spectrum.hpp"

namespace rackproof::swing {
namespace {

constexpr std::array kHarmonics{1, 3};

void append(std::vector<double>& to, const std::vector<double>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

void add_power(const Run& run, double duty, const TotalPower& power, const Headroom& headroom,
               double width, Series& series) {
  if (run.kind == Run::Kind::kRamp) {
    const auto error =
        resolves(power.interval, run.frequency) ? ramp_error(power.watts) : std::optional<double>();
    if (error) series.power_ramp_errors.push_back(*error);
    return;
  }
  if (!resolves(power.interval, run.frequency)) return;
  if (power.phases.size() > 1) series.power_coherence.push_back(coherence(power.phases));
  for (const int harmonic : kHarmonics) {
    const double frequency = harmonic * run.frequency;
    if (!resolves(power.interval, frequency)) continue;
    series.power_amplitudes[harmonic].push_back(
        component_at(power.watts, width, frequency).amplitude);
  }
  if (!run.in_phase) return;
  const auto levels = levels_of(folded(power.watts, kBinsOfBeat), duty);
  if (!levels || levels->swing() <= 0) return;
  series.power_swings.push_back(levels->swing());
  if (headroom && *headroom > 0) series.power_shares.push_back(levels->swing() / *headroom);
  if (power.rise) series.power_rises.push_back(*power.rise);
}

}  // namespace

void add_run(const Run& run, const Config& config, const Collected& all, Headroom headroom,
             Series& series) {
  series.compared += all.compared;
  series.wrong += all.wrong;
  if (!series.first_wrong) series.first_wrong = all.first_wrong;
  if (run.kind == Run::Kind::kStage) return;
  if (run.in_phase) {
    append(series.rise_skews, skew_of(all.rises).per_beat);
    append(series.fall_skews, skew_of(all.falls).per_beat);
  }
  const double width = run.kind == Run::Kind::kRamp
                           ? 1 / run.frequency
                           : 1 / (run.frequency * static_cast<double>(kBinsOfBeat));
  if (all.power) add_power(run, config.duty, *all.power, headroom, width, series);
  if (run.kind == Run::Kind::kRamp) {
    if (const auto error = ramp_error(all.load)) series.load_ramp_errors.push_back(*error);
    return;
  }
  // A rank that did not compute in the bins is in step with nobody.
  const double resultant = all.phases.empty() ? 0 : coherence(all.phases);
  series.load_coherence.push_back(resultant * static_cast<double>(all.phases.size()) /
                                  static_cast<double>(all.rises.size()));
  const double mean = kit::mean(all.load);
  for (const int harmonic : kHarmonics) {
    if (mean <= 0) continue;
    series.load_amplitudes[harmonic].push_back(
        component_at(all.load, width, harmonic * run.frequency).amplitude / mean);
  }
}

}  // namespace rackproof::swing
