#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>

#include "harness/telemetry/event.hpp"

namespace rackproof::telemetry {

/// Lets events through one by one, as long as they are few. Of the same kind, device, code and
/// severity five in ten seconds go as they are; what comes on top is told as one event with its
/// count, when the ten seconds are over. After a thousand in all, one of kind more-events says that
/// no more are kept, and at the end another how many they were.
class EventGate {
 public:
  using Sink = std::function<void(const Event&)>;
  explicit EventGate(Sink sink) : sink_(std::move(sink)) {}

  void take(const Event& event);
  /// Tells what was held back and is due at `now` (CLOCK_MONOTONIC in ns).
  void tick(std::uint64_t now);
  /// Tells everything that was held back.
  void close(std::uint64_t now);

  static constexpr int kMost = 1000;
  static constexpr int kBurst = 5;
  static constexpr std::uint64_t kWindow = 10'000'000'000;

 private:
  using Likeness = std::tuple<std::string, std::string, std::int64_t, model::Severity>;
  struct Repeats {
    std::uint64_t since = 0;
    int passed = 0;
    Event held;  ///< the last one; its count is 0 when none is held
  };
  void pass(const Event& event);
  void release(Repeats& repeats);

  Sink sink_;
  std::map<Likeness, Repeats> repeats_;
  int passed_ = 0;
  std::int64_t dropped_ = 0;
};

}  // namespace rackproof::telemetry
