#include "benches/swing/config.hpp"

#include <catch2/catch.hpp>

#include "benches/kit/errors.hpp"

namespace rackproof::swing {

TEST_CASE("planted faults are read by rank") {
  const Plants plants =
      plants_of({"clock:1:300", "clock:2:-300.5", "late:0:20", "throttle:3", "power-limit:2"}, 4);
  CHECK(plants.clock == std::map<std::int64_t, double>{{1, 0.3}, {2, -0.3005}});
  CHECK(plants.late == std::map<std::int64_t, double>{{0, 0.02}});
  CHECK(plants.throttle == std::set<std::int64_t>{3});
  CHECK(plants.power_limit == std::set<std::int64_t>{2});
  CHECK(plants_of({}, 4).clock.empty());
}

TEST_CASE("all that is planted is named together") {
  Config config;
  CHECK(fault_of(config).empty());
  config.plant = {"late:1:3", "clock:0:300"};
  CHECK(fault_of(config) == "late:1:3,clock:0:300");
  config.kernel_files = "/tmp/machine";
  CHECK(fault_of(config) == "late:1:3,clock:0:300,kernel-files:/tmp/machine");
}

TEST_CASE("what is no planted fault is refused") {
  for (const char* word :
       {"", "clock", "clock:1", "clock:x:3", "clock:1:x", "clock:-1:3", "clock:1:3:4", "late:1:0",
        "late:1:-3", "throttle", "throttle:1:2", "power-limit:", "brake:1", "clock:1:3ms"}) {
    INFO(word);
    CHECK_THROWS_AS(plants_of({word}, 4), kit::UsageError);
  }
  CHECK_THROWS_WITH(plants_of({"late:4:1"}, 4), Catch::Contains("a rank below 4"));
}

TEST_CASE("frequencies are numbers of hertz, each once") {
  CHECK(frequencies_of({"0.2", "20"}) == std::vector<double>{0.2, 20});
  for (const char* word : {"", "0", "-1", "51", "nan", "inf", "2Hz", "1 "}) {
    INFO(word);
    CHECK_THROWS_AS(frequencies_of({word}), kit::UsageError);
  }
  CHECK_THROWS_WITH(frequencies_of({"1", "2", "1.0"}), Catch::Contains("each one once"));
  CHECK_THROWS_AS(frequencies_of({}), kit::UsageError);
}

TEST_CASE("runs come in pairs, in turn the other way around") {
  Config config;
  config.frequencies = {"1", "5"};
  config.rounds = 2;
  const auto runs = runs_of(config, 8);
  REQUIRE(runs.size() == 8);
  std::string order;
  for (const Run& run : runs) {
    CHECK(run.kind == Run::Kind::kSquare);
    CHECK(run.swinging == 8);
    order += run.in_phase ? 'i' : 's';
  }
  CHECK(order == "issisiis");
  CHECK(runs[0].frequency == 1);
  CHECK(runs[3].frequency == 5);
  CHECK(runs[7].round == 2);
}

TEST_CASE("stages come first, at the lowest frequency, and a ramp at the end of each round") {
  Config config;
  config.frequencies = {"5", "0.5"};
  config.start_fraction = 0.25;
  config.ramp = 3;
  const auto runs = runs_of(config, 8);
  REQUIRE(runs.size() == 2 + 4 + 1);
  CHECK(runs[0].kind == Run::Kind::kStage);
  CHECK(runs[0].swinging == 2);
  CHECK(runs[1].swinging == 4);
  CHECK(runs[1].frequency == 0.5);
  CHECK(runs[2].kind == Run::Kind::kSquare);
  CHECK(runs[6].kind == Run::Kind::kRamp);
  CHECK(runs[6].seconds == 3);
  CHECK(title_of(runs[0], 8) == "2 of 8 ranks in phase at 0.5 Hz");
  CHECK(title_of(runs[2], 8) == "5 Hz in phase, round 1");
  CHECK(title_of(runs[6], 8) == "ramp of 3 s, round 1");
}

TEST_CASE("one kind of phases alone has no pairs, and spread ones no stages") {
  Config config;
  config.frequencies = {"1", "2"};
  config.start_fraction = 0.5;
  config.phases = {"spread"};
  const auto runs = runs_of(config, 4);
  REQUIRE(runs.size() == 2);
  CHECK_FALSE(runs[0].in_phase);
  CHECK_FALSE(runs[1].in_phase);
}

}  // namespace rackproof::swing
