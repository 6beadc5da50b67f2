#include "benches/kit/product/float_product.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "benches/kit/product/clones.hpp"
#include "benches/kit/product/operands.hpp"

namespace rackproof::product {
namespace {

constexpr double kUnit = std::numeric_limits<double>::epsilon() / 2;

double gamma(std::int64_t terms, double unit) {
  const double nu = static_cast<double>(terms) * unit;
  return nu < 1 ? nu / (1 - nu) : std::numeric_limits<double>::infinity();
}

struct Sums {
  std::vector<double> value;
  std::vector<double> magnitude;
};

// The sum of row[j] * by[j], and that of the magnitudes, in any order. At every level of the vector
// units the rounding stays within the bound of the header.
template <class T>
inline __attribute__((always_inline)) void row_sums(const T* row, const double* by,
                                                    const double* by_magnitude, std::int64_t count,
                                                    double& value, double& magnitude) {
  double sum = 0;
  double sum_magnitude = 0;
#pragma omp simd reduction(+ : sum, sum_magnitude)
  for (std::int64_t j = 0; j < count; ++j) {
    const double element = row[j];
    sum += element * by[j];
    sum_magnitude += std::abs(element) * by_magnitude[j];
  }
  value = sum;
  magnitude = sum_magnitude;
}

RACKPROOF_CLONES void dot(const double* row, const double* by, const double* by_magnitude,
                          std::int64_t count, double& value, double& magnitude) {
  row_sums(row, by, by_magnitude, count, value, magnitude);
}

RACKPROOF_CLONES void dot(const float* row, const double* by, const double* by_magnitude,
                          std::int64_t count, double& value, double& magnitude) {
  row_sums(row, by, by_magnitude, count, value, magnitude);
}

// M * x.value and |M| * x.magnitude.
template <class T>
Sums times(const Matrix<T>& matrix, const Sums& x) {
  Sums sums{std::vector<double>(static_cast<std::size_t>(matrix.rows)),
            std::vector<double>(static_cast<std::size_t>(matrix.rows))};
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < matrix.rows; ++i) {
    dot(matrix.row(i), x.value.data(), x.magnitude.data(), matrix.columns, sums.value[i],
        sums.magnitude[i]);
  }
  return sums;
}

Sums random_signs(std::int64_t count, std::uint64_t seed) {
  Sums x{std::vector<double>(static_cast<std::size_t>(count)),
         std::vector<double>(static_cast<std::size_t>(count), 1.0)};
  for (std::size_t j = 0; j < x.value.size(); ++j) x.value[j] = (mix(seed, j) >> 63U) != 0 ? -1 : 1;
  return x;
}

// Wrong elements of one row, each against a dot product in long double and its own bound.
template <class T>
Fault search_row(const Product<T>& p, std::int64_t row, double unit, const std::string& where) {
  Fault fault;
  for (std::int64_t j = 0; j < p.c.columns; ++j) {
    long double want = 0;
    long double magnitude = 0;
    for (std::int64_t l = 0; l < p.a.columns; ++l) {
      const long double term = static_cast<long double>(p.a.at(row, l)) * p.b.at(l, j);
      want += term;
      magnitude += std::abs(term);
    }
    const long double off = std::abs(static_cast<long double>(p.c.at(row, j)) - want);
    if (off <= 2 * static_cast<long double>(gamma(p.a.columns, unit)) * magnitude) continue;
    if (++fault.wrong > 1) continue;
    fault.first = protocol::FirstWrong{fmt::format("{}row {}, column {}", where, row, j),
                                       fmt::format("{}", p.c.at(row, j)),
                                       fmt::format("{}", static_cast<double>(want))};
  }
  return fault;
}

template <class T>
Fault check(const Product<T>& p, std::uint64_t seed, const std::string& where) {
  const double unit = std::numeric_limits<T>::epsilon() / 2;
  const Sums x = random_signs(p.c.columns, seed);
  const Sums want = times(p.a, times(p.b, x));
  const Sums got = times(p.c, x);
  const double of_sums = gamma(p.c.columns + p.a.columns, kUnit);
  const double of_product = gamma(p.a.columns, unit) + of_sums;
  const double of_c = gamma(p.c.columns, kUnit);

  std::int64_t wrong_rows = 0;
  std::int64_t first = 0;
  double allowed = 0;
  for (std::int64_t i = 0; i < p.c.rows; ++i) {
    const double limit = (of_product * want.magnitude[i] + of_c * got.magnitude[i]) / (1 - of_sums);
    // Written so that a NaN or an infinity on either side is wrong.
    const bool right =
        std::isfinite(got.magnitude[i]) && std::abs(got.value[i] - want.value[i]) <= limit;
    if (right) continue;
    if (wrong_rows++ == 0) {
      first = i;
      allowed = limit;
    }
  }
  if (wrong_rows == 0) return {};
  Fault fault = search_row(p, first, unit, where);
  fault.all_counted = wrong_rows == 1 && fault.wrong > 0;
  fault.detail = fmt::format(
      "{} of {} rows differ from A*(B*x) by more than rounding can explain "
      "(row {} may differ by {:.3g})",
      wrong_rows, p.c.rows, first, allowed);
  if (fault.wrong > 0) return fault;
  fault.wrong = wrong_rows;
  fault.first = protocol::FirstWrong{fmt::format("{}row {}", where, first),
                                     fmt::format("{}", got.value[first]),
                                     fmt::format("{}", want.value[first])};
  return fault;
}

}  // namespace

Fault check_float(const Product<double>& product, std::uint64_t seed, const std::string& where) {
  return check(product, seed, where);
}
Fault check_float(const Product<float>& product, std::uint64_t seed, const std::string& where) {
  return check(product, seed, where);
}

}  // namespace rackproof::product
