#include "benches/swing/spectrum.hpp"

#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>
#include <stdexcept>

namespace rackproof::swing {

Component component_at(std::span<const double> samples, double interval, double frequency) {
  if (samples.empty()) throw std::invalid_argument("no samples, so no spectrum");
  if (!(frequency > 0) || !(interval > 0) || frequency * interval >= 0.5) {
    throw std::invalid_argument("a frequency must be below half of the rate of the samples");
  }
  const auto count = static_cast<double>(samples.size());
  const double mean = std::accumulate(samples.begin(), samples.end(), 0.0) / count;
  const double turn = 2 * std::numbers::pi * frequency * interval;
  const double twice = 2 * std::cos(turn);
  double last = 0;
  double before = 0;
  for (const double sample : samples) {
    const double next = sample - mean + twice * last - before;
    before = last;
    last = next;
  }
  // The recurrence leaves the sum of x_n exp(i turn (N - 1 - n)).
  const std::complex<double> sum =
      (last - std::polar(1.0, -turn) * before) * std::polar(1.0, -turn * (count - 1));
  return {2 * std::abs(sum) / count, std::arg(sum)};
}

double coherence(std::span<const double> phases) {
  if (phases.empty()) throw std::invalid_argument("no phases, so no coherence");
  std::complex<double> sum = 0;
  for (const double phase : phases) sum += std::polar(1.0, phase);
  return std::abs(sum) / static_cast<double>(phases.size());
}

double square_amplitude(double swing, double duty, int harmonic) {
  const double turn = std::numbers::pi * harmonic;
  return 2 * swing / turn * std::abs(std::sin(turn * duty));
}

}  // namespace rackproof::swing
