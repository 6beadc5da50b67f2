#include "benches/kit/reduction/verifiable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "benches/kit/reduction/dtypes.hpp"
#include "benches/kit/reduction/elements.hpp"

namespace rackproof::reduction {
namespace {

using elements::Bits;
using elements::Keys;

struct Range {
  std::int64_t first;
  std::int64_t count;
  std::int64_t step;
};

template <class T, class Element>
void write(const Range& range, void* out, Element&& element) {
  auto* bits = static_cast<Bits<T>*>(out);
  const std::int64_t past = range.first % range.step;
  for (std::int64_t i = past == 0 ? 0 : range.step - past; i < range.count; i += range.step) {
    bits[i] = element(range.first + i);
  }
}

template <class T, class Generator>
void write_reducible(const Keys& keys, bool result, const Range& range, void* out) {
  if (result) {
    write<T>(range, out, [&](std::int64_t i) { return Generator::result(keys, i); });
  } else {
    write<T>(range, out, [&](std::int64_t i) { return Generator::input(keys, i); });
  }
}

template <class T>
void write_elements(std::optional<RedOp> redop, const Keys& keys, bool result, const Range& range,
                    void* out) {
  if (!redop) {
    write<T>(range, out, [&](std::int64_t i) { return elements::Moved<T>::input(keys, i); });
    return;
  }
  switch (*redop) {
    case RedOp::kSum:
      return write_reducible<T, elements::Sum<T>>(keys, result, range, out);
    case RedOp::kProd:
      return write_reducible<T, elements::Prod<T>>(keys, result, range, out);
    case RedOp::kMin:
      return write_reducible<T, elements::Extreme<T, false>>(keys, result, range, out);
    case RedOp::kMax:
      return write_reducible<T, elements::Extreme<T, true>>(keys, result, range, out);
    case RedOp::kAvg:
      return write_reducible<T, elements::Avg<T>>(keys, result, range, out);
  }
}

}  // namespace

std::uint64_t mix(std::uint64_t seed, std::uint64_t number) {
  return elements::mixed(seed, number);
}

Pattern::Pattern(Dtype dtype, std::optional<RedOp> redop, int ranks, Seeds seeds)
    : dtype_(dtype), redop_(redop), ranks_(ranks), seeds_(seeds) {}

void Pattern::generate(std::uint64_t seed, int source, std::int64_t first, std::int64_t count,
                       std::int64_t step, void* out) const {
  const bool result = source < 0;
  if (result && !redop_) throw std::logic_error("a pattern to be moved has no reduction");
  with_type(dtype_, [&](auto zero) {
    const auto mean = redop_ == RedOp::kAvg
                          ? elements::mean_over<decltype(zero)>(static_cast<std::uint64_t>(ranks_))
                          : elements::Mean{};
    const Keys keys(seed, result ? 0 : source, ranks_, mean);
    write_elements<decltype(zero)>(redop_, keys, result, {first, count, step}, out);
  });
}

void Pattern::expected(int source, std::int64_t first, std::int64_t count, void* out) const {
  generate(seeds_.base, source, first, count, 1, out);
  generate(seeds_.stamp, source, first, count, kStampStride, out);
}

void Pattern::input(int rank, std::int64_t first, std::int64_t count, void* out) const {
  expected(rank, first, count, out);
}

void Pattern::stamp(int rank, std::int64_t first, std::int64_t count, void* out) const {
  generate(seeds_.stamp, rank, first, count, kStampStride, out);
}

void Pattern::result(std::int64_t first, std::int64_t count, void* out) const {
  expected(-1, first, count, out);
}

Difference compare(const void* got, const void* want, std::int64_t count, Dtype dtype) {
  Difference difference;
  const std::size_t width = size_of(dtype);
  if (std::memcmp(got, want, static_cast<std::size_t>(count) * width) == 0) return difference;
  for (std::int64_t i = 0; i < count; ++i) {
    if (bits_at(got, i, dtype) == bits_at(want, i, dtype)) continue;
    if (difference.wrong == 0) difference.first = i;
    ++difference.wrong;
  }
  return difference;
}

std::uint64_t bits_at(const void* array, std::int64_t index, Dtype dtype) {
  return with_type(dtype, [&](auto zero) -> std::uint64_t {
    Bits<decltype(zero)> bits = 0;
    std::memcpy(&bits, static_cast<const char*>(array) + index * std::int64_t{sizeof(bits)},
                sizeof(bits));
    return bits;
  });
}

std::string text_of(std::uint64_t bits, Dtype dtype) {
  return with_type(dtype, [&](auto zero) {
    using T = decltype(zero);
    const int digits = 2 + 2 * elements::kWidth<T>;
    if constexpr (elements::Narrow<T>::kIs) {
      const double value = elements::decode<T>(static_cast<Bits<T>>(bits));
      return fmt::format("{:#0{}x} ({:.9g})", bits, digits, value);
    } else {
      const T value = std::bit_cast<T>(static_cast<Bits<T>>(bits));
      return fmt::format("{:#0{}x} ({})", bits, digits, value);
    }
  });
}

}  // namespace rackproof::reduction
