#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/model/scalar.hpp"

namespace rackproof::model {

/// One thing known about a node: a value and where it was read, or why it could not be read.
struct Fact {
  std::optional<contract::Scalar> value;
  std::string source;      ///< "/proc/meminfo", "hwloc", "computed: cores x clock x FLOP per cycle"
  std::string unreadable;  ///< reason, when there is no value

  bool operator==(const Fact&) const = default;
};

/// A GPU or another accelerator of a node.
struct DeviceFacts {
  std::string uuid;
  std::int64_t index = 0;
  std::map<std::string, Fact> facts;

  bool operator==(const DeviceFacts&) const = default;
};

/// What a node is. Facts have dotted names: cpu.model, numa.count, memory.total_bytes,
/// nic.eth0.speed_bits_per_second. Units are the last word of the name.
struct NodeInventory {
  std::string host;
  std::map<std::string, Fact> facts;
  std::vector<DeviceFacts> devices;

  bool operator==(const NodeInventory&) const = default;
};

/// The value of a fact, or nothing when it is absent or unreadable.
std::optional<contract::Scalar> value_of(const NodeInventory& node, const std::string& fact);

/// The same for a fact that is a number (whole or not), or a text; nothing when it is of another
/// type.
std::optional<double> number_of(const NodeInventory& node, const std::string& fact);
std::optional<std::string> text_of(const NodeInventory& node, const std::string& fact);

/// How many GPUs the node has: one that the driver lists twice is one.
std::size_t gpus_of(const NodeInventory& node);

/// What is known of GPUs that are in the node and cannot be measured: "gpu.unmanaged 0000:18:00.0"
/// (on the bus, not with the driver), "gpu.silent 1: GPU is lost" (with the driver, mute), or that
/// the driver is loaded and NVML does not answer. Nothing when there is no sign of any.
std::optional<std::string> gpus_out_of_reach(const NodeInventory& node);

}  // namespace rackproof::model
