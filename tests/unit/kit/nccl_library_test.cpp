#include "benches/kit/nccl/library.hpp"

#include <nccl.h>

#include <catch2/catch.hpp>

using namespace rackproof::kit;

TEST_CASE("the library that was found has every function that is used") {
  REQUIRE(nccl::library_is_here());
  CHECK_NOTHROW(nccl::require_library());
  int version = 0;
  CHECK(ncclGetVersion(&version) == ncclSuccess);
  CHECK(version / 10'000 == NCCL_MAJOR);
  CHECK(nccl::find_in_library("ncclNoSuchFunction") == nullptr);
}
