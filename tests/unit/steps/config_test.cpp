#include "benches/steps/config.hpp"

#include <catch2/catch.hpp>

#include "benches/kit/errors.hpp"

namespace rackproof::steps {
namespace {

using Catch::Contains;

Config small() {
  Config config;
  config.card = std::string(RACKPROOF_SOURCE_DIR) + "/cards/llama-8b.json";
  config.layers = 4;
  config.scale = 16;
  config.layout = {2, 2, 1, 1, false};
  return config;
}

}  // namespace

TEST_CASE("a plan has the place of its rank, and the same numbers on all") {
  const Plan plan = plan_of(small(), 3, 4);
  CHECK(plan.place == Place{1, 0, 0, 1});
  CHECK(plan.card.hidden == 256);
  CHECK(plan.sizes == std::vector<std::int64_t>{65536, 1048576});
  CHECK(base_parameters(plan, small()) == base_parameters(plan_of(small(), 0, 4), small()));
}

TEST_CASE("what cannot be measured is refused before anything is made") {
  CHECK_THROWS_AS(plan_of(small(), 0, 2), kit::UsageError);
  Config config = small();
  config.sizes = {"6"};
  CHECK_THROWS_WITH(plan_of(config, 0, 4), Contains("--sizes 6: expected a multiple of 4"));
  config = small();
  config.batches = {"0"};
  CHECK_THROWS_WITH(plan_of(config, 0, 4), Contains("--batches 0: expected"));
  config = small();
  config.parts = {"kv"};
  config.layout = {};
  CHECK_THROWS_WITH(plan_of(config, 0, 1), Contains("at least 2 ranks"));
}

TEST_CASE("a planted fault is on its rank alone, and has to be one") {
  Config config = small();
  config.plant = "late:2:20";
  CHECK_FALSE(plan_of(config, 1, 4).plant);
  const Plan plan = plan_of(config, 2, 4);
  REQUIRE(plan.plant);
  CHECK(plan.plant->kind == Plant::Kind::kLate);
  CHECK(plan.plant->amount == 0.02);
  config.plant = "serialised";
  CHECK(plan_of(config, 0, 4).plant->kind == Plant::Kind::kSerialised);
  for (const char* wrong : {"late", "late:1", "late:x:1", "late:1:0", "early:1:1", "late:4:20"}) {
    config.plant = wrong;
    CHECK_THROWS_AS(plan_of(config, 0, 4), kit::UsageError);
  }
}

}  // namespace rackproof::steps
