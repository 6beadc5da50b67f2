#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "benches/kit/options.hpp"
#include "benches/protocol/record.hpp"
#include "benches/steps/arithmetic.hpp"
#include "benches/steps/card.hpp"
#include "benches/steps/layout.hpp"
#include "benches/steps/memory.hpp"
#include "benches/steps/network.hpp"

namespace rackproof::steps {

/// The command line.
struct Config {
  std::string card = "llama-8b";
  std::vector<std::string> parts{"overlap", "train"};
  Layout layout;
  std::int64_t layers = 0;  ///< 0: the card's
  std::int64_t scale = 1;
  std::int64_t sequence = 512;
  std::int64_t sequences = 1;
  std::int64_t micro_batches = 4;
  std::string progress = "none";
  double host_share = 1;
  std::int64_t rounds = 15;
  std::int64_t steps = 10;
  std::vector<std::string> sizes{"64K", "1M"};
  std::vector<std::string> batches{"1", "8", "64"};
  std::int64_t context = 512;
  std::int64_t threads = 1;
  std::int64_t seed = 1;
  std::string plant;
};

/// A test-only fault that the bench makes of its own.
struct Plant {
  enum class Kind { kLate, kSlowProduct, kSerialised };
  Kind kind = Kind::kLate;
  std::int64_t rank = 0;
  double amount = 0;  ///< seconds late, or how many times slower
};
/// Reads "late:RANK:MILLISECONDS", "slow-gemm:RANK:TIMES" or "serialised"; nothing for "". Throws
/// kit::UsageError.
std::optional<Plant> parse_plant(const std::string& text);

/// Whether a part is asked for.
bool measures(const Config& config, std::string_view part);

void declare(kit::Options& options, Config& config);

/// What is measured, with all that follows from the command line and the ranks.
struct Plan {
  Card card;  ///< scaled
  Layout layout;
  Batch batch;
  Place place;  ///< of this rank
  Progress progress = Progress::kNone;
  std::vector<std::int64_t> sizes;  ///< of the sweep, in bytes
  std::vector<std::int64_t> decode_batches;
  std::optional<Plant> plant;  ///< where it is this rank's
};
/// Throws kit::UsageError for a card, a layout or a size that cannot be, before anything is
/// allocated.
Plan plan_of(const Config& config, std::int64_t rank, std::int64_t ranks);

/// What the plan takes of memory.
Needs needs_of(const Plan& plan, const Config& config);

/// What tells the numbers of one model, layout and batch from those of another.
contract::Parameters base_parameters(const Plan& plan, const Config& config);

}  // namespace rackproof::steps
