#include "benches/swing/notes.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/swing/played.hpp"

namespace rackproof::swing {
namespace {

const std::vector<std::string> kHosts{"a", "a", "b", "b"};

protocol::Note note_of_run(const Run& run, const Collected& all) {
  const Config config;
  Series alone;
  add_run(run, config, all, std::nullopt, alone);
  return note_of(run, config, all, alone, kHosts);
}

}  // namespace

TEST_CASE("the clocks say how far they are apart, and which") {
  const Clocks clocks{{0, 0.3, -0.2, 0.1}, {0, 1e-6, 5e-6, 3e-6}};
  CHECK(clocks.apart() == Approx(0.5));
  CHECK(clocks.bound() == Approx(8e-6));
  const protocol::Note note = note_of(clocks);
  CHECK(note.facts.at("ahead_rank") == contract::Scalar(std::int64_t{1}));
  CHECK(note.facts.at("behind_rank") == contract::Scalar(std::int64_t{2}));
  CHECK_THAT(note.text, Catch::Contains("500.000 ms apart") &&
                            Catch::Contains("rank 1's is +300.000 ms, rank 2's -200.000 ms") &&
                            Catch::Contains("at most 8.000 us"));
}

TEST_CASE("headroom is known where all hosts state limit and idle power") {
  std::vector<Sensed> hosts{{"a", Lack::kNothing, 50, 250}, {"b", Lack::kNothing, 60, 200}};
  CHECK(headroom_of(hosts).value() == Approx(340));
  hosts[1].limit_watts.reset();
  CHECK_FALSE(headroom_of(hosts));
}

TEST_CASE("what is not measured of hosts is said with its reason") {
  std::vector<Sensed> hosts{
      {"a", Lack::kNoCounter}, {"b", Lack::kNotReadable}, {"c", Lack::kNoCounter}};
  hosts[0].counted[static_cast<std::size_t>(Event::kThrottle)] = true;
  const protocol::Note note = note_of(hosts, "hosts", "power is that of processors");
  CHECK_THAT(note.text, Catch::Contains("no energy counter of the processor on a and 1 more") &&
                            Catch::Contains("may not read") && Catch::Contains("on b") &&
                            Catch::Contains("nothing is said of power") &&
                            Catch::Contains("thermal throttling counted on 1 of 3 hosts"));
  CHECK(note.facts.at("power") == contract::Scalar(false));
  for (Sensed& host : hosts) host.lack = Lack::kNothing;
  CHECK(note_of(hosts, "hosts", "power is that of processors").facts.at("power") ==
        contract::Scalar(true));
}

TEST_CASE("a run in phase names its skew and the rank that is farthest off") {
  const protocol::Note note = note_of_run(played::run(2), played::collected(2, {0, 0, 0, 0}));
  CHECK_THAT(note.text, Catch::StartsWith("2 Hz in phase, round 1; rising edges 3.000 ms apart") &&
                            Catch::Contains("clocks are known to 2.000 us") &&
                            Catch::Contains("coherence of the load 1.0000"));
  CHECK(std::get<double>(note.facts.at("skew_p99")) == Approx(0.003));
  CHECK(note.facts.count("power_mean") == 0);
}

TEST_CASE("a run with phases spread has no skew") {
  Run run = played::run(2);
  run.in_phase = false;
  const protocol::Note note = note_of_run(run, played::collected(2, {0, 0.25, 0.5, 0.75}));
  CHECK_THAT(note.text, Catch::StartsWith("2 Hz with phases spread"));
  CHECK(note.facts.count("skew_p50") == 0);
  CHECK(note.facts.count("coherence") == 1);
}

TEST_CASE("power that the counters do not resolve is not said") {
  Collected all = played::collected(2, {0, 0, 0, 0});
  all.power = played::power(300, 900, 0.2);
  const protocol::Note coarse = note_of_run(played::run(2), all);
  CHECK_THAT(coarse.text, Catch::Contains("move every 200.000 ms, which does not resolve 2 Hz"));
  CHECK(coarse.facts.count("power_mean") == 0);
  all.power->interval = 0.001;
  const protocol::Note fine = note_of_run(played::run(2), all);
  CHECK_THAT(fine.text,
             Catch::Contains("power 600.0 W on average") && Catch::Contains("swing 600.0 W"));
}

}  // namespace rackproof::swing
