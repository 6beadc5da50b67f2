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

TEST_CASE("CBLAS takes transposed operands, and adds to what was there") {
  using blas::Form;
  test::SmallProduct<float> p(5, 7, 11);
  p.integers(1);
  std::vector<float> a(p.a.size());
  std::vector<float> b(p.b.size());
  for (std::int64_t i = 0; i < p.m; ++i) {
    for (std::int64_t k = 0; k < p.k; ++k) a[k * p.m + i] = p.a[i * p.k + k];
  }
  for (std::int64_t k = 0; k < p.k; ++k) {
    for (std::int64_t j = 0; j < p.n; ++j) b[j * p.k + k] = p.b[k * p.n + j];
  }
  std::vector<float> c(p.c.size(), std::numeric_limits<float>::quiet_NaN());
  blas::multiply(p.m, p.n, p.k, 2.0F, Form::kTransposed, a.data(), Form::kPlain, p.b.data(), 0.0F,
                 c.data());
  blas::multiply(p.m, p.n, p.k, -1.0F, Form::kPlain, p.a.data(), Form::kTransposed, b.data(), 1.0F,
                 c.data());
  CHECK(product::compare(p.view().c, {c.data(), p.m, p.n}, 1, "").wrong == 0);
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
