#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/telemetry/event.hpp"

namespace rackproof::telemetry {

/// What the kernel's log still has of the time before now.
struct KernelHistory {
  /// Events with the number of their message, which only grows until the next start.
  std::vector<std::pair<std::uint64_t, Event>> events;
  std::optional<std::uint64_t> last;  ///< number of the last message; nothing: there is none
  std::string problem;                ///< why it could not be read; empty: it was
};

/// Reads /dev/kmsg below a root folder (empty: this machine), or a file in its place, from its
/// oldest message to the newest one that is there. Never waits for more.
KernelHistory kernel_history(const std::string& root);

}  // namespace rackproof::telemetry
