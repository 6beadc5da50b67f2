#include "benches/pairs/kinds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rackproof::pairs {

std::string_view word(Kind kind) {
  switch (kind) {
    case Kind::kLatency:
      return "latency";
    case Kind::kForward:
      return "forward";
    case Kind::kBackward:
      return "backward";
    case Kind::kBoth:
      break;
  }
  return "both";
}

Exchange exchange_of(Kind kind) {
  switch (kind) {
    case Kind::kLatency:
      return Exchange::kPingPong;
    case Kind::kForward:
    case Kind::kBackward:
      return Exchange::kOneWay;
    case Kind::kBoth:
      break;
  }
  return Exchange::kBothWays;
}

bool leads(Kind kind, bool lower) { return lower != (kind == Kind::kBackward); }

bool sends(Kind kind, bool lower) {
  return exchange_of(kind) != Exchange::kOneWay || leads(kind, lower);
}

bool receives(Kind kind, bool lower) {
  return exchange_of(kind) != Exchange::kOneWay || !leads(kind, lower);
}

std::string label(const Spec& spec) { return fmt::format("{} {} B", word(spec.kind), spec.bytes); }

Batch batch_of(const Spec& spec) {
  // Of hosts 16 KiB, which stay in the nearest cache; of GPUs 512 KiB, so that the two events
  // around a batch, half a microsecond each, are shared by several messages.
  const std::int64_t near = spec.window / 512;
  const std::int64_t room = spec.kind == Kind::kLatency ? near : spec.window;
  Batch batch{spec.bytes, 1};
  batch.slots = std::clamp<std::int64_t>(room / batch.stride(), 1, kMostSlots);
  return batch;
}

double value_of(const Spec& spec, const Batch& batch, double seconds) {
  const auto messages = static_cast<double>(batch.slots);
  // The clock counts nanoseconds; what division adds far below that is no measurement.
  if (spec.kind == Kind::kLatency) return std::round(seconds / (2 * messages) * 1e12) / 1e12;
  const double ways = spec.kind == Kind::kBoth ? 2 : 1;
  return std::round(ways * messages * static_cast<double>(batch.bytes) / seconds);
}

}  // namespace rackproof::pairs
