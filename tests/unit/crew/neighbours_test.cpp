#include "harness/crew/neighbours.hpp"

#include <catch2/catch.hpp>

namespace crew = rackproof::crew;
using namespace rackproof::crew;
using Pids = std::vector<std::int64_t>;

namespace {

crew::Arrival arrival(int rank, const std::string& host, const std::string& boot,
                      const std::string& space = "pid:[1]") {
  crew::Arrival out{rank, host, 100 + rank, "1", "c"};
  out.boot = boot;
  out.process_space = space;
  return out;
}

}  // namespace

TEST_CASE("ranks under one kernel are one another's own, whatever their hosts are called") {
  const auto shares =
      crew::shares_of({arrival(0, "a", "x"), arrival(1, "b", "y"), arrival(2, "c", "x")});
  REQUIRE(shares.size() == 3);
  CHECK(shares[0].ranks == Pids{100, 102});
  CHECK(shares[1].ranks == Pids{101});
  CHECK(shares[2].ranks == Pids{100, 102});
  CHECK(shares[0].looks);
  CHECK(shares[1].looks);
  CHECK_FALSE(shares[2].looks);
  for (const auto& share : shares) CHECK(share.blind.empty());
}

TEST_CASE("without an id of the kernel the name of the host decides") {
  const auto shares =
      crew::shares_of({arrival(0, "a", ""), arrival(1, "a", ""), arrival(2, "b", "")});
  CHECK(shares[1].ranks == Pids{100, 101});
  CHECK(shares[2].ranks == Pids{102});
}

TEST_CASE("ranks that do not see each other's processes cannot tell theirs from others'") {
  const auto shares =
      crew::shares_of({arrival(0, "a", "x", "pid:[1]"), arrival(1, "a", "x", "pid:[2]"),
                       arrival(2, "b", "y", "pid:[3]")});
  for (const int rank : {0, 1}) {
    CHECK(shares[static_cast<std::size_t>(rank)].blind ==
          "ranks 0 and 1 are on one machine, in containers that do not see each other's processes");
  }
  CHECK(shares[2].blind.empty());
}
