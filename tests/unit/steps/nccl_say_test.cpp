#include "benches/steps/nccl_say.hpp"

#include <catch2/catch.hpp>

namespace rackproof::steps {
namespace {

StepPlan plan(Sharing sharing) {
  StepPlan plan;
  plan.layers = 4;
  plan.program = training_program(sharing, 4);
  return plan;
}

// Four ranks whose products take a millisecond each, of which a step has 48; all messages together
// cost it `beside` seconds.
StepTimes times(double beside) {
  StepTimes times;
  times.products.resize(4);
  for (auto& rank : times.products) rank.fill(0.001);
  times.traffic.fill(0.002);
  times.steps = {0.048 + beside, 0.048 + beside, 0.049 + beside};
  return times;
}

}  // namespace

TEST_CASE("a step whose messages are hidden has no slow part") {
  CHECK(slow_part(plan(Sharing::kData), times(0.001)).empty());
  CHECK(slowest_product(plan(Sharing::kData), times(0)).rank == -1);
}

TEST_CASE("a product that is slow on one rank is named with what it costs a step") {
  StepTimes slow = times(0.005);
  slow.products[2][product_index(Matrix::kDown, Gradient::kWeights)] = 0.002;
  const SlowGemm found = slowest_product(plan(Sharing::kTensor), slow);
  CHECK(found.rank == 2);
  CHECK(found.seconds == Approx(0.004));
  CHECK(slow_part(plan(Sharing::kTensor), slow) ==
        "slow GEMM: mlp.down weight gradient takes rank 2 4.00 ms of a step (8 %) longer than the "
        "other ranks");
  CHECK(slow.slowest()[product_index(Matrix::kDown, Gradient::kWeights)] == 0.002);
}

TEST_CASE("messages that nothing hides are named by what most of them are") {
  CHECK(
      slow_part(plan(Sharing::kSharded), times(0.02)) ==
      "exposed communication: 20.00 ms of a step (29 %) are not products; most of what is sent is "
      "weights all-gather");
  CHECK_THAT(slow_part(plan(Sharing::kTensor), times(0.02)), Catch::EndsWith("tensor all-reduce"));
}

}  // namespace rackproof::steps
