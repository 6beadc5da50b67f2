#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <compare>
#include <cstddef>
#include <cstdint>

namespace rackproof::contract {

/// Names the descriptor, as a number, of the page in which a member of a group tells how far it is.
inline constexpr const char* kProgressVariable = "RACKPROOF_PROGRESS";

/// A place in what the members of a group do together, all of them in the same order: an operation,
/// or an exchange that comes before one (a barrier, an agreement on whether to go on).
struct Place {
  std::int64_t cell = 0;       ///< what is measured, counted from 1; 0: nothing so far
  std::int64_t iteration = 0;  ///< of the cell, from 0
  std::int64_t exchange = 0;   ///< from 1, of those before the operation; 0: the operation itself

  bool operator==(const Place&) const = default;
  std::strong_ordering operator<=>(const Place& other) const {
    if (const auto order = cell <=> other.cell; std::is_neq(order)) return order;
    if (const auto order = iteration <=> other.iteration; std::is_neq(order)) return order;
    // The operation comes after all that prepares it.
    if (const auto order = (exchange == 0) <=> (other.exchange == 0); std::is_neq(order))
      return order;
    return exchange <=> other.exchange;
  }
};

namespace place_bits {
inline constexpr int kExchange = 12;
inline constexpr int kIteration = 36;
inline constexpr std::int64_t kOperation = (std::int64_t{1} << kExchange) - 1;
inline constexpr std::int64_t kMostIteration = (std::int64_t{1} << kIteration) - 1;
inline constexpr std::int64_t kMostCell = (std::int64_t{1} << (64 - kExchange - kIteration)) - 1;
}  // namespace place_bits

/// A place as one word, in the order of places. What is too large for its bits stays at their most.
constexpr std::uint64_t packed(const Place& place) {
  using namespace place_bits;
  const std::int64_t step =
      place.exchange == 0 ? kOperation : std::min(place.exchange, kOperation - 1);
  const auto bits = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
  return bits(std::min(place.cell, kMostCell)) << (kIteration + kExchange) |
         bits(std::min(place.iteration, kMostIteration)) << kExchange | bits(step);
}

constexpr Place unpacked(std::uint64_t word) {
  using namespace place_bits;
  if (word == 0) return {};
  const auto step = static_cast<std::int64_t>(word & static_cast<std::uint64_t>(kOperation));
  return {static_cast<std::int64_t>(word >> (kIteration + kExchange)),
          static_cast<std::int64_t>(word >> kExchange) & kMostIteration,
          step == kOperation ? 0 : step};
}

/// What a member of a group tells whoever watches it, in memory that both have: written by the one,
/// read by the other, and neither waits. All zeros until somebody writes.
struct ProgressPage {
  static constexpr std::uint32_t kVersion = 1;
  static constexpr std::size_t kTitleWords = 12;

  /// What is measured. The one of cell N is titles[N % 2], written before a place of it is.
  struct Title {
    std::array<std::atomic<std::uint64_t>, kTitleWords> text{};  ///< its bytes, then zeros
    std::atomic<std::int64_t> bytes{0};
  };

  std::atomic<std::uint32_t> version{0};  ///< kVersion once the member writes
  std::array<Title, 2> titles{};
  alignas(64) std::atomic<std::uint64_t> entered{0};  ///< packed: where it stands, or stood last
  std::atomic<std::uint64_t> completed{0};            ///< packed: the last that is over
  /// So many operations from `entered` on are over at once, or none of them; 0 and 1: that alone.
  std::atomic<std::uint64_t> span{0};
};

static_assert(std::atomic<std::uint64_t>::is_always_lock_free &&
              std::atomic<std::int64_t>::is_always_lock_free &&
              std::atomic<std::uint32_t>::is_always_lock_free);

}  // namespace rackproof::contract
