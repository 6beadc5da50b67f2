#include "benches/align/crew.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <vector>

#include "benches/kit/errors.hpp"
#include "benches/kit/host.hpp"

using namespace rackproof;
using namespace rackproof::align;

TEST_CASE("a crew does each item once in each round, on threads that it has") {
  const int cpu = kit::allowed_cpus().front();
  Crew crew({cpu, cpu, cpu});
  REQUIRE(crew.threads() == 3);
  for (int round = 0; round < 50; ++round) {
    std::vector<std::atomic<int>> done(1000);
    std::atomic<int> strangers{0};
    crew.run(1000, [&](std::int64_t item, int thread) {
      ++done[static_cast<std::size_t>(item)];
      if (thread < 0 || thread >= 3) ++strangers;
    });
    int once = 0;
    for (const auto& count : done) once += count == 1 ? 1 : 0;
    CHECK(once == 1000);
    CHECK(strangers == 0);
  }
}

TEST_CASE("a crew without items comes back, and gives its affinity back in the end") {
  const std::vector<int> before = kit::allowed_cpus();
  {
    Crew crew({before.front()});
    crew.run(0, [](std::int64_t, int) { FAIL("there is no item"); });
    CHECK(kit::allowed_cpus() == std::vector<int>{before.front()});
    CHECK(crew.bound());
  }
  CHECK(kit::allowed_cpus() == before);
}

TEST_CASE("a crew takes the processors that are allowed, one for each core first") {
  const std::vector<int> allowed = kit::allowed_cpus();
  CHECK(crew_cpus(0) == kit::one_cpu_per_core(allowed));
  CHECK(crew_cpus(1) == std::vector<int>{crew_cpus(0).front()});
  CHECK(crew_cpus(static_cast<std::int64_t>(allowed.size())).size() == allowed.size());
  CHECK_THROWS_AS(crew_cpus(static_cast<std::int64_t>(allowed.size()) + 1), kit::UsageError);
}
