#include "benches/copy/chase.hpp"

#include <catch2/catch.hpp>
#include <vector>

using namespace rackproof::copy;

TEST_CASE("a ring is one cycle through every line") {
  for (const std::uint64_t seed : {1ULL, 2ULL, 77ULL}) {
    const std::vector<std::uint64_t> ring = make_ring(seed);
    REQUIRE(ring.size() == static_cast<std::size_t>(kRingWords));
    std::vector<bool> seen(ring.size() / kLineWords, false);
    std::uint64_t at = 0;
    for (std::size_t step = 0; step < seen.size(); ++step) {
      REQUIRE(at % kLineWords == 0);
      REQUIRE_FALSE(seen[at / kLineWords]);
      seen[at / kLineWords] = true;
      at = ring[at];
    }
    CHECK(at == 0);
  }
}

TEST_CASE("the steps of a sample read no line twice") {
  CHECK(kSteps < kRingWords / kLineWords);
  CHECK(kLineWords * 8 == 128);
}

TEST_CASE("neighbours in the ring are far apart") {
  const std::vector<std::uint64_t> ring = make_ring(4);
  std::int64_t near = 0;
  const std::int64_t lines = kRingWords / kLineWords;
  for (std::int64_t line = 0; line < lines; ++line) {
    const auto next =
        static_cast<std::int64_t>(ring[static_cast<std::size_t>(line * kLineWords)]) / kLineWords;
    if (std::abs(next - line) <= 4) ++near;
  }
  CHECK(near < lines / 100);
}

TEST_CASE("where a walk ends depends on every step") {
  std::vector<std::uint64_t> ring = make_ring(3);
  const Walk right = walk(ring.data(), 0, kSteps);
  CHECK(right == walk(ring.data(), 0, kSteps));
  CHECK_FALSE(right == walk(ring.data(), 0, kSteps - 1));
  CHECK_FALSE(right == walk(ring.data(), kLineWords, kSteps));
  // One pointer read wrongly, somewhere on the way.
  std::uint64_t at = 0;
  for (int step = 0; step < 5000; ++step) at = ring[at];
  ring[at] ^= kLineWords;
  CHECK_FALSE(right == walk(ring.data(), 0, kSteps));
}
