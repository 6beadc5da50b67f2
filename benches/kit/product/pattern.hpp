#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rackproof::product {

/// What the operands of a timed product hold. Data decide how much power a multiplier takes, so
/// anything but kNormal flatters.
enum class Pattern { kNormal, kZeros, kConstant, kIntegers };

/// As options and records spell them: normal, zeros, constant, integers.
std::vector<std::string> pattern_names();
/// The pattern of that name. Throws std::invalid_argument for any other: options let none through.
Pattern pattern_of(std::string_view name);

}  // namespace rackproof::product
