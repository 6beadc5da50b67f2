#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace rackproof::swing {

/// Numbers that a piece of work changes, one by one and each by itself.
inline constexpr std::size_t kLanes = 64;
using Lanes = std::array<double, kLanes>;

/// Numbers between 0 and 1 to begin with.
Lanes first_lanes(std::uint64_t seed);

/// A piece of work of some 10 to 50 us: kSteps times x <- 1 - 1.9 x x in each lane, in vectors as
/// wide as the processor has, which keeps its multipliers and adders busy out of registers. The map
/// is chaotic (May, Nature 261, 1976): a wrong bit anywhere is in many bits of the result.
Lanes work(const Lanes& start);
inline constexpr int kSteps = 2000;

/// It is done by the first of these: one for each width of vectors that the processor has, the
/// widest first.
using Work = Lanes (*)(const Lanes& start);
std::vector<Work> works_of_processor();

/// The same, lane after lane without vectors. Multiplication and subtraction round alike everywhere
/// (IEEE 754, never contracted into one), so that both are equal bit by bit.
Lanes reference(const Lanes& start);

}  // namespace rackproof::swing
