#include "benches/swing/page.hpp"

#include <catch2/catch.hpp>
#include <numeric>

#include "tests/unit/swing/played.hpp"

namespace rackproof::swing {
namespace {

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

TEST_CASE("a page draws the first beats of a run over what they ought to be") {
  Collected all = played::collected(2, {0, 0, 0, 0});
  all.power = played::power(300, 900, 0.001);
  const Drawn drawn = drawn_of(played::run(2), Config(), 4, all, "in step");
  CHECK(drawn.title == "2 Hz in phase, round 1");
  CHECK(drawn.width == Approx(0.5 / kBinsOfBeat));
  REQUIRE(drawn.schedule.size() == 8 * kBinsOfBeat);
  CHECK(drawn.power.size() == drawn.schedule.size());
  for (std::size_t bin = 0; bin < drawn.schedule.size(); ++bin) {
    CHECK(drawn.schedule[bin] == (drawn.power[bin] > 600 ? 1 : 0));
    CHECK((drawn.load[bin] > 0) == (drawn.schedule[bin] > 0));
  }
}

TEST_CASE("with phases spread a schedule is even") {
  Run run = played::run(2);
  run.in_phase = false;
  const Drawn drawn = drawn_of(run, Config(), 4, played::collected(2, {0, 0.25, 0.5, 0.75}), "");
  CHECK(mean(drawn.schedule) == Approx(0.5));
  for (const double share : drawn.schedule) CHECK(share == Approx(0.5));
}

TEST_CASE("power that the counters do not resolve is not drawn") {
  Collected all = played::collected(2, {0, 0, 0, 0});
  all.power = played::power(300, 900, 0.2);
  CHECK(drawn_of(played::run(2), Config(), 4, all, "").power.empty());
  all.power.reset();
  CHECK(drawn_of(played::run(2), Config(), 4, all, "").power.empty());
}

TEST_CASE("a ramp is drawn over its line") {
  Run run = played::run(kRampSlots);
  run.kind = Run::Kind::kRamp;
  run.seconds = 1;
  Collected all;
  all.load = ramp_shares(50);
  const Drawn drawn = drawn_of(run, Config(), 4, all, "");
  REQUIRE(drawn.schedule.size() == all.load.size());
  CHECK(drawn.schedule == all.load);
  CHECK(drawn.width == Approx(0.02));
}

TEST_CASE("what a page quotes is text, and a run without work has no line") {
  const Drawn drawn{"<b>&", "a < b", 0.1, {1, 0}, {0, 0}, {}};
  const std::string page = page_of({drawn}, {"power <brake>"});
  CHECK_THAT(page, Catch::Contains("<h2>&lt;b&gt;&amp;</h2>") && Catch::Contains("a &lt; b") &&
                       Catch::Contains("power &lt;brake&gt;") && !Catch::Contains("<polyline"));
  const Drawn powered{"a", "", 0.1, {1, 0}, {2, 0}, {340, 120}};
  CHECK_THAT(page_of({powered}, {}), Catch::Contains("class=\"power\"") &&
                                         Catch::Contains("class=\"load\"") &&
                                         Catch::Contains(">500 W</text>"));
}

}  // namespace rackproof::swing
