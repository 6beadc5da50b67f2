#pragma once

#include <string>
#include <string_view>

#include "harness/cause/condition.hpp"

namespace rackproof::cause {

/// A number with its unit as people read it; of the unit 1 the number alone.
std::string in_words(double value, std::string_view unit);

/// The same for a fact, whose unit is the end of its name: cpu.max_clock_hertz.
std::string fact_in_words(const std::string& name, const contract::Scalar& value);

/// `say` with each {NAME} replaced: {value}, {limit}, {subject} and {finding} of the proof, {time}
/// of the attempt, {a.fact}, {a.series:statistic}. What is not known is "not known".
std::string sentence(const std::string& say, const Scene& scene, const Evidence& evidence);

}  // namespace rackproof::cause
