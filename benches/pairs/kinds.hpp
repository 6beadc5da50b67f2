#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rackproof::pairs {

/// What a match measures. The lower rank of a pair goes first: forward is from it to the higher
/// one.
enum class Kind { kLatency, kForward, kBackward, kBoth };

/// "latency", "forward", "backward", "both".
std::string_view word(Kind kind);

/// What the library is asked to do: messages to and fro one at a time, all messages from one to the
/// other, all messages of both at the same time.
enum class Exchange { kPingPong, kOneWay, kBothWays };
Exchange exchange_of(Kind kind);

/// Whether the lower, or the higher, rank of a pair sends, or receives, or leads (sends first).
bool leads(Kind kind, bool lower);
bool sends(Kind kind, bool lower);
bool receives(Kind kind, bool lower);

/// Bytes of messages that are under way at once where bandwidth is measured, as long as there is
/// more than one: on hosts, and between GPUs. There 8 MiB take less time than starting them.
inline constexpr std::int64_t kHostWindow = std::int64_t{8} << 20;
inline constexpr std::int64_t kDeviceWindow = std::int64_t{256} << 20;

/// One thing to measure with each pair.
struct Spec {
  Kind kind = Kind::kLatency;
  std::int64_t bytes = 0;  ///< of a message; a multiple of 8
  std::int64_t window = kHostWindow;

  bool operator==(const Spec&) const = default;
};

/// "latency 8 B".
std::string label(const Spec& spec);

/// The most messages of a batch.
inline constexpr std::int64_t kMostSlots = 64;

/// A batch: the messages of one sample, each with data of its own.
struct Batch {
  std::int64_t bytes = 0;  ///< of a message
  std::int64_t slots = 1;

  std::int64_t words() const { return bytes / 8; }
  /// Distance of two slots: whole cache lines.
  std::int64_t stride() const { return (bytes + 63) / 64 * 64; }
  std::int64_t span() const { return slots * stride(); }
};

/// Enough messages for a sample to be long beside the clock's step and, where there is bandwidth to
/// measure, for several to be under way: 64, as long as they take the window, or the 512th part of
/// it (latency: on hosts they stay in the nearest cache); one where they are larger.
Batch batch_of(const Spec& spec);

/// What a sample of `seconds` says: seconds of one way for latency, bytes per second otherwise;
/// with both ways the bytes of both are counted.
double value_of(const Spec& spec, const Batch& batch, double seconds);

}  // namespace rackproof::pairs
