#include "benches/gemm/gemm.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

#include "benches/kit/errors.hpp"

using namespace rackproof;

TEST_CASE("shapes are read") {
  CHECK(gemm::parse_shape("512") == gemm::Shape{512, 512, 512});
  CHECK(gemm::parse_shape("1x2x3") == gemm::Shape{1, 2, 3});
  CHECK(gemm::text({1, 2, 3}) == "1x2x3");
  CHECK(gemm::operations({3, 5, 7}) == 210);
}

TEST_CASE("what is no shape is refused, and named") {
  for (const char* bad : {"", "x", "0", "-4", "12x", "x12", "1x2", "1x2x", "1x2x3x4", "1x2x3 ",
                          "1e3", "1.5x2x3", "1048577", "99999999999999999999", "4096X4096X4096"}) {
    INFO(bad);
    CHECK_THROWS_WITH(gemm::parse_shape(bad),
                      Catch::Contains(std::string("--shape ") + bad) && Catch::Contains("MxNxK"));
    CHECK_THROWS_AS(gemm::parse_shape(bad), kit::UsageError);
  }
}

TEST_CASE("cells are every dtype by every shape, once") {
  gemm::Settings settings;
  settings.shapes = {"8", "1x2x3"};
  const auto all = gemm::cells(settings);
  REQUIRE(all.size() == 4);
  CHECK(gemm::parameters(all[3]) == contract::Parameters{{"dtype", std::string("fp32")},
                                                         {"m", std::int64_t{1}},
                                                         {"n", std::int64_t{2}},
                                                         {"k", std::int64_t{3}}});
  settings.shapes = {"8", "8x8x8"};
  CHECK_THROWS_AS(gemm::cells(settings), kit::UsageError);
  settings.shapes = {};
  CHECK_THROWS_AS(gemm::cells(settings), kit::UsageError);
}

TEST_CASE("the shapes by default are square and skewed") {
  const auto all = gemm::cells({});
  CHECK(all.size() == 8);
  CHECK(std::any_of(all.begin(), all.end(), [](const gemm::Cell& cell) {
    return cell.shape.m == cell.shape.n && cell.shape.n == cell.shape.k;
  }));
}

TEST_CASE("memory is A, B and two C") {
  CHECK(gemm::bytes_needed({"fp64", {10, 20, 30}}) == 8 * (300 + 600 + 400));
  CHECK(gemm::bytes_needed({"fp32", {10, 20, 30}}) == 4 * (300 + 600 + 400));
}
