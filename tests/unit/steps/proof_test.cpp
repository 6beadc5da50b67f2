#include "benches/steps/proof.hpp"

#include <catch2/catch.hpp>
#include <limits>

#include "benches/kit/product/operands.hpp"

namespace rackproof::steps {
namespace {

using Catch::Contains;

constexpr std::int64_t kProofBound = 100;

// Two tensors of drawn integers, 4 x 8 and 2 x 16.
struct Held {
  std::vector<float> first = std::vector<float>(32);
  std::vector<float> second = std::vector<float>(32);
  Proof proof{7};

  Held() {
    proof.add({3, "attention.output", 1, first.data(), {8, {{4, {{Drawn{11, 8, kProofBound}}}}}}});
    proof.add({4, "mlp.gradient", -1, second.data(), {16, {{2, {{Drawn{12, 16, kProofBound}}}}}}});
    set(1);
  }
  void set(float sign) {
    product::fill_integers(std::span<float>(first), kProofBound, 11);
    product::fill_integers(std::span<float>(second), kProofBound, 12);
    for (float& value : first) value *= sign;
    for (float& value : second) value *= sign;
  }
};

}  // namespace

TEST_CASE("right results pass, of either sign, and every element is counted") {
  Held held;
  CHECK(held.proof.elements() == 64);
  held.proof.check_exactly(1);
  held.set(-1);
  held.proof.check(-1);
  held.proof.check_exactly(-1);
  CHECK(held.proof.findings().wrong == 0);
  CHECK(held.proof.findings().compared == 3 * 64);
}

TEST_CASE("weights have the same sign in every step") {
  std::vector<float> weights(32);
  product::fill_integers(std::span<float>(weights), kProofBound, 13);
  Proof proof(7);
  proof.add({0, "weights", -1, weights.data(), {8, {{4, {{Drawn{13, 8, kProofBound}}}}}}, false});
  for (const int sign : {1, -1}) {
    proof.check_exactly(sign);
    proof.check(-sign);
  }
  CHECK(proof.findings().wrong == 0);
  weights[9] = std::numeric_limits<float>::quiet_NaN();
  proof.check(-1);
  CHECK(proof.findings().wrong == 1);
}

TEST_CASE("a result that nobody wrote has the sign of the step before") {
  Held held;
  held.proof.check_exactly(1);
  held.proof.check(-1);
  CHECK(held.proof.findings().wrong > 0);
}

TEST_CASE("any flipped bit is found, with layer, tensor, micro-batch and element") {
  for (int bit = 0; bit < 32; ++bit) {
    Held held;
    held.proof.check_exactly(1);
    held.proof.inject({32 + 16 + 5, bit});
    held.proof.check(1);
    REQUIRE(held.proof.findings().wrong == 1);
    CHECK(held.proof.findings().first->where == "layer 4, mlp.gradient, row 1, column 5");
  }
  Held held;
  held.proof.inject({9, 30});
  held.proof.check_exactly(1);
  REQUIRE(held.proof.findings().first);
  CHECK_THAT(held.proof.findings().first->where,
             Contains("layer 3, attention.output, micro-batch 1, row 1, column 1"));
}

TEST_CASE("results that were never right are not believed because they stay the same") {
  Held held;
  held.first[0] += 1;
  held.proof.check_exactly(1);
  const auto once = held.proof.findings().wrong;
  held.proof.check(1);
  CHECK(once == 1);
  CHECK(held.proof.findings().wrong == 2);
}

TEST_CASE("where many rows are wrong, one is counted in those that were not searched") {
  std::vector<float> data(6 * 8);
  product::fill_integers(std::span<float>(data), kProofBound, 5);
  Proof proof(7);
  proof.add({0, "attention.output", 0, data.data(), {8, {{6, {{Drawn{5, 8, kProofBound}}}}}}});
  proof.check_exactly(1);
  for (float& value : data) value = 0.5F;
  proof.check(1);
  CHECK(proof.findings().wrong == 4 * 8 + 2);
  CHECK_FALSE(proof.findings().all_counted);
}

}  // namespace rackproof::steps
