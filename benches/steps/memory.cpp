#include "benches/steps/memory.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "benches/kit/errors.hpp"
#include "benches/steps/shape.hpp"
#include "benches/steps/stage_memory.hpp"

namespace rackproof::steps {
namespace {

constexpr std::int64_t kWord = sizeof(float);

double gib(std::int64_t bytes) { return static_cast<double>(bytes) / (1 << 30); }

// The product beside the message; of the message, beside itself, its operands and the random words
// of its proof, which are twice as wide.
std::int64_t overlap_bytes(const Card& card, const Layout& layout, const Batch& batch,
                           std::int64_t sweep_bytes) {
  const Shape shape = shape_of(card, layout, batch, {});
  const std::int64_t product =
      shape.tokens * (shape.activation + shape.hidden) + shape.activation * shape.hidden;
  std::int64_t message = std::max(shape.tokens * shape.hidden, sweep_bytes / kWord);
  if (layout.replicas() > 1) message = std::max(message, layer_parameters_of_rank(card, layout));
  return kWord * (product + 4 * message);
}

// Whether the batch can be cut by that layout at all.
bool can_be_cut(const Card& card, const Layout& layout, const Batch& batch) {
  try {
    (void)shape_of(card, layout, batch, {});
    return true;
  } catch (const kit::UsageError&) {
    return false;
  }
}

std::string what_would_fit(Card card, const Layout& layout, const Batch& batch, const Needs& needs,
                           std::int64_t room) {
  for (const Layout& other : fitting_layouts(layout, card, layout.ranks())) {
    if (!can_be_cut(card, other, batch)) continue;
    const std::int64_t bytes = needed_bytes(card, other, batch, needs);
    if (bytes <= room)
      return fmt::format("{} takes {:.2f} GiB and fits", text_of(other), gib(bytes));
  }
  const std::string none = fmt::format("no layout of {} ranks fits", layout.ranks());
  for (card.layers -= layout.pipeline; card.layers >= layout.pipeline;
       card.layers -= layout.pipeline) {
    const std::int64_t bytes = needed_bytes(card, layout, batch, needs);
    if (bytes > room) continue;
    return fmt::format("{}, --layers {} takes {:.2f} GiB and does", none, card.layers, gib(bytes));
  }
  return none +
         ", not even with one layer a stage: choose a shorter --sequence or a larger --scale";
}

}  // namespace

std::int64_t cache_bytes_of_token(const Card& card, const Layout& layout) {
  return 2 * card.layers / layout.pipeline * card.kv_heads / layout.tensor * card.head_size() *
         kWord;
}

std::int64_t needed_bytes(const Card& card, const Layout& layout, const Batch& batch,
                          const Needs& needs) {
  std::int64_t most = 0;
  if (needs.overlap) most = overlap_bytes(card, layout, batch, needs.sweep_bytes);
  if (needs.passes) most = std::max(most, stage_bytes(card, layout, batch));
  const std::int64_t cache = needs.context * cache_bytes_of_token(card, layout);
  if (needs.decode_batch > 0) {
    const Batch tokens{1, needs.decode_batch, 1};
    most = std::max(most, stage_bytes(card, layout, tokens) + needs.decode_batch * cache);
  }
  if (needs.transfer) most = std::max(most, 2 * cache);
  return most;
}

void demand_memory(const Card& card, const Layout& layout, const Batch& batch, const Needs& needs,
                   std::int64_t room) {
  const std::int64_t bytes = needed_bytes(card, layout, batch, needs);
  if (bytes <= room) return;
  throw kit::UsageError(fmt::format(
      "{} with {} takes {:.2f} GiB on each rank, and {:.2f} GiB are free for it: {:.2f} GiB are "
      "missing; {}",
      card.name, text_of(layout), gib(bytes), gib(room), gib(bytes - room),
      what_would_fit(card, layout, batch, needs, room)));
}

}  // namespace rackproof::steps
