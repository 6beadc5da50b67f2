#pragma once

namespace rackproof::pairs {

/// No partner: a bye, in an odd group.
inline constexpr int kBye = -1;

/// Rounds in which each of `ranks` meets every other once, one partner a round: n - 1, or n for an
/// odd number; 0 for fewer than two.
int rounds(int ranks);

/// The partner of `rank` in `round` (from 0). In a round pairs are disjoint and all meet at the
/// same time.
///
/// The circle method: with m = n or the next even number, the ranks i and j below m - 1 meet in the
/// round that (i + j) mod (m - 1) gives, and the last one meets the one that this would pair with
/// itself. It is a function of its arguments alone, so nobody keeps a table.
int partner(int ranks, int round, int rank);

}  // namespace rackproof::pairs
