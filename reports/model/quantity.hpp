#pragma once

#include <string>
#include <string_view>

namespace rackproof::model {

/// A number in a base unit as people read it, scaled with 4 significant digits: 41.23 GB/s,
/// 104.4 GFLOP/s, 12.5 us, 64 MiB for plain bytes that are a power-of-two multiple. Never without unit.
std::string quantity(double value, std::string_view unit);

/// 95 -> "1 min 35 s", 0.4 -> "0.4 s".
std::string duration(double seconds);

}  // namespace rackproof::model
