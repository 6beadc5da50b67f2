#pragma once

#include <string>
#include <string_view>

#include "harness/cause/condition.hpp"

namespace rackproof::cause {

/// `say` with each {NAME} replaced: {value}, {limit}, {subject} and {finding} of the proof, {time}
/// of the attempt, {a.fact}, {a.series:statistic}. What is not known is "not known".
std::string sentence(const std::string& say, const Scene& scene, const Evidence& evidence);

}  // namespace rackproof::cause
