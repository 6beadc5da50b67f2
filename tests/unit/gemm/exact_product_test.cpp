#include "benches/kit/product/exact_product.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <cstring>
#include <limits>

#include "benches/kit/inject.hpp"
#include "tests/unit/gemm/small_product.hpp"

using namespace rackproof;
using test::SmallProduct;

namespace {

template <class T>
void flip(T& value, int bit) {
  kit::flip({0, bit}, &value, 1, sizeof(T));
}

}  // namespace

TEMPLATE_TEST_CASE("a right product has no fault, whatever its shape", "", float, double) {
  for (const auto& [m, n, k] :
       {std::array{1, 1, 1}, std::array{1, 600, 5}, std::array{600, 1, 5}, std::array{3, 5, 1500},
        std::array{33, 70, 41}, std::array{64, 1025, 2}}) {
    SmallProduct<TestType> p(m, n, k);
    p.integers(static_cast<std::uint64_t>(m + n + k));
    const product::Fault fault = product::check_exact(p.view(), 1, "");
    CHECK(fault.wrong == 0);
    CHECK_FALSE(fault.first);
    CHECK(fault.detail.empty());
  }
}

TEMPLATE_TEST_CASE("each flipped bit is found, counted and placed", "", float, double) {
  SmallProduct<TestType> p(37, 53, 29);
  p.integers(3);
  const std::int64_t at = 17 * 53 + 23;
  REQUIRE(p.c[at] != 0);
  for (int bit = 0; bit < static_cast<int>(sizeof(TestType)) * 8; ++bit) {
    const TestType right = p.c[at];
    flip(p.c[at], bit);
    const product::Fault fault = product::check_exact(p.view(), 9, "here, ");
    INFO("bit " << bit);
    REQUIRE(fault.wrong == 1);
    CHECK(fault.all_counted);
    REQUIRE(fault.first);
    CHECK(fault.first->where == "here, row 17, column 23");
    CHECK(std::stod(fault.first->want) == static_cast<double>(right));
    p.c[at] = right;
  }
}

TEST_CASE("errors that make up for each other in every plain checksum are found") {
  SmallProduct<double> p(20, 30, 10);
  p.integers(4);
  p.c[3 * 30 + 5] += 1;
  p.c[3 * 30 + 9] -= 1;
  p.c[8 * 30 + 5] -= 1;
  p.c[8 * 30 + 9] += 1;
  const product::Fault fault = product::check_exact(p.view(), 2, "");
  CHECK(fault.wrong == 4);
  CHECK(fault.all_counted);
  REQUIRE(fault.first);
  CHECK(fault.first->where == "row 3, column 5");
}

TEST_CASE("rows that changed places are found") {
  SmallProduct<double> p(20, 30, 10);
  p.integers(5);
  std::swap_ranges(p.c.begin(), p.c.begin() + 30, p.c.begin() + 300);
  const product::Fault fault = product::check_exact(p.view(), 2, "");
  CHECK(fault.wrong > 50);
  REQUIRE(fault.first);
  CHECK(fault.first->where == "row 0, column 0");
}

TEMPLATE_TEST_CASE("what is no integer is wrong", "", float, double) {
  using Limits = std::numeric_limits<TestType>;
  for (const TestType bad : {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity(),
                             Limits::max(), TestType{0.5}, Limits::denorm_min()}) {
    SmallProduct<TestType> p(9, 11, 7);
    p.integers(6);
    // A right value of 0 is what a broken one counts as in the sums.
    std::fill(p.a.begin() + 4 * 7, p.a.begin() + 5 * 7, TestType{0});
    p.multiply();
    p.c[4 * 11 + 6] = bad;
    const product::Fault fault = product::check_exact(p.view(), 1, "");
    INFO("value " << bad);
    CHECK(fault.wrong == 1);
    REQUIRE(fault.first);
    CHECK(fault.first->where == "row 4, column 6");
    CHECK(fault.first->want == "0");
  }
}

TEST_CASE("a result that nobody wrote is wrong everywhere") {
  SmallProduct<double> p(12, 13, 14);
  p.integers(7);
  std::fill(p.c.begin(), p.c.end(), std::nan(""));
  CHECK(product::check_exact(p.view(), 1, "").wrong == 12 * 13);
}

TEST_CASE("the sign of a zero is not looked at") {
  SmallProduct<double> p(2, 2, 2);
  p.integers(8);
  std::fill(p.a.begin(), p.a.end(), 0.0);
  p.multiply();
  p.c[1] = -0.0;
  CHECK(product::check_exact(p.view(), 1, "").wrong == 0);
}
