#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>

namespace rackproof::contract {

/// A value of a parameter or a fact.
using Scalar = std::variant<bool, std::int64_t, double, std::string>;
/// What tells numbers of one metric apart: {"bytes": 8, "dtype": "float"}.
using Parameters = std::map<std::string, Scalar>;

}  // namespace rackproof::contract
