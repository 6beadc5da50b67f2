#include <catch2/catch.hpp>

#include "harness/compare/series.hpp"
#include "tests/unit/compare/fleet.hpp"

namespace rackproof::compare {

using compare_test::Fleet;
using compare_test::sample_of;

TEST_CASE("a fact that changed on some devices only explains what they lost") {
  const std::vector<Sample> a = {sample_of(Fleet{.quantities = 1}, 1)};
  const std::vector<Sample> b = {sample_of(
      Fleet{.quantities = 1, .factor = 0.9, .changed = 36, .changed_driver = "560.10"}, 2)};
  const std::vector<Series> series = common_series(a, b);
  const auto found = associations({&series[0]});
  REQUIRE(!found.empty());
  CHECK(found[0].fact == "gpu.driver");
  CHECK(found[0].b == "550.54 (36), 560.10 (36)");
  CHECK(found[0].explained > 0.4);
}

TEST_CASE("where no fact goes with the difference none is named") {
  const std::vector<Sample> a = {sample_of(Fleet{.quantities = 1}, 1)};
  const std::vector<Sample> b = {
      sample_of(Fleet{.quantities = 1, .factor = 0.9, .changed = 72}, 2)};
  const std::vector<Series> series = common_series(a, b);
  CHECK(associations({&series[0]}).empty());
}

TEST_CASE("a fact that one side does not tell is one that differs") {
  std::vector<Sample> a = {sample_of(Fleet{.quantities = 1}, 1)};
  const std::vector<Sample> b = {
      sample_of(Fleet{.quantities = 1, .factor = 0.9, .changed = 72}, 2)};
  for (auto& [subject, facts] : a[0].facts_of) facts.erase("gpu.name");
  const std::vector<Series> series = common_series(a, b);
  const auto found = associations({&series[0]});
  REQUIRE(found.size() == 1);
  CHECK(found[0].a == "(not known) (72)");
  CHECK(found[0].b == "H100 (72)");
}

}  // namespace rackproof::compare
