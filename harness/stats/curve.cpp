#include "harness/stats/curve.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace rackproof::stats {
namespace {

constexpr std::size_t kTerms = 3;
constexpr std::size_t kLeastPoints = 3;

using Row = std::array<double, kTerms>;
using Matrix = std::array<std::array<double, kTerms + 1>, kTerms>;

bool is_positive(double value) { return std::isfinite(value) && value > 0; }

/// The terms of a point, divided by its time: the fit is of ones.
Row row_of(const BusPoint& point) {
  const double seconds = point.bytes / point.bytes_per_second;
  return {1 / seconds, std::log2(point.ranks) / seconds, point.bytes / seconds};
}

/// Gauss elimination with pivots; nothing when the terms cannot be told apart.
std::optional<Row> solve(Matrix matrix, const std::vector<std::size_t>& terms) {
  const std::size_t n = terms.size();
  for (std::size_t column = 0; column < n; ++column) {
    std::size_t pivot = column;
    for (std::size_t row = column; row < n; ++row) {
      if (std::abs(matrix[row][column]) > std::abs(matrix[pivot][column])) pivot = row;
    }
    std::swap(matrix[column], matrix[pivot]);
    if (!(std::abs(matrix[column][column]) > 1e-9)) return std::nullopt;
    for (std::size_t row = 0; row < n; ++row) {
      if (row == column) continue;
      const double share = matrix[row][column] / matrix[column][column];
      for (std::size_t k = column; k <= n; ++k) matrix[row][k] -= share * matrix[column][k];
    }
  }
  Row solution{};
  for (std::size_t i = 0; i < n; ++i) solution[terms[i]] = matrix[i][n] / matrix[i][i];
  return solution;
}

/// Least squares with only these terms. Columns are scaled to length one first: seconds and bytes
/// lie ten powers of ten apart.
std::optional<Row> fit(const std::vector<Row>& rows, const std::vector<std::size_t>& terms) {
  Row length{};
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < kTerms; ++i) length[i] += row[i] * row[i];
  }
  for (double& one : length) one = std::sqrt(one);
  Matrix matrix{};
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < terms.size(); ++i) {
      const double left = row[terms[i]] / length[terms[i]];
      for (std::size_t j = 0; j < terms.size(); ++j) {
        matrix[i][j] += left * row[terms[j]] / length[terms[j]];
      }
      matrix[i][terms.size()] += left;
    }
  }
  auto solution = solve(matrix, terms);
  if (!solution) return std::nullopt;
  for (const std::size_t term : terms) (*solution)[term] /= length[term];
  return solution;
}

double error_of(const std::vector<Row>& rows, const Row& solution) {
  double sum = 0;
  for (const Row& row : rows) {
    double ones = 0;
    for (std::size_t i = 0; i < kTerms; ++i) ones += row[i] * solution[i];
    sum += (ones - 1) * (ones - 1);
  }
  return sum;
}

}  // namespace

double BusCurve::bytes_per_second(double bytes, double ranks) const {
  return bytes /
         (latency_seconds + per_doubling_seconds * std::log2(ranks) + bytes * seconds_per_byte);
}

std::optional<BusCurve> fit_bus_curve(const std::vector<BusPoint>& points) {
  if (points.size() < kLeastPoints) return std::nullopt;
  std::vector<Row> rows;
  bool many_ranks = false;
  for (const BusPoint& point : points) {
    if (!is_positive(point.bytes) || !is_positive(point.bytes_per_second) || !(point.ranks >= 2)) {
      return std::nullopt;
    }
    rows.push_back(row_of(point));
    many_ranks = many_ranks || point.ranks != points.front().ranks;
  }
  // Each subset of the latency terms in turn: with two of them that is all a constrained fit is.
  const std::vector<std::vector<std::size_t>> choices =
      many_ranks ? std::vector<std::vector<std::size_t>>{{0, 1, 2}, {0, 2}, {1, 2}, {2}}
                 : std::vector<std::vector<std::size_t>>{{0, 2}, {2}};
  std::optional<BusCurve> best;
  double least = std::numeric_limits<double>::infinity();
  for (const std::vector<std::size_t>& terms : choices) {
    const auto solution = fit(rows, terms);
    if (!solution || !((*solution)[2] > 0)) continue;
    if ((*solution)[0] < 0 || (*solution)[1] < 0) continue;
    const double error = error_of(rows, *solution);
    if (!(error < least)) continue;
    least = error;
    best = BusCurve{(*solution)[0], (*solution)[1], (*solution)[2]};
  }
  return best;
}

double largest_miss(const BusCurve& curve, const std::vector<BusPoint>& points) {
  double most = 0;
  for (const BusPoint& point : points) {
    const double fitted = curve.bytes_per_second(point.bytes, point.ranks);
    most = std::max(most, std::abs(fitted / point.bytes_per_second - 1));
  }
  return most;
}

}  // namespace rackproof::stats
