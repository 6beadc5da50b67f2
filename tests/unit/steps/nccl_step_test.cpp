#include "benches/steps/nccl_step.hpp"

#include <catch2/catch.hpp>

#include "benches/kit/errors.hpp"

namespace rackproof::steps {
namespace {

Card card_of(const std::string& name) {
  return load_card(std::string(RACKPROOF_SOURCE_DIR) + "/cards/" + name + ".json", {});
}

StepPlan plan(StepPart part, Sharing sharing, std::int64_t ranks, const Batch& batch,
              std::int64_t layers = 2) {
  return step_plan(part, sharing, card_of("llama-8b"), layers, batch, ranks, product::Dtype::kBf16,
                   reduction::Dtype::kBfloat16);
}

const Batch kBatch{4096, 1, 1};

}  // namespace

TEST_CASE("products of a step are those of the card, cut where ranks share the matrices") {
  const StepPlan whole = plan(StepPart::kTrain, Sharing::kData, 8, kBatch);
  const Extents& down = whole.products[product_index(Matrix::kDown, Gradient::kNone)];
  CHECK((down.m == 4096 && down.n == 4096 && down.k == 14336));
  const Extents& weights = whole.products[product_index(Matrix::kDown, Gradient::kWeights)];
  CHECK((weights.m == 14336 && weights.n == 4096 && weights.k == 4096));
  const StepPlan cut = plan(StepPart::kTrain, Sharing::kTensor, 8, kBatch);
  CHECK(cut.products[product_index(Matrix::kDown, Gradient::kNone)].k == 14336 / 8);
  // Six operations for each weight and token, shared or not: attention itself is left out.
  const double wanted = 6.0 * 218103808 * 4096 * 2;
  CHECK(operations_of(whole) == Approx(wanted));
  CHECK(operations_of(cut) * 8 == Approx(wanted));
  CHECK(operations_of(plan(StepPart::kPrefill, Sharing::kTensor, 8, kBatch)) * 8 ==
        Approx(wanted / 3));
}

TEST_CASE("messages of a step are as long as the model says") {
  const StepPlan step = plan(StepPart::kTrain, Sharing::kTensor, 8, kBatch);
  CHECK(step.elements[static_cast<std::size_t>(Traffic::kTensor)] == 4096 * 4096);
  const StepPlan sharded = plan(StepPart::kTrain, Sharing::kSharded, 3, kBatch);
  CHECK(sharded.elements[static_cast<std::size_t>(Traffic::kGradients)] == 218103808);
  // Rounded up to parts that are alike.
  CHECK(sharded.elements[static_cast<std::size_t>(Traffic::kGather)] == 218103810);
}

TEST_CASE("few tokens are rounded up to what the type takes") {
  const StepPlan step = plan(StepPart::kDecode, Sharing::kTensor, 8, {1, 3, 1});
  const std::int64_t rows = step.products[product_index(Matrix::kQkv, Gradient::kNone)].m;
  CHECK(rows >= 3);
  CHECK(rows % product::numbers(product::Dtype::kBf16).multiple == 0);
  CHECK(step.elements[static_cast<std::size_t>(Traffic::kTensor)] == 3 * 4096);
  // Two bytes a weight, an eighth of two layers.
  CHECK(weight_bytes(step) == Approx(2.0 * 2 * 218103808 / 8));
}

TEST_CASE("memory counts each product and each message once") {
  const StepPlan step = plan(StepPart::kTrain, Sharing::kData, 2, kBatch);
  const std::int64_t more =
      bytes_of(plan(StepPart::kTrain, Sharing::kData, 2, kBatch, 3)) - bytes_of(step);
  CHECK(more == 2 * std::int64_t{218103808});
  CHECK(bytes_of(plan(StepPart::kPrefill, Sharing::kTensor, 2, kBatch)) < bytes_of(step));
}

TEST_CASE("what cannot be shared so is refused") {
  CHECK_THROWS_AS(plan(StepPart::kTrain, Sharing::kTensor, 3, kBatch), kit::UsageError);
  CHECK_NOTHROW(plan(StepPart::kTrain, Sharing::kData, 3, kBatch));
  CHECK_THROWS_WITH(step_plan(StepPart::kTrain, Sharing::kData, card_of("mixtral-8x7b"), 1, kBatch,
                              2, product::Dtype::kBf16, reduction::Dtype::kBfloat16),
                    Catch::Contains("has experts"));
}

}  // namespace rackproof::steps
