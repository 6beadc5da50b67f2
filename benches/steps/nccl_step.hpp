#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "benches/kit/product/numbers.hpp"
#include "benches/kit/reduction/kinds.hpp"
#include "benches/steps/arithmetic.hpp"
#include "benches/steps/card.hpp"
#include "benches/steps/layout.hpp"
#include "benches/steps/step_program.hpp"

namespace rackproof::steps {

/// Rows, columns and depth of a product.
struct Extents {
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;

  double operations() const {
    return 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  }
};

/// What is run.
enum class StepPart { kTrain, kPrefill, kDecode };
/// "train".
std::string_view word(StepPart part);

/// A step, or a pass forward, as every rank does it: alike on all of them.
struct StepPlan {
  StepPart part = StepPart::kTrain;
  Sharing sharing = Sharing::kData;
  Layout layout;
  Batch batch;
  std::int64_t layers = 0;
  Program program;
  std::array<Extents, kProducts> products{};
  std::array<std::int64_t, kTraffic> elements{};  ///< of a message
  product::Dtype operands = product::Dtype::kBf16;
  reduction::Dtype width = reduction::Dtype::kBfloat16;
};

/// The plan of a part over `ranks`. Extents that a type does not take, as those of few tokens, are
/// rounded up to what it takes, and what is gathered or scattered to a multiple of the ranks.
/// Throws kit::UsageError for a card that has experts, or that cannot be shared so.
StepPlan step_plan(StepPart part, Sharing sharing, const Card& card, std::int64_t layers,
                   const Batch& batch, std::int64_t ranks, product::Dtype operands,
                   reduction::Dtype width);

/// Operations of all its products on one rank.
double operations_of(const StepPlan& plan);
/// Bytes that it takes of a device: operands, results and references of each product, and a buffer
/// for each message.
std::int64_t bytes_of(const StepPlan& plan);
/// Bytes of weights that a rank reads in a pass forward, all layers.
double weight_bytes(const StepPlan& plan);

}  // namespace rackproof::steps
