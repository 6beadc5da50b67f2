#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "reports/model/finding.hpp"

namespace rackproof::telemetry {

/// How a recorder names its program in orders and in its records.
inline constexpr const char* kRecorderBench = "recorder";

/// Who told an event.
enum class EventSource { kKernel, kNvml };

/// Its word in the records of a recorder: "kernel", "nvml".
std::string_view word(EventSource source);

/// Out of a record: of its word and, where there is none, of its text. Recorders from before that
/// word began what NVML told with "NVML: ".
EventSource event_source_of(const std::optional<std::string>& word, std::string_view text);

/// Something that happened to a node: the kernel or a driver told it once, at that moment.
struct Event {
  std::uint64_t monotonic_ns = 0;  ///< CLOCK_MONOTONIC
  std::uint64_t within_ns = 0;     ///< it may have happened so much before: nobody looked since
  /// xid, sxid, gpu-lost, ecc, aer, edac, mce, link, oom, hung-task, thermal; or more-events: from
  /// here on none are kept.
  std::string kind;
  model::Severity severity = model::Severity::kInfo;  ///< error: hardware failed
  std::string device;     ///< PCI address, UUID, interface, "mc0", "cpu3"; empty: the node
  std::int64_t code = 0;  ///< of an Xid or SXid
  EventSource source = EventSource::kKernel;
  std::string text;        ///< as it was told, on one line
  std::int64_t count = 1;  ///< how many like it this one stands for

  bool operator==(const Event&) const = default;
};

/// The severity of an Xid: error for those that say that the GPU or its links failed, warning for
/// those that a program can cause.
model::Severity severity_of_xid(std::int64_t code);

}  // namespace rackproof::telemetry
