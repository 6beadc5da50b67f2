#pragma once

#include <cstdint>
#include <span>

#include "benches/align/scoring.hpp"

namespace rackproof::align {

/// The score of the best local alignment, cell by cell in 32 bits: Smith and Waterman's, with gap
/// costs as Gotoh computes them. It is what the others are held against, and shares nothing with
/// them but the scoring.
std::int32_t reference_score(const Scoring& scoring, std::span<const Residue> query,
                             std::span<const Residue> subject);

}  // namespace rackproof::align
