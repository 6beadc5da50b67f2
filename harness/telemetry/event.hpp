#pragma once

#include <cstdint>
#include <string>

#include "reports/model/finding.hpp"

namespace rackproof::telemetry {

/// Something that happened to a node: the kernel or a driver told it once, at that moment.
struct Event {
  std::uint64_t monotonic_ns = 0;  ///< CLOCK_MONOTONIC
  std::uint64_t within_ns = 0;     ///< it may have happened so much before: nobody looked since
  /// xid, sxid, gpu-lost, ecc, aer, edac, mce, link, oom, hung-task, thermal; or more-events: from
  /// here on none are kept.
  std::string kind;
  model::Severity severity = model::Severity::kInfo;  ///< error: hardware failed
  std::string device;      ///< PCI address, UUID, interface, "mc0", "cpu3"; empty: the node
  std::int64_t code = 0;   ///< of an Xid or SXid
  std::string text;        ///< as it was told, on one line
  std::int64_t count = 1;  ///< how many like it this one stands for

  bool operator==(const Event&) const = default;
};

/// The severity of an Xid: error for those that say that the GPU or its links failed, warning for
/// those that a program can cause.
model::Severity severity_of_xid(std::int64_t code);

}  // namespace rackproof::telemetry
