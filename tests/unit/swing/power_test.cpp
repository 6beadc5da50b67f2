#include "benches/swing/power.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>

#include "benches/swing/spectrum.hpp"

namespace rackproof::swing {
namespace {

using Curve = std::function<double(double)>;

// A counter that moves every `interval` seconds, of a power in watts; the energy is summed in steps
// of 10 us.
std::vector<EnergyReading> counter_of(const Curve& watts, double interval, double seconds) {
  std::vector<EnergyReading> readings;
  const auto steps = static_cast<int>(std::lround(interval / 1e-5));
  double joules = 0;
  double at = 0;
  while (at < seconds) {
    readings.push_back({at, joules});
    readings.push_back({at + interval / 2, joules});  // read again before it has moved
    for (int i = 0; i < steps; ++i) joules += watts(at + (i + 0.5) * 1e-5) * 1e-5;
    at += interval;
  }
  return readings;
}

// Between 50 and 250 W, 2 Hz, with edges that take 40 ms from one to the other.
double trapezoid(double at) {
  constexpr double kEdge = 0.04;
  const double in = at - std::floor(at * 2) / 2;
  if (in < kEdge) return 50 + 200 * in / kEdge;
  if (in < 0.25) return 250;
  if (in < 0.25 + kEdge) return 250 - 200 * (in - 0.25) / kEdge;
  return 50;
}

std::vector<double> edges_of(int count) {
  std::vector<double> edges;
  for (int i = 1; i < count; ++i) edges.push_back(i / 2.0);
  return edges;
}

}  // namespace

TEST_CASE("updates are where a counter moves, and their interval is what it is") {
  const auto updates = updates_of(counter_of([](double) { return 100.0; }, 0.001, 1));
  CHECK(updates.size() == Approx(1000).margin(2));
  CHECK(update_interval(updates).value() == Approx(0.001));
  const std::vector<EnergyReading> still{{0, 1}, {1, 1}, {2, 1}, {3, 1}};
  CHECK(updates_of(still).size() == 1);
  CHECK_FALSE(update_interval(updates_of(still)));
}

TEST_CASE("a sensor resolves what it shows four times a period") {
  CHECK(resolves(0.001, 20));
  CHECK(resolves(0.0125, 20));
  CHECK_FALSE(resolves(0.0126, 20));
  CHECK_FALSE(resolves(1, 0.5));
  CHECK(resolves(1, 0.2));
}

TEST_CASE("power of bins is exact where updates are finer, and none where they do not reach") {
  const auto updates = updates_of(counter_of(trapezoid, 0.001, 6));
  const auto watts = power_of(updates, 1, 0.25, 16);
  REQUIRE(watts);
  REQUIRE(watts->size() == 16);
  // Half a beat: 250 W but for an edge of 40 ms, whose mean is 150 W.
  CHECK((*watts)[0] == Approx(250 - 100 * 0.04 / 0.25).epsilon(0.01));
  CHECK((*watts)[1] == Approx(50 + 100 * 0.04 / 0.25).epsilon(0.01));
  CHECK_FALSE(power_of(updates, 4, 0.25, 16));
  CHECK_FALSE(power_of(updates, -1, 0.25, 4));
  CHECK_FALSE(power_of({}, 1, 0.25, 4));
}

TEST_CASE("swing and edge of a scripted power curve are found") {
  const auto updates = updates_of(counter_of(trapezoid, 0.001, 21));
  const auto watts = power_of(updates, 1, 0.5 / 64, 64 * 38).value();
  const auto levels = levels_of(folded(watts, 64), 0.5);
  REQUIRE(levels);
  CHECK(levels->low == Approx(50).epsilon(0.001));
  CHECK(levels->high == Approx(250).epsilon(0.001));
  const auto rise = rise_seconds(updates, edges_of(40), *levels, 0.25);
  REQUIRE(rise);
  CHECK(*rise == Approx(0.8 * 0.04).epsilon(0.02));
  CHECK(component_at(watts, 0.5 / 64, 2).amplitude ==
        Approx(square_amplitude(200, 0.5, 1)).epsilon(0.02));
}

TEST_CASE("an edge that is shorter than two updates is not told") {
  const auto square = [](double at) { return at * 2 - std::floor(at * 2) < 0.5 ? 250.0 : 50.0; };
  const auto updates = updates_of(counter_of(square, 0.01, 21));
  CHECK_FALSE(rise_seconds(updates, edges_of(40), {50, 250}, 0.25));
  const auto coarse = updates_of(counter_of(trapezoid, 0.05, 21));
  CHECK_FALSE(rise_seconds(coarse, edges_of(40), {50, 250}, 0.25));
  CHECK_FALSE(rise_seconds(updates, edges_of(40), {50, 50}, 0.25));
  CHECK_FALSE(rise_seconds({}, edges_of(40), {50, 250}, 0.25));
}

TEST_CASE("smoothing by the supply shows as a floor and as slow edges") {
  // Never below 200 W, and 100 ms up.
  const auto smooth = [](double at) {
    const double in = at - std::floor(at * 2) / 2;
    if (in < 0.1) return 200 + 50 * in / 0.1;
    return in < 0.25 ? 250.0 : std::max(200.0, 250 - 50 * (in - 0.25) / 0.1);
  };
  const auto updates = updates_of(counter_of(smooth, 0.001, 21));
  const auto watts = power_of(updates, 1, 0.5 / 64, 64 * 38).value();
  const Levels levels = levels_of(folded(watts, 64), 0.5).value();
  CHECK(levels.swing() == Approx(50).epsilon(0.05));
  CHECK(rise_seconds(updates, edges_of(40), levels, 0.25).value() == Approx(0.08).epsilon(0.05));
  std::vector<double> falls = edges_of(40);
  for (double& fall : falls) fall += 0.25;
  CHECK(edge_seconds(updates, falls, levels, Edge::kFall, 0.25).value() ==
        Approx(0.08).epsilon(0.05));
  // As they look, however coarse the counter is.
  const auto coarse = updates_of(counter_of(smooth, 0.05, 21));
  CHECK(edge_seconds(coarse, falls, levels, Edge::kFall, 0.25).value() > 0.05);
  CHECK_FALSE(edge_seconds(updates, falls, levels, Edge::kRise, 0.1));
}

TEST_CASE("folding takes the median beat, so that one disturbed beat changes nothing") {
  std::vector<double> series;
  for (int beat = 0; beat < 9; ++beat) {
    for (int bin = 0; bin < 4; ++bin) series.push_back(beat == 3 ? 1000 : bin);
  }
  CHECK(folded(series, 4) == std::vector<double>{0, 1, 2, 3});
  CHECK_FALSE(levels_of(std::vector<double>{1, 2}, 0.1));
}

}  // namespace rackproof::swing
