#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rackproof::model {

/// A host that was ordered, and the GPUs that were ordered with it.
struct Asset {
  std::string host;
  std::vector<std::string> gpus;  ///< serial numbers or UUIDs; empty: any
  std::string serial;             ///< of the host itself; empty: any

  bool operator==(const Asset&) const = default;
};

/// What is meant to be there. Empty: nobody said so.
struct Extent {
  std::optional<std::int64_t> hosts;
  std::optional<std::int64_t> gpus;
  std::vector<Asset> assets;  ///< exactly these hosts

  bool operator==(const Extent&) const = default;
};

}  // namespace rackproof::model
