#include "benches/steps/operands.hpp"

#include <catch2/catch.hpp>

#include "benches/kit/product/operands.hpp"
#include "tests/unit/steps/cards.hpp"

namespace rackproof::steps {
namespace {

using Values = std::vector<float>;

// A mixture of 4 experts over 2 x 2 x 2 ranks (tensor, expert, data), 2 micro-batches of 4 tokens.
struct Model {
  Layout layout{2, 1, 2, 2, false};
  Batch batch{4, 1, 2};
  Card card{"m", 8, 1, 4, 2, 6, 4, 1, "fp32"};
  Shape shape = shape_of(card, layout, batch, {});
  Operands operands{shape, layout, batch.micro_batches, 5, 77};

  // As a rank fills its memory: by the seed alone.
  Values filled(Operand operand, const Place& place, std::int64_t index) const {
    Values values(static_cast<std::size_t>(operands.elements(operand)));
    product::fill_integers(std::span<float>(values), 5,
                           operands.drawn(operand, {place, index}).seed);
    return values;
  }
};

// c += a b, or a b transposed, in plain loops.
void add_product(const float* a, const float* b, bool turned, std::int64_t rows,
                 std::int64_t columns, std::int64_t depth, float* c) {
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) {
      for (std::int64_t k = 0; k < depth; ++k) {
        c[i * columns + j] += a[i * depth + k] * (turned ? b[j * depth + k] : b[k * columns + j]);
      }
    }
  }
}

bool holds(const Expected& expected, const Values& got) {
  return expected.rows() * expected.columns == static_cast<std::int64_t>(got.size()) &&
         wrong_rows(expected, {got.data(), expected.rows(), expected.columns}, 3).empty();
}

// What the experts of a place make of a micro-batch, summed over the tensor group.
Values expert_output(const Model& model, Place place, std::int64_t batch) {
  const Shape& s = model.shape;
  Values sum(static_cast<std::size_t>(s.rows() * s.hidden));
  for (place.tensor = 0; place.tensor < 2; ++place.tensor) {
    const Values activation = model.filled(Operand::kActivation, place, batch);
    const Values weights = model.filled(Operand::kDownWeights, place, 0);
    for (std::int64_t e = 0; e < s.experts; ++e) {
      add_product(activation.data() + e * s.expert_rows * s.activation,
                  weights.data() + e * s.activation * s.hidden, false, s.expert_rows, s.hidden,
                  s.activation, sum.data() + e * s.expert_rows * s.hidden);
    }
  }
  return sum;
}

}  // namespace

TEST_CASE("all-reduces of a layer are known, forward and backward, on every rank") {
  const Model model;
  const Shape& s = model.shape;
  for (std::int64_t rank = 0; rank < model.layout.ranks(); ++rank) {
    const Place place = place_of(rank, model.layout);
    Values attention(static_cast<std::size_t>(s.tokens * s.hidden));
    Values gradient(attention.size());
    Place at = place;
    for (at.tensor = 0; at.tensor < 2; ++at.tensor) {
      add_product(model.filled(Operand::kContext, at, 1).data(),
                  model.filled(Operand::kOutputWeights, at, 0).data(), false, s.tokens, s.hidden,
                  s.context, attention.data());
      add_product(model.filled(Operand::kQkvGradient, at, 1).data(),
                  model.filled(Operand::kQkvWeights, at, 0).data(), true, s.tokens, s.hidden, s.qkv,
                  gradient.data());
    }
    CHECK(holds(model.operands.attention_output(place, 0, 1), attention));
    CHECK(holds(model.operands.attention_input_gradient(place, 0, 1), gradient));
    CHECK(holds(model.operands.expert_output(place, 0, 1), expert_output(model, place, 1)));
    CHECK_FALSE(holds(model.operands.expert_output(place, 0, 0), expert_output(model, place, 1)));
  }
}

TEST_CASE("replicas have the same dense weights and different data, experts weights of their own") {
  const Model model;
  const Place here{0, 0, 0, 0};
  const Place replica{0, 0, 1, 0};
  const Place other_expert{0, 1, 0, 0};
  CHECK(model.filled(Operand::kQkvWeights, here, 0) ==
        model.filled(Operand::kQkvWeights, replica, 0));
  CHECK(model.filled(Operand::kQkvWeights, here, 0) ==
        model.filled(Operand::kQkvWeights, other_expert, 0));
  CHECK(model.filled(Operand::kDownWeights, here, 0) ==
        model.filled(Operand::kDownWeights, replica, 0));
  CHECK(model.filled(Operand::kDownWeights, here, 0) !=
        model.filled(Operand::kDownWeights, other_expert, 0));
  CHECK(model.filled(Operand::kInput, here, 0) != model.filled(Operand::kInput, replica, 0));
  CHECK(model.filled(Operand::kInput, here, 0) != model.filled(Operand::kInput, here, 1));
}

TEST_CASE("gradients are summed over micro-batches and replicas, those of experts over their own") {
  const Model model;
  const Shape& s = model.shape;
  const Place place{1, 1, 0, 0};
  Values dense(static_cast<std::size_t>(s.hidden * s.qkv));
  Values down(static_cast<std::size_t>(model.operands.elements(Operand::kDownWeights)));
  for (std::int64_t rank = 0; rank < model.layout.ranks(); ++rank) {
    const Place at = place_of(rank, model.layout);
    if (at.tensor != place.tensor) continue;
    for (std::int64_t batch = 0; batch < 2; ++batch) {
      const Values input = model.filled(Operand::kInput, at, batch);
      const Values qkv = model.filled(Operand::kQkvGradient, at, batch);
      for (std::int64_t i = 0; i < s.hidden; ++i) {
        for (std::int64_t j = 0; j < s.qkv; ++j) {
          for (std::int64_t token = 0; token < s.tokens; ++token) {
            dense[i * s.qkv + j] += input[token * s.hidden + i] * qkv[token * s.qkv + j];
          }
        }
      }
      if (at.expert != place.expert) continue;
      const Values activation = model.filled(Operand::kActivation, at, batch);
      const Values output = model.filled(Operand::kToExpertsGradient, at, batch);
      for (std::int64_t e = 0; e < s.experts; ++e) {
        for (std::int64_t i = 0; i < s.activation; ++i) {
          for (std::int64_t j = 0; j < s.hidden; ++j) {
            for (std::int64_t row = e * s.expert_rows; row < (e + 1) * s.expert_rows; ++row) {
              down[(e * s.activation + i) * s.hidden + j] +=
                  activation[row * s.activation + i] * output[row * s.hidden + j];
            }
          }
        }
      }
    }
  }
  CHECK(holds(model.operands.qkv_gradient(place), dense));
  CHECK(holds(model.operands.down_gradient(place), down));
}

TEST_CASE("an exchange between experts gives each the rows that the others hold for it") {
  const Model model;
  const Shape& s = model.shape;
  const Place place{0, 1, 1, 0};
  Values sent;
  Values results;
  Place from = place;
  for (from.expert = 0; from.expert < 2; ++from.expert) {
    const Values own = model.filled(Operand::kToExperts, from, 1);
    const Values made = expert_output(model, from, 1);
    const auto part = own.size() / 2;
    sent.insert(sent.end(), own.begin() + part, own.end());
    results.insert(results.end(), made.begin() + part, made.end());
  }
  REQUIRE(sent.size() == static_cast<std::size_t>(s.rows() * s.hidden));
  CHECK(holds(model.operands.exchanged(Operand::kToExperts, place, 1), sent));
  CHECK(holds(model.operands.exchanged(
                  place, [&](const Place& at) { return model.operands.expert_output(at, 0, 1); }),
              results));
}

}  // namespace rackproof::steps
