// NCCL itself, as far as it goes without a GPU: ids and what it logs while it makes them.
#include "benches/kit/nccl/log_file.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>

#include "benches/kit/errors.hpp"
#include "benches/kit/nccl/check.hpp"
#include "benches/kit/nccl/communicator.hpp"

using namespace rackproof::kit;

TEST_CASE("a log that the user has asked for is left alone") {
  setenv("NCCL_DEBUG", "WARN", 1);
  nccl::LogFile log;
  CHECK_FALSE(log.works());
  CHECK(log.text().empty());
  CHECK_FALSE(log.tell_launches(true));
  CHECK(std::string(std::getenv("NCCL_DEBUG")) == "WARN");
  unsetenv("NCCL_DEBUG");
}

TEST_CASE("what NCCL logs is read and starts anew when it is switched") {
  nccl::LogFile log;
  REQUIRE(log.works());
  const auto ids = nccl::make_ids(2);
  CHECK(ids[0] != ids[1]);
  const std::string first = log.text();
  CHECK_THAT(first, Catch::Contains("NCCL INFO"));
  CHECK(log.tell_launches(true));
  CHECK(log.text().empty());
  (void)nccl::make_ids(1);
  CHECK(log.tell_launches(false));
  (void)nccl::make_ids(1);
  CHECK(log.text().size() <= first.size());
}

TEST_CASE("the version of the library is told without a device") {
  CHECK_THAT(nccl::libraries().at("nccl"), Catch::Matches("2\\.[0-9]+\\.[0-9]+"));
}

TEST_CASE("an error of NCCL is told by name and place and call") {
  const std::string text =
      nccl::describe(ncclRemoteError, "ncclAllReduce(...)", "/somewhere/benches/kit/x.cpp", 7);
  CHECK_THAT(text, Catch::Contains("ncclAllReduce(...) at benches/kit/x.cpp:7") &&
                       Catch::Contains("ncclRemoteError"));
  CHECK_THROWS_AS(RACKPROOF_NCCL(ncclInternalError), DeviceError);
  CHECK_NOTHROW(RACKPROOF_NCCL(ncclSuccess));
}
