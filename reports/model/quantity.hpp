#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rackproof::model {

/// A number in a base unit as people read it, scaled, with 4 significant digits at most: "41.23
/// GB/s", "104.4 GFLOP/s", "12.5 us", "64 MiB" for whole multiples of a power of 1024 bytes, "95 %"
/// for a ratio. Never without a unit; an unknown unit is written as it is, without scaling.
std::string quantity(double value, std::string_view unit);

/// A message size as users of nccl-tests write it: "8", "32K", "512M", "8G"; what is no whole
/// multiple of 1024 stays a number of bytes.
std::string size(std::int64_t bytes);

/// A time span in at most two units: 95 -> "1 min 35 s", 0.4 -> "0.4 s", 93600 -> "1 d 2 h".
std::string duration(double seconds);

}  // namespace rackproof::model
