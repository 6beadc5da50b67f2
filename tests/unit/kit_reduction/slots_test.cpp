#include "benches/kit/reduction/slots.hpp"

#include <catch2/catch.hpp>
#include <optional>
#include <vector>

#include "benches/kit/reduction/dtypes.hpp"

using namespace rackproof::reduction;

namespace {

constexpr std::int64_t kSlotCount = 600;
constexpr int kRanks = 5;
constexpr std::uint64_t kSeed = 99;
constexpr int kSlot = 3;
constexpr std::uint64_t kBatch = 7;

Pattern pattern_of(Dtype dtype, std::optional<RedOp> redop) {
  const std::uint64_t base = mix(kSeed, kSlot);
  return {dtype, redop, kRanks, {base, mix(base, kBatch)}};
}

// What a kernel would write, and how many elements of it the pattern says otherwise.
template <class T, class Generator, bool kReduced>
std::int64_t wrong_elements(Dtype dtype, std::optional<RedOp> redop, int source) {
  const elements::SlotRule rule{kSeed, kBatch, kRanks, elements::mean_over<T>(kRanks)};
  const elements::SlotKeys keys(rule, kSlot, source);
  std::vector<elements::Bits<T>> got(kSlotCount);
  std::vector<elements::Bits<T>> want(kSlotCount);
  for (std::int64_t i = 0; i < kSlotCount; ++i) {
    got[static_cast<std::size_t>(i)] = elements::slot_element<T, Generator, kReduced>(keys, i);
  }
  pattern_of(dtype, redop).expected(source, 0, kSlotCount, want.data());
  return compare(got.data(), want.data(), kSlotCount, dtype).wrong;
}

template <class T, class Generator>
std::int64_t wrong_reducible(Dtype dtype, RedOp redop) {
  return wrong_elements<T, Generator, false>(dtype, redop, 2) +
         wrong_elements<T, Generator, true>(dtype, redop, -1);
}

}  // namespace

TEST_CASE("the kernels' functions give the patterns' elements for every type and reduction") {
  for (const auto& type : dtype_words()) {
    const Dtype dtype = *dtype_of(type);
    INFO(type);
    with_type(dtype, [&](auto zero) {
      using T = decltype(zero);
      CHECK(wrong_elements<T, elements::Moved<T>, false>(dtype, std::nullopt, 2) == 0);
      CHECK(wrong_reducible<T, elements::Sum<T>>(dtype, RedOp::kSum) == 0);
      CHECK(wrong_reducible<T, elements::Prod<T>>(dtype, RedOp::kProd) == 0);
      CHECK(wrong_reducible<T, elements::Extreme<T, false>>(dtype, RedOp::kMin) == 0);
      CHECK(wrong_reducible<T, elements::Extreme<T, true>>(dtype, RedOp::kMax) == 0);
      CHECK(wrong_reducible<T, elements::Avg<T>>(dtype, RedOp::kAvg) == 0);
    });
  }
}

TEST_CASE("slots and batches have data of their own, and a batch changes the stamps alone") {
  using T = std::uint64_t;
  const auto data = [](int slot, std::uint64_t batch) {
    const elements::SlotKeys keys({kSeed, batch, kRanks, {}}, slot, 1);
    std::vector<T> all;
    for (std::int64_t i = 0; i < kSlotCount; ++i) {
      all.push_back(elements::slot_element<T, elements::Moved<T>, false>(keys, i));
    }
    return all;
  };
  const auto different = [](const std::vector<T>& a, const std::vector<T>& b) {
    return compare(a.data(), b.data(), kSlotCount, Dtype::kUint64).wrong;
  };
  CHECK(different(data(0, 1), data(1, 1)) == kSlotCount);
  CHECK(different(data(0, 1), data(0, 2)) == (kSlotCount + kStampStride - 1) / kStampStride);
}
