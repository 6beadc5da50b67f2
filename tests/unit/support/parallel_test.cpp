#include "harness/support/parallel.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>
#include <vector>

using namespace rackproof::support;

TEST_CASE("each piece of work is done once") {
  std::vector<std::atomic<int>> done(1000);
  on_all_cores(done.size(), [&](std::size_t i) { ++done[i]; });
  int others = 0;
  for (const auto& count : done) others += count == 1 ? 0 : 1;
  CHECK(others == 0);
  on_all_cores(0, [](std::size_t /*i*/) { throw std::logic_error("there is no work"); });
}

TEST_CASE("of errors the first in order is thrown, once all work is done") {
  std::atomic<int> done = 0;
  const auto work = [&](std::size_t i) {
    ++done;
    if (i % 3 == 2) throw std::runtime_error(std::to_string(i));
  };
  CHECK_THROWS_WITH(on_all_cores(100, work), "2");
  CHECK(done == 100);
}

TEST_CASE("the first error is that of the lowest place, whoever came first") {
  FirstError errors;
  CHECK_NOTHROW(errors.rethrow());
  for (const int place : {7, 3, 5}) {
    errors.add(static_cast<std::size_t>(place),
               std::make_exception_ptr(std::runtime_error(std::to_string(place))));
  }
  CHECK_THROWS_WITH(errors.rethrow(), "3");
}
