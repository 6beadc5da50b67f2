#include "tests/unit/product/faults.hpp"

#include <catch2/catch.hpp>

#include "benches/kit/product/exact_operands.hpp"
#include "benches/kit/product/suspects.hpp"

using namespace rackproof::product;
using rackproof::test::fault_classes;
using rackproof::test::FaultClass;
using rackproof::test::Stored;

namespace {

constexpr std::int64_t kM = 48;
constexpr std::int64_t kN = 64;
constexpr std::uint64_t kSeedA = 21;
constexpr std::uint64_t kSeedB = 22;

struct Exact {
  Dtype dtype;
  ExactPlan plan;
  Stored c;
};

Exact exact_product(Dtype dtype, std::int64_t k) {
  const Numbers& type = numbers(dtype);
  Exact exact{dtype, plan_exact(dtype, k), Stored(type.result, kM, kN, type.result_bytes)};
  for (std::int64_t i = 0; i < kM; ++i) {
    for (std::int64_t j = 0; j < kN; ++j) {
      exact.c.store(i, j, exact_element(exact.plan, kSeedA, kSeedB, i, j));
    }
  }
  return exact;
}

WordPair weights(std::int64_t count, std::uint64_t seed) {
  WordPair pair{Words(static_cast<std::size_t>(count), 1), Words(static_cast<std::size_t>(count))};
  for (std::size_t i = 0; i < pair[1].size(); ++i) pair[1][i] = mix(seed, i);
  return pair;
}

// The sums of the kernels, one element after the other: rows of `at` with x, columns with y.
template <class At>
WordPair row_sums(std::int64_t rows, std::int64_t columns, const WordPair& x, const At& at) {
  WordPair sums{Words(static_cast<std::size_t>(rows)), Words(static_cast<std::size_t>(rows))};
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) {
      const auto word = static_cast<std::uint64_t>(at(i, j));
      for (std::size_t w = 0; w < 2; ++w) sums[w][i] += word * x[w][j];
    }
  }
  return sums;
}

Suspects examine(const Exact& exact) {
  const auto a = [&](std::int64_t i, std::int64_t l) { return exact_a(exact.plan, kSeedA, i, l); };
  const auto b = [&](std::int64_t j, std::int64_t l) { return exact_b(exact.plan, kSeedB, j, l); };
  const auto c = [&](std::int64_t i, std::int64_t j) { return exact.c.whole(i, j).value; };
  const auto turned = [](const auto& at) {
    return [&at](std::int64_t i, std::int64_t j) { return at(j, i); };
  };
  const std::int64_t k = exact.plan.k;
  const WordPair x = weights(kN, 1);
  const WordPair y = weights(kM, 2);
  const WordPair bx = row_sums(k, kN, x, turned(b));
  const WordPair ya = row_sums(k, kM, y, turned(a));
  const Checksums want{row_sums(kM, k, bx, a), row_sums(kN, k, ya, b)};
  const Checksums got{row_sums(kM, kN, x, c), row_sums(kN, kM, y, turned(c))};
  std::vector<std::uint8_t> broken(kM);
  for (std::int64_t i = 0; i < kM; ++i) {
    for (std::int64_t j = 0; j < kN; ++j) {
      if (!exact.c.whole(i, j).whole) broken[static_cast<std::size_t>(i)] = 1;
    }
  }
  return find_suspects(got, want, broken);
}

// Wrong elements among the crossings of suspect rows and columns.
std::int64_t wrong_among(const Exact& exact, const Suspects& suspects) {
  std::int64_t wrong = 0;
  for (const std::int64_t i : suspects.rows) {
    for (const std::int64_t j : suspects.columns) {
      const Whole got = exact.c.whole(i, j);
      const bool right = got.whole && got.value == exact_element(exact.plan, kSeedA, kSeedB, i, j);
      wrong += right ? 0 : 1;
    }
  }
  return wrong;
}

std::int64_t wrong_in_all(const Exact& exact) {
  Suspects all;
  for (std::int64_t i = 0; i < kM; ++i) all.rows.push_back(i);
  for (std::int64_t j = 0; j < kN; ++j) all.columns.push_back(j);
  return wrong_among(exact, all);
}

// What comparing 16 bytes at a time counts.
std::int64_t compared_wrong(const Stored& got, const Stored& want) {
  std::int64_t wrong = 0;
  for (std::size_t at = 0; at < got.bytes.size(); at += 16) {
    wrong += word_difference(got.bytes.data() + at, want.bytes.data() + at,
                             static_cast<std::int64_t>(at / 16), got.width)
                 .wrong;
  }
  return wrong;
}

}  // namespace

TEST_CASE("a right product of any type raises no suspicion") {
  for (const Dtype dtype : kAllDtypes) {
    for (const std::int64_t k : {32, 128, 1024}) {
      const Exact exact = exact_product(dtype, k);
      INFO(numbers(dtype).name << " " << k);
      CHECK(examine(exact).none());
      CHECK(wrong_in_all(exact) == 0);
    }
  }
}

TEST_CASE("every class of fault is found in every type and each wrong element located") {
  const std::vector<FaultClass> classes = fault_classes();
  REQUIRE(classes.size() >= 12);
  for (const Dtype dtype : kAllDtypes) {
    const Exact right = exact_product(dtype, 512);
    for (const FaultClass& fault : classes) {
      INFO(numbers(dtype).name << ": " << fault.name);
      Exact wrong = right;
      fault.apply(wrong.c);
      const std::int64_t differ = rackproof::test::differences(wrong.c, right.c);
      REQUIRE(differ > 0);
      const Suspects suspects = examine(wrong);
      CHECK_FALSE(suspects.none());
      CHECK(wrong_among(wrong, suspects) == wrong_in_all(wrong));
      CHECK(wrong_in_all(wrong) > 0);
      CHECK(compared_wrong(wrong.c, right.c) == differ);
    }
  }
}

TEST_CASE("every bit of an element is looked at") {
  for (const Dtype dtype : kAllDtypes) {
    const Exact right = exact_product(dtype, 64);
    const auto at = rackproof::test::faults::element(right.c, 500);
    for (int bit = 0; bit < 8 * right.c.width; ++bit) {
      INFO(numbers(dtype).name << " bit " << bit);
      Exact wrong = right;
      wrong.c.flip(at.row, at.column, bit);
      const Suspects suspects = examine(wrong);
      REQUIRE_FALSE(suspects.none());
      CHECK(wrong_among(wrong, suspects) == 1);
      CHECK(compared_wrong(wrong.c, right.c) == 1);
    }
  }
}

TEST_CASE("a fault that the reference shares is found by the exact proof alone") {
  Exact wrong = exact_product(Dtype::kBf16, 256);
  wrong.c.store(20, 30, wrong.c.whole(20, 30).value + 1);
  const Stored reference = wrong.c;
  CHECK(compared_wrong(wrong.c, reference) == 0);
  const Suspects suspects = examine(wrong);
  CHECK(suspects.rows == std::vector<std::int64_t>{20});
  CHECK(suspects.columns == std::vector<std::int64_t>{30});
}

TEST_CASE("the result of another product is wrong everywhere it matters") {
  Exact stale = exact_product(Dtype::kFp8, 256);
  for (std::int64_t i = 0; i < kM; ++i) {
    for (std::int64_t j = 0; j < kN; ++j) {
      stale.c.store(i, j, exact_element(stale.plan, kSeedA + 5, kSeedB, i, j));
    }
  }
  const Suspects suspects = examine(stale);
  CHECK(suspects.rows.size() == kM);
  CHECK(suspects.columns.size() == kN);
}
