#include "benches/steps/step_program.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

namespace rackproof::steps {
namespace {

using Products = std::array<double, kProducts>;
using Messages = std::array<double, kTraffic>;

Products all(double seconds) {
  Products products{};
  products.fill(seconds);
  return products;
}

Messages one(Traffic traffic, double seconds) {
  Messages messages{};
  messages[static_cast<std::size_t>(traffic)] = seconds;
  return messages;
}

std::int64_t count(const Program& program, Traffic traffic) {
  return std::count_if(program.begin(), program.end(), [&](const Operation& op) {
    return op.sends && op.kind == static_cast<std::size_t>(traffic);
  });
}

}  // namespace

TEST_CASE("a step has twelve products a layer, and each message a place of its own") {
  for (const Sharing sharing : {Sharing::kTensor, Sharing::kData, Sharing::kSharded}) {
    const Program program = training_program(sharing, 3);
    CHECK(std::count_if(program.begin(), program.end(),
                        [](const Operation& op) { return !op.sends; }) == 36);
    std::vector<std::size_t> places;
    for (std::size_t at = 0; at < program.size(); ++at) {
      for (const std::size_t before : program[at].after) {
        CHECK(before < at);
        CHECK(program[before].sends != program[at].sends);
      }
      if (program[at].sends) places.push_back(program[at].place);
    }
    std::sort(places.begin(), places.end());
    REQUIRE(places.size() == messages_of(program));
    for (std::size_t i = 0; i < places.size(); ++i) CHECK(places[i] == i);
  }
  CHECK(count(training_program(Sharing::kTensor, 3), Traffic::kTensor) == 12);
  CHECK(count(training_program(Sharing::kData, 3), Traffic::kGradients) == 3);
  CHECK(count(training_program(Sharing::kSharded, 3), Traffic::kGather) == 6);
  CHECK(count(training_program(Sharing::kSharded, 3), Traffic::kScatter) == 3);
  CHECK(count(forward_program(3), Traffic::kTensor) == 6);
}

TEST_CASE("without messages a step takes what its products take") {
  for (const Sharing sharing : {Sharing::kTensor, Sharing::kData, Sharing::kSharded}) {
    CHECK(predicted_seconds(training_program(sharing, 3), all(1), {}) == Approx(36));
  }
  CHECK(product_seconds(forward_program(3), all(1)) == Approx(12));
  CHECK(traffic_seconds(forward_program(3), one(Traffic::kTensor, 2)) == Approx(12));
}

TEST_CASE(
    "nothing hides the all-reduces of tensor parallelism forward, and a product each backward") {
  CHECK(predicted_seconds(forward_program(3), all(1), one(Traffic::kTensor, 2)) ==
        Approx(12 + 6 * 2));
  // Beside each of the 6 backward ones is the product of a weight gradient.
  CHECK(predicted_seconds(training_program(Sharing::kTensor, 3), all(1),
                          one(Traffic::kTensor, 2)) == Approx(36 + 6 * 2 + 6 * (2 - 1)));
}

TEST_CASE("gradients hide behind the layers before them, but for the last one") {
  const Program program = training_program(Sharing::kData, 4);
  // Eight products a layer backward.
  CHECK(predicted_seconds(program, all(1), one(Traffic::kGradients, 8)) == Approx(48 + 8));
  CHECK(predicted_seconds(program, all(1), one(Traffic::kGradients, 5)) == Approx(48 + 5));
  CHECK(predicted_seconds(program, all(1), one(Traffic::kGradients, 20)) ==
        Approx(16 + 8 + 4 * 20));
}

TEST_CASE("weights are gathered one layer ahead, and there is no room for more") {
  const Program program = training_program(Sharing::kSharded, 2);
  // Forward a layer has four products: gathering takes as long, and only the first shows.
  CHECK(predicted_seconds(program, all(1), one(Traffic::kGather, 4)) == Approx(4 + 24));
  // Twice as long: forward each layer but the first, which is gathered while nothing computes,
  // waits.
  CHECK(predicted_seconds(program, all(0), one(Traffic::kGather, 8)) == Approx(4 * 8));
  // The third gathering may begin once the first layer is computed, and takes 16 from there on.
  CHECK(predicted_seconds(program, all(1), one(Traffic::kGather, 16)) ==
        Approx(16 + 16 + 16 + 16 + 8));
}

TEST_CASE("products and messages have the field's names") {
  CHECK(product_text(product_index(Matrix::kDown, Gradient::kNone)) == "mlp.down forward");
  CHECK(product_text(product_index(Matrix::kQkv, Gradient::kWeights)) ==
        "attention.qkv weight gradient");
  CHECK(traffic_text(Traffic::kScatter) == "gradients reduce-scatter");
}

}  // namespace rackproof::steps
