#include "benches/swing/work.hpp"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>

namespace rackproof::swing {
namespace {

using LaneBits = std::array<std::uint64_t, kLanes>;

}  // namespace

TEST_CASE("work in vectors of each width and lane by lane are equal, bit by bit") {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Lanes start = first_lanes(seed);
    const auto want = std::bit_cast<LaneBits>(reference(start));
    CHECK(std::bit_cast<LaneBits>(work(start)) == want);
    for (const Work one : works_of_processor()) CHECK(std::bit_cast<LaneBits>(one(start)) == want);
  }
}

TEST_CASE("no lane runs out of the interval or comes to rest") {
  const Lanes start = first_lanes(1);
  const Lanes end = work(start);
  const Lanes after = work(end);
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    CHECK(std::abs(end[lane]) <= 1);
    CHECK(after[lane] != end[lane]);
    for (std::size_t other = 0; other < lane; ++other) CHECK(end[lane] != end[other]);
  }
}

TEST_CASE("the least bit of one lane is in the result of that lane alone") {
  Lanes start = first_lanes(1);
  const Lanes before = work(start);
  start[17] = std::nextafter(start[17], 2);
  const Lanes after = work(start);
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    CHECK((before[lane] != after[lane]) == (lane == 17));
  }
}

}  // namespace rackproof::swing
