#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "benches/kit/nccl/group.hpp"
#include "benches/kit/options.hpp"
#include "benches/kit/product/numbers.hpp"
#include "benches/kit/reduction/kinds.hpp"
#include "benches/steps/card.hpp"
#include "benches/steps/layout.hpp"
#include "benches/steps/nccl_step.hpp"
#include "benches/steps/shape.hpp"

namespace rackproof::steps {

/// The command line of steps-nccl.
struct NcclConfig {
  std::string card = "llama-8b";
  std::vector<std::string> parts{"overlap"};
  std::vector<std::string> messages{"gradients", "sweep"};
  std::string sharing = "data";
  std::int64_t layers = 4;
  std::int64_t steps = 10;
  std::vector<std::string> batches{"1", "8", "64", "256"};
  std::int64_t scale = 1;
  std::int64_t sequence = 4096;
  std::int64_t sequences = 1;
  std::int64_t rounds = 15;
  std::vector<std::string> sizes{"16M", "256M"};
  std::int64_t seed = 1;
  std::string plant;
  kit::nccl::GroupSettings group;
};

void declare(kit::Options& options, NcclConfig& config);

/// One message, and the product that is computed beside it: rows x columns, of so deep sums.
struct NcclCell {
  std::string message;  ///< "tensor", "gradients" or "sweep"
  Layout layout;        ///< all ranks share the matrices, or each has data of its own
  std::int64_t count = 0;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t depth = 0;
};

/// What is measured, with all that follows from the command line and the number of ranks.
struct NcclPlan {
  Card card;  ///< scaled
  product::Dtype operands = product::Dtype::kBf16;
  reduction::Dtype elements = reduction::Dtype::kBfloat16;
  std::vector<NcclCell> cells;
  std::vector<StepPlan> steps;
  bool serialised = false;  ///< test only: the products wait for the message
  /// Test only: mlp.down forward is computed so often on that rank.
  std::int64_t slow_rank = -1;
  std::int64_t slow_times = 1;
};
/// Throws kit::UsageError for a card, a layout or a size that cannot be.
NcclPlan plan_of(const NcclConfig& config, std::int64_t ranks);

/// Bytes that a cell takes of a device.
std::int64_t bytes_of(const NcclPlan& plan, const NcclCell& cell);
/// Throws kit::UsageError where a cell or a step takes more than the `memory` of a device in bytes:
/// how much is missing, and what would fit.
void demand_device_memory(const NcclPlan& plan, std::int64_t memory);

/// What tells the numbers of one model and layout from those of another.
contract::Parameters base_parameters(const NcclPlan& plan, const NcclConfig& config,
                                     const NcclCell& cell);
contract::Parameters base_parameters(const NcclPlan& plan, const NcclConfig& config,
                                     const StepPlan& step);

}  // namespace rackproof::steps
