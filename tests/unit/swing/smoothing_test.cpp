#include "benches/swing/smoothing.hpp"

#include <catch2/catch.hpp>

namespace rackproof::swing {
namespace {

Smoothing set_to() { return {true, 0, 500, 1000, 2000, 0.4}; }

// Half a second off, by a counter that moves every 5 ms; rises in 400 ms and falls in 200 ms, which
// is as steep as it may be.
Swung swung(double low) {
  constexpr double kHigh = 1000;
  return {low, kHigh, 0.005, 0.5, 0.8 * (kHigh - low) / 1000, 0.8 * (kHigh - low) / 2000};
}

}  // namespace

TEST_CASE("smoothing that is not told or off is so whatever power does") {
  CHECK(smoothness({}, {swung(500)}) == Smoothness::kNotTold);
  Smoothing off = set_to();
  off.enabled = false;
  CHECK(smoothness(off, {swung(500)}) == Smoothness::kOff);
}

TEST_CASE("power has to stay over the floor until the hysteresis is over") {
  CHECK(smoothness(set_to(), {swung(500)}) == Smoothness::kAsSet);
  CHECK(smoothness(set_to(), {swung(451)}) == Smoothness::kAsSet);
  CHECK(smoothness(set_to(), {swung(449)}) == Smoothness::kTooLow);
  // One run is enough.
  CHECK(smoothness(set_to(), {swung(500), swung(200), swung(500)}) == Smoothness::kTooLow);
  // It may fall where the off part lasts longer.
  Swung longer = swung(200);
  longer.off_seconds = 2;
  CHECK(smoothness(set_to(), {longer}) == Smoothness::kAsSet);
}

TEST_CASE("power that rises or falls faster than it may is too steep") {
  Swung run = swung(500);
  run.rise = *run.rise / 1.2;
  CHECK(smoothness(set_to(), {run}) == Smoothness::kTooSteep);
  run = swung(500);
  run.fall = *run.fall / 1.2;
  CHECK(smoothness(set_to(), {run}) == Smoothness::kTooSteep);
  // As fast as the counter can show, and that is too fast.
  run.fall = 0.001;
  CHECK(smoothness(set_to(), {run}) == Smoothness::kTooSteep);
}

TEST_CASE("what the counter blurs blames nobody, and clears nobody") {
  Swung run = swung(500);
  run.interval = 0.25;
  run.rise = run.fall = 0.25;
  // 400 W in two updates, or half a second, is slower than a thousand watts a second.
  CHECK(smoothness(set_to(), {run}) == Smoothness::kUnresolved);
  CHECK(smoothness(set_to(), {}) == Smoothness::kUnresolved);
  Smoothing nothing;
  nothing.enabled = true;
  CHECK(smoothness(nothing, {swung(500)}) == Smoothness::kUnresolved);
}

TEST_CASE("each GPU that is accused is named, with what it is set to and what was seen") {
  Smoothing off = set_to();
  off.enabled = false;
  const std::vector<protocol::Note> notes =
      notes_of({"a/0", "a/1", "b/0", "b/1", "c/0"}, {set_to(), off, set_to(), off, {}},
               {{swung(500)}, {swung(100)}, {swung(100)}, {swung(100)}, {}});
  REQUIRE(notes.size() == 4);
  CHECK(notes[0].text ==
        "power smoothing is off on a/1; b/1: what feeds them gets their whole swing");
  CHECK(notes[0].facts.at("gpus") == contract::Scalar(std::int64_t{2}));
  CHECK_THAT(
      notes[1].text,
      Catch::StartsWith("power smoothing does not do what it is set to: under the floor") &&
          Catch::Contains("b/0 (set to profile 0, floor 500 W, rise 1000 W/s, fall 2000 W/s, "
                          "hysteresis 400 ms; seen 100 to 1000 W with 0.5 s off)"));
  CHECK(notes[1].facts.at("smoothing") == contract::Scalar(std::string("under its floor")));
  CHECK_THAT(notes[2].text, Catch::Contains("as far as the counters show: a/0 (set to"));
  CHECK(notes[3].facts.at("first") == contract::Scalar(std::string("c/0")));
}

}  // namespace rackproof::swing
