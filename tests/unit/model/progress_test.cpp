#include "reports/model/progress.hpp"

#include <catch2/catch.hpp>

using namespace rackproof::model;

TEST_CASE("a place is told as an operation, several of them, or an exchange before one") {
  CHECK(to_text({3, 128, 0}, "all_reduce 8 B") == "iteration 128 of all_reduce 8 B");
  CHECK(to_text({3, 8, 0}, "all_reduce 8 B", 24) == "iterations 8 to 31 of all_reduce 8 B");
  CHECK(to_text({3, 128, 2}, "all_reduce 8 B", 24) ==
        "exchange 2 before iteration 128 of all_reduce 8 B");
  CHECK(to_text({3, 0, 1}, "") == "exchange 1 before iteration 0 of what has no name");
}

TEST_CASE("a member is inside what it has entered and not completed") {
  Progress told;
  CHECK_FALSE(told.is_inside());
  told.entered = {1, 0, 1};
  CHECK(told.is_inside());
  told.completed = told.entered;
  CHECK_FALSE(told.is_inside());
  told.entered = {1, 0, 0};
  CHECK(told.is_inside());
}
