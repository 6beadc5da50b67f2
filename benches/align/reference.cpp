#include "benches/align/reference.hpp"

#include <algorithm>
#include <vector>

namespace rackproof::align {

std::int32_t reference_score(const Scoring& scoring, std::span<const Residue> query,
                             std::span<const Residue> subject) {
  const std::int32_t first = scoring.gap.first();
  const std::int32_t next = scoring.gap.next();
  // Of the row above: the best that ends in each cell, and the best that ends there in a gap of the
  // subject.
  struct Above {
    std::int32_t best = 0;
    std::int32_t gap = 0;
  };
  std::vector<Above> above(subject.size());
  std::int32_t top = 0;
  for (const Residue letter : query) {
    const std::int8_t* const row = scoring.matrix.scores.data() + letter * kRow;
    std::int32_t corner = 0;
    std::int32_t left = 0;
    std::int32_t gap = 0;
    for (std::size_t j = 0; j < subject.size(); ++j) {
      Above& cell = above[j];
      gap = std::max(gap - next, left - first);
      cell.gap = std::max(cell.gap - next, cell.best - first);
      left = std::max({0, corner + row[subject[j]], gap, cell.gap});
      corner = cell.best;
      cell.best = left;
      top = std::max(top, left);
    }
  }
  return top;
}

}  // namespace rackproof::align
