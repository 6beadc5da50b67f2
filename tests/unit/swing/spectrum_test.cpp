#include "benches/swing/spectrum.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <complex>
#include <numbers>
#include <stdexcept>
#include <vector>

namespace rackproof::swing {
namespace {

constexpr double kTwoPi = 2 * std::numbers::pi;

std::vector<double> cosine(double amplitude, double frequency, double phase, double mean,
                           double interval, int count) {
  std::vector<double> samples;
  for (int i = 0; i < count; ++i) {
    samples.push_back(mean + amplitude * std::cos(kTwoPi * frequency * interval * i + phase));
  }
  return samples;
}

// The sum itself, for comparison.
std::complex<double> fourier(const std::vector<double>& samples, double turn) {
  std::complex<double> sum = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    sum += samples[i] * std::polar(1.0, -turn * static_cast<double>(i));
  }
  return sum;
}

}  // namespace

TEST_CASE("a cosine has its amplitude and phase, whatever its mean") {
  for (const double phase : {-3.0, -0.5, 0.0, 1.0, 2.5}) {
    const auto samples = cosine(3, 2, phase, 100, 0.01, 500);  // ten periods
    const Component part = component_at(samples, 0.01, 2);
    CHECK(part.amplitude == Approx(3).epsilon(1e-9));
    CHECK(part.phase == Approx(phase).margin(1e-9));
    CHECK(component_at(samples, 0.01, 6).amplitude < 1e-9);
  }
}

TEST_CASE("Goertzel's recurrence gives the Fourier sum, also between bins") {
  std::vector<double> samples;
  for (int i = 0; i < 1000; ++i) samples.push_back(std::sin(0.37 * i) + ((i * 7919) % 13));
  double mean = 0;
  for (const double sample : samples) mean += sample / 1000;
  for (double& sample : samples) sample -= mean;
  for (const double frequency : {0.2, 1.0, 3.33, 7.1, 49.0}) {
    const auto want = fourier(samples, kTwoPi * frequency * 0.01);
    const Component got = component_at(samples, 0.01, frequency);
    CHECK(got.amplitude == Approx(2 * std::abs(want) / 1000).epsilon(1e-7));
    CHECK(std::abs(std::polar(1.0, got.phase) - want / std::abs(want)) < 1e-7);
  }
}

TEST_CASE("a synthesised square wave has the amplitudes of its Fourier series") {
  for (const double duty : {0.5, 0.25}) {
    std::vector<double> samples;
    for (int i = 0; i < 64000; ++i) samples.push_back(i % 6400 < 6400 * duty ? 250 : 50);
    for (const int harmonic : {1, 2, 3}) {
      CHECK(component_at(samples, 1.0 / 6400, harmonic).amplitude ==
            Approx(square_amplitude(200, duty, harmonic)).margin(0.1));
    }
  }
  CHECK(square_amplitude(1, 0.5, 1) == Approx(2 / std::numbers::pi));
  CHECK(square_amplitude(1, 0.5, 3) == Approx(2 / std::numbers::pi / 3));
}

TEST_CASE("what cannot be seen is refused") {
  const std::vector<double> samples(100, 1.0);
  CHECK_THROWS_AS(component_at({}, 0.01, 1), std::invalid_argument);
  CHECK_THROWS_AS(component_at(samples, 0.01, 50), std::invalid_argument);
  CHECK_THROWS_AS(component_at(samples, 0.01, 0), std::invalid_argument);
  CHECK_THROWS_AS(component_at(samples, 0, 1), std::invalid_argument);
}

TEST_CASE("coherence is 1 in phase, 0 for phases spread evenly, and between by hand") {
  CHECK(coherence(std::vector<double>{2, 2, 2, 2 + kTwoPi}) == Approx(1));
  CHECK(coherence(std::vector<double>{0, kTwoPi / 4, kTwoPi / 2, 3 * kTwoPi / 4}) < 1e-12);
  CHECK(coherence(std::vector<double>{0, kTwoPi / 4}) == Approx(std::sqrt(0.5)));
  CHECK(coherence(std::vector<double>{1}) == Approx(1));
  CHECK_THROWS_AS(coherence({}), std::invalid_argument);
}

}  // namespace rackproof::swing
