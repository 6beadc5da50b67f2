#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "benches/collectives/factors.hpp"
#include "benches/collectives/kinds.hpp"
#include "benches/kit/reduction/verifiable.hpp"

namespace rackproof::collectives {

using reduction::Pattern;

/// The result of reducing over all ranks, as the source of a Segment.
inline constexpr int kAllRanks = -1;

/// `count` elements of a rank's output from `offset` on, and what they must be: elements `index`
/// and on of the input of rank `source`, or of the reduction of all inputs.
struct Segment {
  int source = kAllRanks;
  std::int64_t index = 0;
  std::int64_t offset = 0;
  std::int64_t count = 0;

  bool operator==(const Segment&) const = default;
};

/// What the output of `rank` must hold after one operation; empty where the operation leaves it
/// alone (the root of a broadcast, all but the root of a reduce).
std::vector<Segment> expected_output(Operation operation, const Shape& shape, int rank, int ranks);

/// The first element found wrong, by place in the output.
struct WrongElement {
  std::int64_t index = 0;
  int source = kAllRanks;
  std::uint64_t got = 0;
  std::uint64_t want = 0;
};

/// How many elements were compared bit by bit, and how many were wrong.
struct Findings {
  std::int64_t compared = 0;
  std::int64_t wrong = 0;
  std::optional<WrongElement> first;
};

/// Compares an output with what `segments` say it must be.
Findings inspect(const std::vector<Segment>& segments, const Pattern& pattern, Dtype dtype,
                 const void* output);

}  // namespace rackproof::collectives
