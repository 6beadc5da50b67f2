#include "benches/kit/product/digest.hpp"

#include <catch2/catch.hpp>

#include "benches/kit/inject.hpp"
#include "benches/kit/product/compare.hpp"
#include "benches/kit/product/operands.hpp"

using namespace rackproof;
using product::Matrix;

TEMPLATE_TEST_CASE("every bit of every element is in the digest of its row alone", "", float,
                   double) {
  for (const std::int64_t columns : {1, 7, 8, 16, 19}) {
    std::vector<TestType> values(3 * columns);
    product::fill_normal(values, 5);
    const Matrix<TestType> matrix{values.data(), 3, columns};
    const auto before = product::row_digests(matrix, 1);
    for (std::int64_t j = 0; j < columns; ++j) {
      for (int bit = 0; bit < static_cast<int>(sizeof(TestType)) * 8; ++bit) {
        const kit::Injection injection{columns + j, bit};
        kit::flip(injection, values.data(), 3 * columns, sizeof(TestType));
        const auto after = product::row_digests(matrix, 1);
        kit::flip(injection, values.data(), 3 * columns, sizeof(TestType));
        CHECK(after[0] == before[0]);
        CHECK(after[1] != before[1]);
        CHECK(after[2] == before[2]);
      }
    }
  }
}

TEST_CASE("elements that change places change the digest") {
  std::vector<double> values(40);
  product::fill_normal(values, 6);
  const Matrix<double> matrix{values.data(), 1, 40};
  const auto before = product::row_digests(matrix, 1);
  std::swap(values[3], values[11]);  // the same lane
  CHECK(product::row_digests(matrix, 1) != before);
  std::swap(values[3], values[11]);
  std::swap(values[3], values[4]);  // the next lane
  CHECK(product::row_digests(matrix, 1) != before);
}

TEMPLATE_TEST_CASE("with the sign turned, -C has the digest of C, zeros included", "", float,
                   double) {
  std::vector<TestType> values(30);
  product::fill_normal(values, 7);
  values[4] = 0;
  values[21] = -TestType{0};
  std::vector<TestType> negative(values);
  for (TestType& value : negative) value = -value;
  CHECK(product::row_digests(Matrix<TestType>{values.data(), 2, 15}, 1) ==
        product::row_digests(Matrix<TestType>{negative.data(), 2, 15}, -1));
  CHECK(product::row_digests(Matrix<TestType>{values.data(), 2, 15}, 1) !=
        product::row_digests(Matrix<TestType>{values.data(), 2, 15}, -1));
}

TEMPLATE_TEST_CASE("compare counts and places what differs, NaN included", "", float, double) {
  std::vector<TestType> want(12 * 5);
  product::fill_normal(want, 8);
  want[0] = 0;
  std::vector<TestType> got(want);
  for (TestType& value : got) value = -value;
  const Matrix<TestType> wanted{want.data(), 12, 5};
  const Matrix<TestType> seen{got.data(), 12, 5};
  CHECK(product::compare(wanted, seen, -1, "").wrong == 0);
  CHECK(product::compare(wanted, seen, 1, "").wrong == 59);
  got[7 * 5 + 3] = std::numeric_limits<TestType>::quiet_NaN();
  got[9 * 5] = 100;
  const product::Fault fault = product::compare(wanted, seen, -1, "window 2, ");
  CHECK(fault.wrong == 2);
  REQUIRE(fault.first);
  CHECK(fault.first->where == "window 2, row 7, column 3");
  CHECK(fault.first->got == "nan");
}
