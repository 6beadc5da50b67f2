// NCCL's part of the kit where there is no NCCL: the build gives it the name of a library that is
// nowhere.
#include <catch2/catch.hpp>

#include "benches/kit/errors.hpp"
#include "benches/kit/nccl/communicator.hpp"
#include "benches/kit/nccl/library.hpp"

using namespace rackproof::kit;

TEST_CASE("without the library it is said, and its version is not") {
  CHECK_FALSE(nccl::library_is_here());
  CHECK(nccl::libraries().empty());
  CHECK(nccl::find_in_library("ncclGetVersion") == nullptr);
  CHECK_THROWS_WITH(nccl::require_library(), Catch::StartsWith("NCCL cannot be loaded: ") &&
                                                 Catch::Contains("libnccl-nowhere.so.2"));
  CHECK_THROWS_AS(nccl::make_ids(1), Unavailable);
}
