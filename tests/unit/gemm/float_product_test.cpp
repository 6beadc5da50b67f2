#include "benches/kit/product/float_product.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

#include "tests/unit/gemm/small_product.hpp"

using namespace rackproof;
using test::SmallProduct;

TEMPLATE_TEST_CASE("rounding is no fault, whatever the shape", "", float, double) {
  for (const auto& [m, n, k] : {std::array{1, 1, 1}, std::array{5, 3, 2000}, std::array{70, 33, 41},
                                std::array{1, 400, 3}}) {
    SmallProduct<TestType> p(m, n, k);
    p.normal(static_cast<std::uint64_t>(m * n + k));
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      CHECK(product::check_float(p.view(), seed, "").wrong == 0);
    }
  }
}

TEMPLATE_TEST_CASE("an error larger than rounding is found and placed", "", float, double) {
  SmallProduct<TestType> p(20, 30, 50);
  p.normal(1);
  const TestType right = p.c[11 * 30 + 7];
  p.c[11 * 30 + 7] +=
      static_cast<TestType>(10 * p.m * p.n * p.k) * std::numeric_limits<TestType>::epsilon();
  const product::Fault fault = product::check_float(p.view(), 3, "call 1, ");
  CHECK(fault.wrong == 1);
  CHECK(fault.all_counted);
  REQUIRE(fault.first);
  CHECK(fault.first->where == "call 1, row 11, column 7");
  CHECK(std::stod(fault.first->want) == Approx(static_cast<double>(right)));
}

TEMPLATE_TEST_CASE("NaN and infinity are wrong", "", float, double) {
  using Limits = std::numeric_limits<TestType>;
  for (const TestType bad :
       {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity(), Limits::max()}) {
    SmallProduct<TestType> p(6, 7, 8);
    p.normal(2);
    p.c[5 * 7 + 6] = bad;
    const product::Fault fault = product::check_float(p.view(), 4, "");
    CHECK(fault.wrong == 1);
    REQUIRE(fault.first);
    CHECK(fault.first->where == "row 5, column 6");
  }
}

TEST_CASE("errors in several rows: the first is placed, and the count is not called complete") {
  SmallProduct<double> p(6, 7, 8);
  p.normal(2);
  p.c[2 * 7 + 1] += 1;
  p.c[5 * 7 + 1] += 1;
  const product::Fault fault = product::check_float(p.view(), 4, "");
  CHECK(fault.wrong == 1);
  CHECK_FALSE(fault.all_counted);
  REQUIRE(fault.first);
  CHECK(fault.first->where == "row 2, column 1");
}
