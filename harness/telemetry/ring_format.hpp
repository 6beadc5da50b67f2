#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "harness/telemetry/column.hpp"

namespace rackproof::telemetry {

// A recording is one file: a head, its text, then slots of the same size, all made of 64-bit words
// in the byte order of the machine that wrote it. docs/recordings.md describes it for others.

inline constexpr char kMagic[8] = {'R', 'P', 'R', 'I', 'N', 'G', '\r', '\n'};
inline constexpr std::uint32_t kByteOrder = 0x01020304;
inline constexpr std::uint32_t kOtherByteOrder = 0x04030201;
inline constexpr std::uint32_t kVersion = 1;
/// The words of a slot before its values: sequence, time, seal.
inline constexpr std::size_t kSlotHead = 3;
inline constexpr std::size_t kMostColumns = 4096;
inline constexpr std::size_t kLargestText = std::size_t{1} << 20;
inline constexpr std::size_t kLargestFile = std::size_t{1} << 30;

struct Head {
  char magic[8];
  std::uint32_t byte_order;
  std::uint32_t version;
  std::uint64_t head_bytes;  ///< where the slots begin; a multiple of 8
  std::uint64_t text_bytes;  ///< of the text behind this head
  std::uint64_t columns;
  std::uint64_t slots;
  std::uint64_t interval_ns;
  std::uint64_t start_monotonic_ns;  ///< CLOCK_MONOTONIC and CLOCK_REALTIME at the same moment
  std::int64_t start_realtime_ns;
  std::uint64_t
      end_monotonic_ns;  ///< 0 while it is written, and for ever when the writer is killed
  std::uint64_t seal;    ///< of this head, with 0 here, and the text
};
static_assert(sizeof(Head) % 8 == 0);

/// What a recording says of itself.
struct About {
  std::string host;
  std::string boot;  ///< the kernel's id of this boot: CLOCK_MONOTONIC means nothing in another
  std::uint64_t interval_ns = 0;
  std::uint64_t start_monotonic_ns = 0;
  std::int64_t start_realtime_ns = 0;
  std::vector<Column> columns;
  std::vector<std::string> notes;  ///< what is not in it, and why
  bool operator==(const About&) const = default;
};

/// A checksum of words that a torn, shifted or zeroed copy does not have.
std::uint64_t seal_of(std::uint64_t seed, std::span<const std::uint64_t> words);

/// Head and text as they begin a file with so many slots.
std::vector<std::uint64_t> head_words(const About& about, std::uint64_t slots,
                                      std::uint64_t end_monotonic_ns);

/// The text of a head, one line for each thing; and back. Tabs and line ends within are blanks.
std::string text_of(const About& about);
/// Throws std::invalid_argument with what is wrong.
void read_text(const std::string& text, About& about);

}  // namespace rackproof::telemetry
