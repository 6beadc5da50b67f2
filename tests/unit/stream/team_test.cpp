#include "benches/stream/team.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <mutex>
#include <set>
#include <vector>

#include "benches/kit/host.hpp"

using namespace rackproof;
using namespace rackproof::stream;

TEST_CASE("slices cover everything once and start on a cache line") {
  for (const std::size_t bytes : {4, 8}) {
    for (const std::size_t count : {0, 1, 7, 8, 9, 64, 1000, 1001, 123457}) {
      for (const int threads : {1, 2, 3, 7, 64}) {
        std::size_t next = 0;
        std::size_t most = 0;
        std::size_t least = count;
        for (int t = 0; t < threads; ++t) {
          const Slice slice = slice_of(count, bytes, t, threads);
          REQUIRE(slice.begin == next);
          REQUIRE(slice.end >= slice.begin);
          if (slice.begin < count) REQUIRE(slice.begin * bytes % 64 == 0);
          most = std::max(most, slice.end - slice.begin);
          least = std::min(least, slice.end - slice.begin);
          next = slice.end;
        }
        REQUIRE(next == count);
        CHECK(most - least <= 2 * 64 / bytes);
      }
    }
  }
}

TEST_CASE("each thread of a team runs on its processor, and the caller is freed again") {
  const std::vector<int> cpus = kit::allowed_cpus();
  {
    const Team team(cpus);
    CHECK(team.bound());
    std::mutex mutex;
    std::set<int> seen;
    std::vector<std::vector<int>> places(cpus.size());
    team.run([&](int thread) {
      const auto here = kit::allowed_cpus();
      const std::lock_guard lock(mutex);
      seen.insert(thread);
      places[static_cast<std::size_t>(thread)] = here;
    });
    CHECK(seen.size() == cpus.size());
    for (std::size_t i = 0; i < cpus.size(); ++i) CHECK(places[i] == std::vector<int>{cpus[i]});
  }
  CHECK(kit::allowed_cpus() == cpus);
}
