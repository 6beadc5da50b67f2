#include "benches/steps/schedule.hpp"

#include <catch2/catch.hpp>

#include "benches/steps/arithmetic.hpp"

namespace rackproof::steps {
namespace {

constexpr auto kF = Turn::Kind::kForward;
constexpr auto kB = Turn::Kind::kBackward;

}  // namespace

TEST_CASE(
    "one forward one backward: stages begin with what is needed behind them, and take turns") {
  CHECK(one_forward_one_backward(0, 2, 3) ==
        std::vector<Turn>{{kF, 0}, {kF, 1}, {kB, 0}, {kF, 2}, {kB, 1}, {kB, 2}});
  CHECK(one_forward_one_backward(1, 2, 2) == std::vector<Turn>{{kF, 0}, {kB, 0}, {kF, 1}, {kB, 1}});
  CHECK(one_forward_one_backward(0, 4, 1) == std::vector<Turn>{{kF, 0}, {kB, 0}});
}

TEST_CASE(
    "each stage does each micro-batch once each way, and holds at most one a stage behind it") {
  for (std::int64_t stages = 1; stages <= 5; ++stages) {
    for (std::int64_t batches = 1; batches <= 9; ++batches) {
      for (std::int64_t stage = 0; stage < stages; ++stage) {
        const auto turns = one_forward_one_backward(stage, stages, batches);
        REQUIRE(turns.size() == static_cast<std::size_t>(2 * batches));
        std::int64_t held = 0;
        std::int64_t forward = 0;
        std::int64_t backward = 0;
        for (const Turn& turn : turns) {
          CHECK(turn.micro_batch == (turn.kind == kF ? forward++ : backward++));
          held += turn.kind == kF ? 1 : -1;
          CHECK(held >= 0);
          CHECK(held <= stages - stage);
        }
      }
    }
  }
}

TEST_CASE("the idle share of a pipeline of equal stages is (p - 1)/m") {
  for (std::int64_t stages = 1; stages <= 5; ++stages) {
    for (std::int64_t batches = 1; batches <= 9; ++batches) {
      const std::vector<StageTimes> equal(static_cast<std::size_t>(stages), {1, 2});
      const double ideal = 3.0 * static_cast<double>(batches);
      CHECK(predicted_seconds(equal, batches, 0) / ideal - 1 ==
            Approx(bubble(stages, batches)).margin(1e-12));
    }
  }
}

TEST_CASE("messages between stages and a slow stage lengthen a step") {
  CHECK(predicted_seconds({{1, 2}, {1, 2}}, 1, 0.5) == 7);
  CHECK(predicted_seconds({{1, 2}, {2, 4}}, 4, 0) == 1 + 4 * 6 + 2);
}

}  // namespace rackproof::steps
