#pragma once

#include <string>
#include <string_view>

#include "contract/scalar.hpp"

namespace rackproof::catalogue {

/// A number of a fact or a column with its unit, as people read it: "31.4 GiB", "400 Gbit/s"; of
/// what is counted the number alone.
std::string in_words(double value, std::string_view unit);

/// The value of a fact, a number in the unit that its name has (unit_of_fact).
std::string fact_in_words(std::string_view name, const contract::Scalar& value);

}  // namespace rackproof::catalogue
