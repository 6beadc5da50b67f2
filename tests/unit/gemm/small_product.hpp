#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "benches/kit/product/matrix.hpp"
#include "benches/kit/product/operands.hpp"

namespace rackproof::test {

/// A product of small matrices, computed here by the definition.
template <class T>
struct SmallProduct {
  SmallProduct(std::int64_t rows, std::int64_t columns, std::int64_t depth)
      : m(rows), n(columns), k(depth), a(m * k), b(k * n), c(m * n) {}

  void integers(std::uint64_t seed) {
    const auto bound = product::exact_bound(k, std::numeric_limits<T>::digits);
    product::fill_integers(a, bound, seed);
    product::fill_integers(b, bound, seed + 1);
    multiply();
  }
  void normal(std::uint64_t seed) {
    product::fill_normal(a, seed);
    product::fill_normal(b, seed + 1);
    multiply();
  }
  void multiply() {
    for (std::int64_t i = 0; i < m; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        T sum = 0;
        for (std::int64_t l = 0; l < k; ++l) sum += a[i * k + l] * b[l * n + j];
        c[i * n + j] = sum;
      }
    }
  }
  product::Product<T> view() const {
    return {{a.data(), m, k}, {b.data(), k, n}, {c.data(), m, n}};
  }

  std::int64_t m;
  std::int64_t n;
  std::int64_t k;
  std::vector<T> a;
  std::vector<T> b;
  std::vector<T> c;
};

}  // namespace rackproof::test
