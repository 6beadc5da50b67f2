#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/model/finding.hpp"
#include "reports/model/inventory.hpp"

namespace rackproof::gate {

/// Something that the kernel's log says of the hardware.
struct KernelEvent {
  std::uint64_t sequence = 0;  ///< of the message: it only grows until the next start
  std::string kind;            ///< as in telemetry::Event
  model::Severity severity = model::Severity::kInfo;
  std::string device;
  std::string text;

  bool operator==(const KernelEvent&) const = default;
};

/// Counters by name and part ("gpu.ecc_uncorrected", "GPU-1a2b"), as recordings name their columns.
using Counters = std::map<std::pair<std::string, std::string>, double>;

/// What one look at a node gives.
struct Look {
  model::NodeInventory node;
  Counters counters;                          ///< those that can be read
  std::vector<KernelEvent> events;            ///< all that the kernel's log still has
  std::optional<std::uint64_t> last_message;  ///< of the kernel's log
  std::string kernel_problem;                 ///< why the log was not read; empty: it was
  double uptime_seconds = 0;                  ///< since the node was started
  /// For how long NVML was asked in vain; nothing: it answered, or is not there.
  std::optional<double> driver_waited;

  bool operator==(const Look&) const = default;
};

/// One line of JSON, and back. Reading throws std::runtime_error for any other text.
std::string to_json_line(const Look& look);
Look look_from_json(std::string_view text);

/// The last look that found nothing against the node.
struct GoodLook {
  std::string utc;
  std::string platform;  ///< id of the table; empty: none recognised it
  std::string accepted;  ///< why somebody took it as good although it was not; empty: it was
  Look look;             ///< without its events

  bool operator==(const GoodLook&) const = default;
};

}  // namespace rackproof::gate
