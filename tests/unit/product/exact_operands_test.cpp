#include "benches/kit/product/exact_operands.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "benches/kit/product/formats.hpp"

using namespace rackproof::product;

namespace {

__extension__ using Wide = __int128;

const std::vector<std::int64_t> kDepths = {1,    2,    3,    16,   32,    64,    100,   127,   256,
                                           1000, 1024, 4096, 8192, 16384, 32768, 65536, 131072};

std::vector<std::int64_t> a_row(const ExactPlan& plan, std::int64_t row) {
  std::vector<std::int64_t> values;
  for (std::int64_t l = 0; l < plan.k; ++l) values.push_back(exact_a(plan, 1, row, l));
  return values;
}

std::vector<std::int64_t> b_column(const ExactPlan& plan, std::int64_t column) {
  std::vector<std::int64_t> values;
  for (std::int64_t l = 0; l < plan.k; ++l) values.push_back(exact_b(plan, 2, column, l));
  return values;
}

std::int64_t most_of(const ExactPlan& plan, Width width) {
  if (width == Width::kWide) return (std::int64_t{1} << plan.wide_bits) - 1;
  if (width == Width::kHuge) return std::int64_t{1} << plan.huge_bits;
  return width == Width::kZero ? 0 : std::max<std::int64_t>(plan.bound, 1);
}

// An operand as a unit takes it that keeps `bits` bits of each element.
std::vector<double> rounded(const std::vector<std::int64_t>& values, int bits) {
  std::vector<double> kept;
  for (const std::int64_t value : values) {
    const auto wide = static_cast<double>(value);
    const double unit = value == 0 ? 1 : std::ldexp(1, std::ilogb(wide) - (bits - 1));
    kept.push_back(std::nearbyint(wide / unit) * unit);
  }
  return kept;
}

// As one takes it that computes in fixed point, with `bits` bits below the largest of a row.
std::vector<double> in_fixed_point(const std::vector<std::int64_t>& values, int bits) {
  double largest = 0;
  for (const std::int64_t value : values) {
    largest = std::max(largest, std::abs(static_cast<double>(value)));
  }
  const double unit = std::ldexp(1, std::ilogb(largest) - (bits - 1));
  std::vector<double> kept;
  for (const std::int64_t value : values) {
    kept.push_back(std::nearbyint(static_cast<double>(value) / unit) * unit);
  }
  return kept;
}

// The product of what was kept, without an error of its own.
double product_of(const std::vector<double>& a, const std::vector<double>& b) {
  Wide sum = 0;
  for (std::size_t l = 0; l < a.size(); ++l) {
    sum += static_cast<Wide>(a[l]) * static_cast<Wide>(b[l]);
  }
  return static_cast<double>(sum);
}

// How many of the first elements come out wrong when each operand is taken by `narrow`.
template <class Narrow>
int wrong_of(const ExactPlan& plan, std::int64_t elements, Narrow&& narrow) {
  int wrong = 0;
  for (std::int64_t i = 0; i < elements; ++i) {
    const double got = product_of(narrow(a_row(plan, i)), narrow(b_column(plan, i + 3)));
    wrong += got != static_cast<double>(exact_element(plan, 1, 2, i, i + 3)) ? 1 : 0;
  }
  return wrong;
}

// A matrix unit that aligns the products of a step, and the sum so far, to the largest exponent
// among them, keeps `bits` bits from there and cuts off the rest.
double cutting_sum(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b, int step,
                   int bits) {
  double sum = 0;
  for (std::size_t from = 0; from < a.size(); from += static_cast<std::size_t>(step)) {
    std::vector<double> terms{sum};
    for (std::size_t l = from; l < std::min(a.size(), from + static_cast<std::size_t>(step)); ++l) {
      terms.push_back(static_cast<double>(a[l] * b[l]));
    }
    double largest = 0;
    for (const double term : terms) largest = std::max(largest, std::abs(term));
    if (largest == 0) continue;
    const double unit = std::ldexp(1, std::ilogb(largest) - (bits - 1));
    sum = 0;
    for (const double term : terms) sum += std::trunc(term / unit) * unit;
  }
  return sum;
}

}  // namespace

TEST_CASE("no sum leaves the accumulator and no result the type of C") {
  for (const Dtype dtype : kAllDtypes) {
    for (const std::int64_t k : kDepths) {
      const ExactPlan plan = plan_exact(dtype, k);
      const Numbers& type = numbers(dtype);
      INFO(type.name << " " << k);
      CHECK(plan.bound >= 1);
      CHECK(plan.bound <= type.largest);
      CHECK(largest_sum(plan) <= std::int64_t{1} << type.accumulator_bits);
      CHECK(largest_result(plan) <= std::int64_t{1} << type.result_bits);
    }
  }
}

TEST_CASE("operands keep to the plan and their product is the one of wide integers") {
  for (const Dtype dtype : kAllDtypes) {
    for (const std::int64_t k : kDepths) {
      if (k > 16384) continue;
      const ExactPlan plan = plan_exact(dtype, k);
      INFO(numbers(dtype).name << " " << k);
      for (std::int64_t place = 0; place < 3; ++place) {
        const std::vector<std::int64_t> a = a_row(plan, place);
        const std::vector<std::int64_t> b = b_column(plan, place + 7);
        Wide sum = 0;
        Wide magnitude = 0;
        for (std::size_t l = 0; l < a.size(); ++l) {
          const Widths widths = widths_at(plan, static_cast<std::int64_t>(l));
          REQUIRE(std::abs(a[l]) <= most_of(plan, widths.a));
          REQUIRE(std::abs(b[l]) <= most_of(plan, widths.b));
          sum += static_cast<Wide>(a[l]) * b[l];
          magnitude += static_cast<Wide>(std::abs(a[l])) * std::abs(b[l]);
        }
        REQUIRE(magnitude <= largest_sum(plan));
        REQUIRE(std::abs(static_cast<std::int64_t>(sum)) <= largest_result(plan));
        REQUIRE(exact_element(plan, 1, 2, place, place + 7) == static_cast<std::int64_t>(sum));
      }
    }
  }
}

TEST_CASE("results are not all the same and fit C to the bit") {
  for (const Dtype dtype : kAllDtypes) {
    const ExactPlan plan = plan_exact(dtype, 4096);
    std::vector<std::int64_t> seen;
    for (std::int64_t row = 0; row < 8; ++row) {
      for (std::int64_t column = 0; column < 8; ++column) {
        seen.push_back(exact_element(plan, 1, 2, row, column));
        const auto value = static_cast<float>(seen.back());
        if (numbers(dtype).result == Result::kBf16) {
          CHECK(whole_of(encode_bf16(value)).value == seen.back());
        }
        if (numbers(dtype).result == Result::kFp16) {
          CHECK(whole_of(encode_fp16(value)).value == seen.back());
        }
      }
    }
    std::sort(seen.begin(), seen.end());
    const auto different = std::unique(seen.begin(), seen.end()) - seen.begin();
    INFO(numbers(dtype).name);
    CHECK(different > 10);
  }
}

TEST_CASE("adders that cut off low bits lose nothing of fp8 and block-scaled products") {
  for (const Dtype dtype : {Dtype::kFp8, Dtype::kMxfp8, Dtype::kNvfp4}) {
    for (const std::int64_t k : {256, 1024, 8192, 65536, 131072}) {
      const ExactPlan plan = plan_exact(dtype, k);
      const std::vector<std::int64_t> a = a_row(plan, 5);
      const std::vector<std::int64_t> b = b_column(plan, 9);
      const auto want = static_cast<double>(exact_element(plan, 1, 2, 5, 9));
      INFO(numbers(dtype).name << " " << k);
      for (const int step : {1, 16, 32, 64}) CHECK(cutting_sum(a, b, step, 14) == want);
    }
  }
}

TEST_CASE("adders that cut off low bits do lose some of a product that is larger") {
  // What the plan is for: the same adder, with operands that fit the format but not the
  // accumulator.
  ExactPlan plan;
  plan.k = 8192;
  plan.bound = 16;
  int lost = 0;
  for (std::int64_t i = 0; i < 10; ++i) {
    const double want = static_cast<double>(exact_element(plan, 1, 2, i, i));
    lost += cutting_sum(a_row(plan, i), b_column(plan, i), 32, 10) != want ? 1 : 0;
  }
  CHECK(lost > 5);
}

TEST_CASE("units that are narrower than the type get its product wrong") {
  // The errors of the two wide elements may cancel. A proof looks at every element of a matrix.
  constexpr std::int64_t kElements = 50;
  constexpr int kMany = kElements / 2;
  const auto at = [](int bits) {
    return [bits](const std::vector<std::int64_t>& values) { return rounded(values, bits); };
  };
  const auto fixed = [](int bits) {
    return [bits](const std::vector<std::int64_t>& values) { return in_fixed_point(values, bits); };
  };
  for (const std::int64_t k : {8, 64, 1000, 8192}) {
    INFO(k);
    const ExactPlan fp32 = plan_exact(Dtype::kFp32, k);
    CHECK(wrong_of(fp32, kElements, at(24)) == 0);
    CHECK(wrong_of(fp32, kElements, at(11)) > kMany);  // tf32, fp16
    CHECK(wrong_of(fp32, kElements, at(8)) > kMany);   // bf16
    CHECK(wrong_of(fp32, kElements, at(16)) > kMany);  // two bf16
    CHECK(wrong_of(fp32, kElements, fixed(16)) > kMany);
    const ExactPlan tf32 = plan_exact(Dtype::kTf32, k);
    CHECK(wrong_of(tf32, kElements, at(11)) == 0);
    CHECK(wrong_of(tf32, kElements, at(8)) > kMany);
    const ExactPlan fp64 = plan_exact(Dtype::kFp64, k);
    CHECK(wrong_of(fp64, kElements, at(53)) == 0);
    CHECK(wrong_of(fp64, kElements, at(24)) > kMany);  // fp32
    CHECK(wrong_of(fp64, kElements, at(48)) > kMany);  // two fp32
    // By int8 units: as many slices as make up the bits.
    CHECK(wrong_of(fp64, kElements, fixed(40)) > kMany);
    CHECK(wrong_of(fp64, kElements, fixed(55)) > kMany);
  }
}

TEST_CASE("three bf16 hold a float whole: no exact answer tells them from it") {
  // Which is why nothing in the environment may switch them on.
  const auto whole = [](const std::vector<std::int64_t>& values) {
    std::vector<double> rest(values.begin(), values.end());
    std::vector<double> sum(values.size());
    for (int part = 0; part < 3; ++part) {
      for (std::size_t l = 0; l < rest.size(); ++l) {
        const double kept = rounded({static_cast<std::int64_t>(rest[l])}, 8).front();
        sum[l] += kept;
        rest[l] -= kept;
      }
    }
    return sum;
  };
  CHECK(wrong_of(plan_exact(Dtype::kFp32, 8192), 50, whole) == 0);
}

TEST_CASE("a part of the sum that was left out shows in nearly every element") {
  for (const Dtype dtype : kAllDtypes) {
    const ExactPlan plan = plan_exact(dtype, 8192);
    int seen = 0;
    constexpr int kElements = 100;
    for (std::int64_t i = 0; i < kElements; ++i) {
      std::int64_t missing = 0;
      for (std::int64_t l = 512; l < 512 + 64; ++l) {
        missing += exact_a(plan, 1, i, l) * exact_b(plan, 2, i + 3, l);
      }
      seen += missing != 0 ? 1 : 0;
    }
    INFO(numbers(dtype).name);
    CHECK(seen > kElements * 3 / 4);
  }
}

TEST_CASE("shifts of block scales are spread over all that there are") {
  std::array<int, kMostShift + 1> counts{};
  for (std::int64_t row = 0; row < 30; ++row) {
    for (std::int64_t block = 0; block < 30; ++block) {
      const int shift = exact_shift(1, row, block);
      REQUIRE(shift >= 0);
      REQUIRE(shift <= kMostShift);
      ++counts[static_cast<std::size_t>(shift)];
    }
  }
  for (const int count : counts) CHECK(count > 200);
}

TEST_CASE("shifted elements of block-scaled types are stored without rounding") {
  for (const std::int64_t k : kDepths) {
    const std::int64_t mx = plan_exact(Dtype::kMxfp8, k).bound << kMostShift;
    const std::int64_t nv = plan_exact(Dtype::kNvfp4, k).bound << kMostShift;
    for (std::int64_t v = -mx; v <= mx; ++v) {
      CHECK(decode_e4m3(encode_e4m3(static_cast<float>(v))) == static_cast<float>(v));
    }
    for (std::int64_t v = -nv; v <= nv; ++v) {
      CHECK(decode_e2m1(encode_e2m1(static_cast<float>(v))) == static_cast<float>(v));
    }
  }
}
