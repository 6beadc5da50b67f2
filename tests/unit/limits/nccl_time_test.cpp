#include "harness/limits/nccl_time.hpp"

#include <catch2/catch.hpp>
#include <cmath>

namespace limits = rackproof::limits;
using rackproof::limits::bus_factor;
using rackproof::limits::nccl_seconds;
using rackproof::limits::Operation;

namespace {

double microseconds(const Operation& operation) {
  const auto seconds = limits::nccl_seconds(operation);
  REQUIRE(seconds);
  return *seconds * 1e6;
}

}  // namespace

TEST_CASE("a small message takes what NCCL's constants add up to") {
  // 8 GPUs in a domain. Tree: 6.8 + 2 x 7 x 0.6; ring of all_gather: 6.6 + 7 x 0.6.
  CHECK(microseconds({"all_reduce", 8, 1, true, 1, 450e9}) == Approx(15.0).epsilon(1e-3));
  CHECK(microseconds({"all_gather", 8, 1, true, 1, 450e9}) == Approx(10.8).epsilon(1e-3));
  CHECK(microseconds({"all_gather", 8, 1, false, 1, 25e9}) == Approx(13.6).epsilon(1e-3));
  // 16 domains of 8: a tree of four levels, 6.8 + 2 x (7 x 0.6 + 4 x 5).
  CHECK(microseconds({"all_reduce", 128, 16, true, 1, 400e9}) == Approx(55.2).epsilon(1e-3));
  // The ring: 15 steps over the network, the other 112 at the network's overhead of 2.
  CHECK(microseconds({"all_gather", 128, 16, true, 1, 400e9}) ==
        Approx(6.6 + 112 * 2 + 15 * 2.7).epsilon(1e-3));
  // Three domains have two levels. Messages: one step; of alltoall one to each GPU.
  CHECK(microseconds({"all_reduce", 24, 3, true, 1, 400e9}) ==
        Approx(6.8 + 2 * (4.2 + 10)).epsilon(1e-3));
  CHECK(microseconds({"sendrecv", 8, 1, true, 1, 450e9}) == Approx(7.2).epsilon(1e-3));
  CHECK(microseconds({"pairs", 16, 2, true, 1, 50e9}) == Approx(9.3).epsilon(1e-3));
  CHECK(microseconds({"alltoall", 16, 2, true, 1, 50e9}) ==
        Approx(6.6 + 7 * 2 + 8 * 2.7).epsilon(1e-3));
  // One GPU a domain: nothing hides the network's latency.
  CHECK(microseconds({"all_gather", 4, 4, true, 1, 25e9}) == Approx(6.6 + 3 * 5.0).epsilon(1e-3));
}

TEST_CASE("a large message takes what its links carry") {
  const double bytes = 16.0 * (1 << 30);
  const Operation large{"all_reduce", 8, 1, true, bytes, 450e9};
  CHECK(microseconds(large) == Approx(bytes * 1.75 / 450e9 * 1e6).epsilon(1e-3));
  Operation slow = large;
  slow.bytes_per_second /= 2;
  CHECK(microseconds(slow) == Approx(2 * microseconds(large)).epsilon(1e-3));
}

TEST_CASE("more bytes or domains never take less") {
  for (const char* name : {"all_reduce", "all_gather", "reduce_scatter", "broadcast", "reduce"}) {
    double last = 0;
    for (double bytes = 1; bytes < 1e11; bytes *= 2) {
      const double now = microseconds({name, 32, 4, true, bytes, 400e9});
      CHECK(now > last);
      last = now;
    }
    CHECK(microseconds({name, 64, 8, true, 8, 400e9}) >
          microseconds({name, 32, 4, true, 8, 400e9}));
  }
}

TEST_CASE("what NCCL has no model of has no time, and what nccl-tests does not count no factor") {
  CHECK_FALSE(limits::nccl_seconds({"copy", 8, 1, true, 8, 450e9}));
  CHECK_FALSE(limits::bus_factor("copy", 8));
  CHECK(limits::bus_factor("all_reduce", 8) == 1.75);
  CHECK(limits::bus_factor("alltoall", 8) == 0.875);
  CHECK(limits::bus_factor("sendrecv", 8) == 1);
}
