#include "benches/steps/nccl_config.hpp"

#include <catch2/catch.hpp>

#include "benches/kit/errors.hpp"

namespace rackproof::steps {
namespace {

using Catch::Contains;

NcclConfig of(const std::string& card) {
  NcclConfig config;
  config.card = std::string(RACKPROOF_SOURCE_DIR) + "/cards/" + card + ".json";
  return config;
}

std::string refusal(const NcclConfig& config, std::int64_t ranks) {
  try {
    (void)plan_of(config, ranks);
  } catch (const kit::UsageError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("on GPUs gradients are all weights of a layer and tensors are cut over all ranks") {
  NcclConfig config = of("llama-8b");
  config.messages = {"tensor", "gradients", "sweep"};
  const NcclPlan plan = plan_of(config, 8);
  REQUIRE(plan.cells.size() == 4);
  const NcclCell& tensor = plan.cells[0];
  CHECK(tensor.count == 4096 * 4096);
  CHECK(tensor.layout == Layout{8, 1, 1, 1, false});
  CHECK(tensor.depth == 14336 / 8);
  const NcclCell& gradients = plan.cells[1];
  // 4096 x (4096 + 2 x 1024 + 4096) for attention and 3 x 4096 x 14336 for the experts.
  CHECK(gradients.count == 218103808);
  CHECK(gradients.layout == Layout{1, 1, 8, 1, false});
  CHECK(gradients.depth == 14336);
  CHECK(plan.cells[3].count == 128 << 20);
  CHECK(base_parameters(plan, config, gradients).at("dp") == contract::Scalar{std::int64_t{8}});
  CHECK(base_parameters(plan, config, tensor).at("tp") == contract::Scalar{std::int64_t{8}});
}

TEST_CASE("the precision of the card is that of products and messages") {
  NcclConfig config = of("llama-8b");
  CHECK(plan_of(config, 2).operands == product::Dtype::kBf16);
  CHECK(plan_of(config, 2).elements == reduction::Dtype::kBfloat16);
  // 436 MB of gradients, 2 x 117 MB of operands, 2 x 34 MB of results, 67 MB for the library.
  const NcclPlan plan = plan_of(config, 2);
  CHECK(bytes_of(plan, plan.cells[0]) ==
        2 * (218103808 + 2 * 4096 * 14336 + 2 * 4096 * 4096) + (64 << 20));
}

TEST_CASE("on GPUs what cannot be is refused with what was expected") {
  NcclConfig config = of("llama-8b");
  config.messages = {"tensor"};
  CHECK_THAT(refusal(config, 3), Contains("--messages tensor cuts each matrix over all 3 ranks") &&
                                     Contains("expected a divisor of"));
  config.messages = {"gradients"};
  CHECK(refusal(config, 3).empty());
  config.sequence = 100;
  config.card = of("mixtral-8x7b").card;
  CHECK_FALSE(refusal(config, 2).empty());
  config = of("llama-8b");
  config.sizes = {"3"};
  CHECK_THAT(refusal(config, 2), Contains("--sizes 3: expected a multiple of 2 bytes"));
  config.sizes = {"1M"};
  config.plant = "late:1:20";
  CHECK_THAT(refusal(config, 2), Contains("--plant late:1:20: expected serialised"));
}

TEST_CASE("memory that a GPU has not is missed before it is asked for") {
  const NcclConfig config = of("llama-8b");
  const NcclPlan plan = plan_of(config, 4);
  demand_device_memory(plan, 80'000'000'000);
  CHECK_THROWS_WITH(demand_device_memory(plan, 500'000'000),
                    Contains("gradients beside a product of 4096 x 4096 x 14336 takes 0.8 GB of a "
                             "GPU, 0.3 GB more than it has"));
}

}  // namespace rackproof::steps
