#pragma once

#include <cstdint>
#include <string>

#include "contract/scalar.hpp"

namespace rackproof::model {

/// The largest size up to which a double holds every whole number.
inline constexpr std::int64_t kWholeInDouble = std::int64_t{1} << 53;

/// Whole numbers as integers, however they were written: 8.0 as 8.
contract::Parameters canonical(const contract::Parameters& parameters);

/// The scalar as people write it: true, 4096, 0.5, double. A double that is whole keeps its
/// point: 1.0.
std::string to_text(const contract::Scalar& value);

/// "bytes=8 dtype=float": parameters in key order, for labels and messages.
std::string to_text(const contract::Parameters& parameters);

}  // namespace rackproof::model
