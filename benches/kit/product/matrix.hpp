#pragma once

#include <cstddef>
#include <cstdint>

namespace rackproof::product {

/// A dense row-major matrix that somebody else owns.
template <class T>
struct Matrix {
  const T* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t columns = 0;

  const T* row(std::int64_t i) const { return data + i * columns; }
  T at(std::int64_t i, std::int64_t j) const { return row(i)[j]; }
  std::int64_t size() const { return rows * columns; }
};

/// C = A * B, as a library computed it.
template <class T>
struct Product {
  Matrix<T> a;
  Matrix<T> b;
  Matrix<T> c;
};

}  // namespace rackproof::product
