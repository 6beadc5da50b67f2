#include "benches/swing/series.hpp"

#include <catch2/catch.hpp>
#include <numbers>

#include "benches/swing/spectrum.hpp"
#include "tests/unit/swing/played.hpp"

namespace rackproof::swing {

TEST_CASE("in phase a run has skews of both edges, coherence and the amplitudes of its load") {
  Series series;
  add_run(played::run(2), Config(), played::collected(2, {0, 0, 0, 0}), std::nullopt, series);
  REQUIRE(series.rise_skews.size() == played::kBeats);
  CHECK(series.rise_skews.front() == Approx(0.003));
  CHECK(series.fall_skews.size() == played::kBeats);
  CHECK(series.load_coherence.front() == Approx(1));
  // A square wave of duty 1/2, over its mean.
  CHECK(series.load_amplitudes.at(1).front() == Approx(4 / std::numbers::pi).epsilon(0.01));
  CHECK(series.load_amplitudes.at(3).front() == Approx(4 / std::numbers::pi / 3).epsilon(0.01));
  CHECK(series.power_swings.empty());
  CHECK(series.compared == 100);
}

TEST_CASE("with phases spread there is no skew, and next to no coherence") {
  Series series;
  Run run = played::run(2);
  run.in_phase = false;
  add_run(run, Config(), played::collected(2, {0, 0.25, 0.5, 0.75}), std::nullopt, series);
  CHECK(series.rise_skews.empty());
  CHECK(series.load_coherence.front() < 1e-9);
  CHECK(series.load_amplitudes.at(1).front() < 1e-9);
}

TEST_CASE("a rank that did not compute in the bins is in step with nobody") {
  Series series;
  Collected all = played::collected(2, {0, 0, 0, 0});
  all.phases.pop_back();
  add_run(played::run(2), Config(), all, std::nullopt, series);
  CHECK(series.load_coherence.front() == Approx(0.75));
}

TEST_CASE("power is told as far as its counters resolve it") {
  for (const double interval : {0.001, 0.1, 0.2}) {
    Series series;
    Collected all = played::collected(2, {0, 0, 0, 0});
    all.power = played::power(300, 900, interval);
    add_run(played::run(2), Config(), all, 1200.0, series);
    const bool first = 4 * interval * 2 <= 1;
    const bool third = 4 * interval * 6 <= 1;
    CHECK(series.power_swings.size() == (first ? 1 : 0));
    CHECK(series.power_amplitudes.count(1) == (first ? 1 : 0));
    CHECK(series.power_amplitudes.count(3) == (third ? 1 : 0));
    CHECK(series.power_coherence.size() == (first ? 1 : 0));
    if (!first) continue;
    CHECK(series.power_swings.front() == Approx(600));
    CHECK(series.power_shares.front() == Approx(0.5));
    CHECK(series.power_amplitudes.at(1).front() ==
          Approx(square_amplitude(600, 0.5, 1)).epsilon(0.01));
    CHECK(series.power_rises == std::vector<double>{0.004});
  }
}

TEST_CASE("without limits there is no share, and of one host no coherence of power") {
  Series series;
  Collected all = played::collected(2, {0, 0, 0, 0});
  all.power = played::power(300, 900, 0.001);
  all.power->phases = {0.1};
  add_run(played::run(2), Config(), all, std::nullopt, series);
  CHECK(series.power_swings.size() == 1);
  CHECK(series.power_shares.empty());
  CHECK(series.power_coherence.empty());
}

TEST_CASE("of a stage only the results count, and a ramp has its error") {
  Series series;
  Run run = played::run(2);
  run.kind = Run::Kind::kStage;
  Collected all = played::collected(2, {0, 0, 0, 0});
  all.wrong = 3;
  add_run(run, Config(), all, std::nullopt, series);
  CHECK(series.compared == 100);
  CHECK(series.wrong == 3);
  CHECK(series.rise_skews.empty());
  run.kind = Run::Kind::kRamp;
  run.frequency = kRampSlots;
  all.load = ramp_shares(20);
  all.power = played::power(300, 900, 0.01);
  add_run(run, Config(), all, std::nullopt, series);
  CHECK(series.load_ramp_errors.front() == Approx(0).margin(1e-12));
  CHECK(series.power_ramp_errors.empty());  // 100 updates a second do not show 50 slots
  CHECK(series.load_coherence.empty());
  CHECK(series.rise_skews.size() == played::kBeats);
}

}  // namespace rackproof::swing
