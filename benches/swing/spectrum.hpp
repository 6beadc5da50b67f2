#pragma once

#include <span>

namespace rackproof::swing {

/// The part of a series at one frequency: amplitude * cos(2 pi f t + phase), t = 0 at the first
/// sample. The amplitude is in the unit of the series, the phase in radians.
struct Component {
  double amplitude = 0;
  double phase = 0;
};

/// Goertzel's recurrence, for any frequency below half of the rate of the samples (P. Sysel and P.
/// Rajmic, Goertzel algorithm generalized to non-integer multiples of fundamental frequency,
/// EURASIP J. Adv. Signal Process. 2012:56). The mean is taken off first. Exact where the samples,
/// `interval` seconds apart, are whole periods. Throws std::invalid_argument for none, and for a
/// frequency that they cannot show.
Component component_at(std::span<const double> samples, double interval, double frequency);

/// Mean resultant length |sum of exp(i phase)|/n: 1 where all are in phase (K. Mardia and P. Jupp,
/// Directional Statistics, 2000, section 2.3). Throws std::invalid_argument for none.
double coherence(std::span<const double> phases);

/// Amplitude of harmonic n of a square wave of this swing, peak to peak:
/// 2 swing/(n pi) |sin(n pi duty)|, its Fourier series.
double square_amplitude(double swing, double duty, int harmonic);

}  // namespace rackproof::swing
