// Every type, reduction and number of ranks against a reference that does not round: integers of
// 128 bits with an exponent beside them.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <vector>

#include "benches/collectives/expect.hpp"
#include "benches/kit/reduction/verifiable.hpp"
#include "tests/unit/kit_reduction/arithmetic.hpp"

using namespace rackproof::collectives;
using namespace rackproof::reduction;

namespace {

constexpr Seeds kSeeds{23, 5};
// The elements looked at: a stamp, index 256, lies among them.
constexpr std::int64_t kFirst = 250;

std::vector<int> group_sizes() {
  std::vector<int> sizes;
  for (int ranks = 1; ranks <= 16; ++ranks) sizes.push_back(ranks);
  for (const int ranks : {64, 1000, 4096}) sizes.push_back(ranks);
  return sizes;
}

std::int64_t count_for(int ranks) { return ranks <= 16 ? 64 : ranks <= 64 ? 32 : 8; }

using Column = std::vector<std::uint64_t>;  // one element of all ranks

std::vector<Column> columns_of(const Pattern& pattern, Dtype dtype, int ranks) {
  const std::int64_t count = count_for(ranks);
  std::vector<Column> columns(static_cast<std::size_t>(count));
  std::vector<std::uint64_t> input(static_cast<std::size_t>(count));
  for (int rank = 0; rank < ranks; ++rank) {
    pattern.input(rank, kFirst, count, input.data());
    for (std::int64_t i = 0; i < count; ++i) {
      columns[static_cast<std::size_t>(i)].push_back(bits_at(input.data(), i, dtype));
    }
  }
  return columns;
}

Exact reference(const Column& column, Dtype dtype, RedOp redop) {
  Exact all = exact_of(column.front(), dtype);
  for (std::size_t rank = 1; rank < column.size(); ++rank) {
    const Exact one = exact_of(column[rank], dtype);
    switch (redop) {
      case RedOp::kSum:
      case RedOp::kAvg:
        all = add_exact(all, one);
        break;
      case RedOp::kProd:
        all = multiply_exact(all, one);
        break;
      case RedOp::kMin:
        if (compare_exact(one, all) < 0) all = one;
        break;
      case RedOp::kMax:
        if (compare_exact(one, all) > 0) all = one;
        break;
    }
  }
  return all;
}

// The number of the type that is nearest to sum / ranks: no more than half a unit of its last place
// away. An integer has to be it exactly.
bool is_mean(const Exact& mean, const Exact& sum, Dtype dtype, int ranks) {
  const Exact times = multiply_exact(mean, {ranks, 0});
  Exact away = add_exact(times, {-sum.significand, sum.exponent});
  if (away.significand < 0) away.significand = -away.significand;
  if (!is_floating(dtype)) return away.significand == 0;
  return compare_exact(multiply_exact(away, {2, 0}), {ranks, mean.exponent}) <= 0;
}

bool is_reference(std::uint64_t result, const Column& column, Dtype dtype, RedOp redop) {
  const Exact got = exact_of(result, dtype);
  const Exact want = reference(column, dtype, redop);
  if (redop != RedOp::kAvg) return compare_exact(got, want) == 0;
  return is_mean(got, want, dtype, static_cast<int>(column.size()));
}

// Neighbour with neighbour until one is left, in the type's own arithmetic.
std::uint64_t in_pairs(Column column, Dtype dtype, RedOp redop) {
  while (column.size() > 1) {
    Column next;
    for (std::size_t i = 0; i + 1 < column.size(); i += 2) {
      next.push_back(combined(column[i], column[i + 1], dtype, redop));
    }
    if (column.size() % 2 == 1) next.push_back(column.back());
    column = next;
  }
  return column.front();
}

std::uint64_t in_turn(const Column& column, Dtype dtype, RedOp redop) {
  std::uint64_t all = column.front();
  for (std::size_t i = 1; i < column.size(); ++i) all = combined(all, column[i], dtype, redop);
  return all;
}

// Every way in which a library may come to the result, as it rounds on the way.
Column computed(Column column, Dtype dtype, RedOp redop) {
  const int ranks = static_cast<int>(column.size());
  Column results;
  for (const bool scaled : {false, true}) {
    if (scaled && redop != RedOp::kAvg) break;
    Column inputs = column;
    if (scaled) {
      for (std::uint64_t& one : inputs) one = scaled_before(one, dtype, ranks);
    }
    for (int turn = 0; turn < 2; ++turn) {
      for (std::uint64_t sum : {in_turn(inputs, dtype, redop), in_pairs(inputs, dtype, redop)}) {
        if (redop == RedOp::kAvg) {
          sum = scaled ? divided_after(sum, dtype, ranks) : divided(sum, dtype, ranks);
        }
        results.push_back(sum);
      }
      std::reverse(inputs.begin(), inputs.end());
    }
  }
  return results;
}

}  // namespace

TEST_CASE("every result is the exact one for every type and reduction and for up to 4096 ranks") {
  const auto type = GENERATE(from_range(dtype_words()));
  const Dtype dtype = *dtype_of(type);
  for (const std::string& reduction : redop_words()) {
    const RedOp redop = *redop_of(reduction);
    for (const int ranks : group_sizes()) {
      if (!has_exact_result(dtype, redop, ranks)) continue;
      const Pattern pattern(dtype, redop, ranks, kSeeds);
      const auto columns = columns_of(pattern, dtype, ranks);
      std::vector<std::uint64_t> results(columns.size());
      pattern.result(kFirst, static_cast<std::int64_t>(columns.size()), results.data());
      std::int64_t not_exact = 0;
      std::int64_t by_order = 0;
      for (std::size_t i = 0; i < columns.size(); ++i) {
        const std::uint64_t result = bits_at(results.data(), static_cast<std::int64_t>(i), dtype);
        if (!is_reference(result, columns[i], dtype, redop)) ++not_exact;
        for (const std::uint64_t other : computed(columns[i], dtype, redop)) {
          if (other != result) ++by_order;
        }
      }
      INFO(type << " " << reduction << " over " << ranks);
      CHECK(not_exact == 0);
      CHECK(by_order == 0);
    }
  }
}

TEST_CASE("one flipped bit anywhere in an output is found, and where it is") {
  const auto type = GENERATE(from_range(dtype_words()));
  const Dtype dtype = *dtype_of(type);
  constexpr std::int64_t kCount = 300;
  const auto width = static_cast<std::int64_t>(size_of(dtype));
  for (const std::optional<RedOp> redop :
       {std::optional<RedOp>{}, std::optional{RedOp::kSum}, std::optional{RedOp::kAvg}}) {
    const Pattern pattern(dtype, redop, 6, kSeeds);
    const int source = redop ? kAllRanks : 4;
    std::vector<unsigned char> output(static_cast<std::size_t>(kCount * width));
    pattern.expected(source, 0, kCount, output.data());
    const std::vector<Segment> segments{{source, 0, 0, kCount}};
    REQUIRE(inspect(segments, pattern, dtype, output.data()).wrong == 0);
    std::int64_t missed = 0;
    for (std::int64_t bit = 0; bit < kCount * width * 8; ++bit) {
      auto& byte = output[static_cast<std::size_t>(bit / 8)];
      const auto flipped = static_cast<unsigned char>(1U << (bit % 8));
      byte ^= flipped;
      const Findings found = inspect(segments, pattern, dtype, output.data());
      byte ^= flipped;
      const bool right = found.wrong == 1 && found.first && found.first->index == bit / 8 / width &&
                         (found.first->got ^ found.first->want) == std::uint64_t{1}
                                                                       << (bit % (8 * width));
      if (!right) ++missed;
    }
    INFO(type << " " << (redop ? word(*redop) : "moved"));
    CHECK(missed == 0);
  }
}

TEST_CASE("results of narrow types vary as far as they can, and a rank left out is noticed") {
  constexpr int kRanks = 5;
  constexpr std::int64_t kCount = 600;
  for (const Dtype dtype :
       {Dtype::kHalf, Dtype::kBfloat16, Dtype::kFloat8E4M3, Dtype::kFloat8E5M2}) {
    for (const auto& reduction : redop_words()) {
      const RedOp redop = *redop_of(reduction);
      const Pattern pattern(dtype, redop, kRanks, kSeeds);
      std::vector<std::uint64_t> results(kCount);
      pattern.result(0, kCount, results.data());
      std::vector<std::vector<std::uint64_t>> inputs(kRanks, std::vector<std::uint64_t>(kCount));
      for (int rank = 0; rank < kRanks; ++rank) {
        pattern.input(rank, 0, kCount, inputs[static_cast<std::size_t>(rank)].data());
      }
      for (int left_out = 0; left_out < kRanks; ++left_out) {
        std::int64_t noticed = 0;
        for (std::int64_t i = 0; i < kCount; ++i) {
          Column column;
          for (int rank = 0; rank < kRanks; ++rank) {
            if (rank == left_out) continue;
            std::uint64_t one = bits_at(inputs[static_cast<std::size_t>(rank)].data(), i, dtype);
            if (redop == RedOp::kAvg) one = scaled_before(one, dtype, kRanks);
            column.push_back(one);
          }
          if (in_turn(column, dtype, redop) != bits_at(results.data(), i, dtype)) ++noticed;
        }
        INFO(word(dtype) << " " << reduction << " without " << left_out);
        CHECK(noticed > kCount / 20);
      }
    }
  }
}
