#include "benches/kit/blas/cblas.hpp"

#include <catch2/catch.hpp>

#include "benches/kit/errors.hpp"
#include "benches/kit/product/compare.hpp"
#include "tests/unit/gemm/small_product.hpp"

using namespace rackproof;

TEMPLATE_TEST_CASE("CBLAS multiplies row-major matrices and scales by alpha", "", float, double) {
  test::SmallProduct<TestType> p(5, 7, 11);
  p.integers(1);
  for (const int alpha : {1, -1}) {
    std::vector<TestType> c(p.c.size(), std::numeric_limits<TestType>::quiet_NaN());
    blas::multiply(p.m, p.n, p.k, static_cast<TestType>(alpha), p.a.data(), p.b.data(), c.data());
    CHECK(product::compare(p.view().c, {c.data(), p.m, p.n}, alpha, "").wrong == 0);
  }
}

TEST_CASE("the library says who it is") {
  const auto libraries = blas::libraries();
  REQUIRE_FALSE(libraries.empty());
  for (const auto& [name, version] : libraries) {
    CHECK_FALSE(name.empty());
    CHECK_FALSE(version.empty());
  }
}

TEST_CASE("threads are as asked, or one for each core") {
  CHECK(blas::use_threads(1) == 1);
  CHECK(blas::use_threads(0) >= 1);
}
