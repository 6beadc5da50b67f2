#include "benches/steps/expected.hpp"

#include <algorithm>
#include <cmath>

#include "benches/kit/product/mix.hpp"
#include "benches/kit/product/operands.hpp"

namespace rackproof::steps {
namespace {

using Words = std::vector<std::uint64_t>;

// What a float counts exactly.
constexpr float kMostExact = 16777216.0F;

// b weighed: element k is the sum over j of b(k, j) weights[j]. Reads b as it is stored.
Words weigh(const Drawn& b, std::int64_t depth, const Words& weights) {
  Words sums(static_cast<std::size_t>(depth));
  const auto columns = static_cast<std::int64_t>(weights.size());
  for (std::int64_t k = 0; k < depth; ++k) {
    std::uint64_t sum = 0;
    for (std::int64_t j = 0; j < columns; ++j) {
      sum += static_cast<std::uint64_t>(b.at(k, j)) * weights[static_cast<std::size_t>(j)];
    }
    sums[static_cast<std::size_t>(k)] = sum;
  }
  return sums;
}

void add_term(const Term& term, std::int64_t count, const Words& weights, std::uint64_t* sums) {
  const Words inner = term.b ? weigh(*term.b, term.depth, weights) : weights;
  for (std::int64_t i = 0; i < count; ++i) {
    std::uint64_t sum = 0;
    for (std::size_t k = 0; k < inner.size(); ++k) {
      sum += static_cast<std::uint64_t>(term.a.at(i, static_cast<std::int64_t>(k))) * inner[k];
    }
    sums[i] += sum;
  }
}

}  // namespace

std::int64_t Drawn::at(std::int64_t i, std::int64_t j) const {
  const std::int64_t row = first_row + (transposed ? j : i);
  const std::int64_t column = first_column + (transposed ? i : j);
  return product::integer_at(bound, seed,
                             static_cast<std::uint64_t>(row * stored_columns + column));
}

std::int64_t Expected::rows() const {
  std::int64_t sum = 0;
  for (const Rows& block : blocks) sum += block.count;
  return sum;
}

std::int64_t Expected::at(std::int64_t i, std::int64_t j) const {
  std::int64_t first = 0;
  for (const Rows& block : blocks) {
    if (i - first >= block.count) {
      first += block.count;
      continue;
    }
    std::int64_t sum = 0;
    for (const Term& term : block.terms) {
      if (!term.b) {
        sum += term.a.at(i - first, j);
        continue;
      }
      for (std::int64_t k = 0; k < term.depth; ++k) {
        sum += term.a.at(i - first, k) * term.b->at(k, j);
      }
    }
    return sum;
  }
  return 0;
}

std::vector<std::uint64_t> Expected::weighed(const Words& weights) const {
  Words sums(static_cast<std::size_t>(rows()));
  std::uint64_t* at = sums.data();
  for (const Rows& block : blocks) {
    for (const Term& term : block.terms) add_term(term, block.count, weights, at);
    at += block.count;
  }
  return sums;
}

Expected slice(const Expected& expected, std::int64_t first, std::int64_t count) {
  Expected part{expected.columns, {}};
  std::int64_t begin = 0;
  for (const Rows& block : expected.blocks) {
    const std::int64_t from = std::max(first, begin);
    const std::int64_t to = std::min(first + count, begin + block.count);
    if (from < to) {
      Rows rows{to - from, block.terms};
      for (Term& term : rows.terms) {
        (term.a.transposed ? term.a.first_column : term.a.first_row) += from - begin;
      }
      part.blocks.push_back(std::move(rows));
    }
    begin += block.count;
  }
  return part;
}

std::vector<std::int64_t> wrong_rows(const Expected& expected, const product::Matrix<float>& got,
                                     std::uint64_t seed) {
  Words weights(static_cast<std::size_t>(expected.columns));
  for (std::size_t j = 0; j < weights.size(); ++j) weights[j] = product::mix(seed, j);
  const Words want = expected.weighed(weights);
  std::vector<std::int64_t> wrong;
  for (std::int64_t i = 0; i < got.rows; ++i) {
    std::uint64_t sum = 0;
    bool whole = true;
    for (std::int64_t j = 0; j < got.columns; ++j) {
      const float value = got.at(i, j);
      whole = whole && std::abs(value) <= kMostExact && value == std::trunc(value);
      if (!whole) break;
      sum += static_cast<std::uint64_t>(static_cast<std::int64_t>(value)) *
             weights[static_cast<std::size_t>(j)];
    }
    if (!whole || sum != want[static_cast<std::size_t>(i)]) wrong.push_back(i);
  }
  return wrong;
}

}  // namespace rackproof::steps
