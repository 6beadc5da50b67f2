#include <algorithm>
#include <cmath>
#include <cstring>

#include "benches/kit/product/block_scales.hpp"
#include "benches/kit/product/device_check.hpp"
#include "benches/kit/product/device_compare.hpp"
#include "benches/kit/product/device_fill.hpp"
#include "tests/unit/product/fake_cuda.hpp"

// The kernels of FakeGpu: the same arithmetic in plain loops.
namespace rackproof::product {
namespace {

using kit::cuda::Stream;
using test::submit;

template <class T>
T& element_at(void* data, std::int64_t index) {
  return static_cast<T*>(data)[index];
}

void store(const OperandMemory& to, std::int64_t index, double value) {
  const auto small = static_cast<float>(value);
  switch (to.dtype) {
    case Dtype::kFp64:
      element_at<double>(to.data, index) = value;
      return;
    case Dtype::kFp32:
    case Dtype::kTf32:
      element_at<float>(to.data, index) = small;
      return;
    case Dtype::kBf16:
      element_at<Bf16>(to.data, index) = encode_bf16(small);
      return;
    case Dtype::kFp16:
      element_at<Fp16>(to.data, index) = encode_fp16(small);
      return;
    case Dtype::kFp8:
    case Dtype::kMxfp8:
      element_at<std::uint8_t>(to.data, index) = encode_e4m3(small);
      return;
    case Dtype::kInt8:
      element_at<std::int8_t>(to.data, index) = encode_int8(small);
      return;
    case Dtype::kNvfp4: {
      auto& byte = element_at<std::uint8_t>(to.data, index / 2);
      const std::uint8_t bits = encode_e2m1(small);
      byte = static_cast<std::uint8_t>(index % 2 == 0 ? (byte & 0xF0U) | bits
                                                      : (byte & 0xFU) | bits << 4U);
      return;
    }
  }
}

template <class At, class Shift>
void fill(const OperandMemory& to, const At& at, const Shift& shift) {
  const int block = numbers(to.dtype).block;
  for (std::int64_t row = 0; row < to.rows; ++row) {
    for (std::int64_t l = 0; l < to.k; ++l) {
      double factor = 1;
      if (block > 0) {
        const BlockScale scale = shift(row, l / block);
        element_at<std::uint8_t>(to.scales, scale_offset(row, l / block, to.k / block)) =
            scale.bits;
        factor = scale.inverse;
      }
      store(to, row * to.k + l, at(row, l) * factor);
    }
  }
}

Whole read(const ExactResult& c, std::int64_t row, std::int64_t column) {
  const std::int64_t index = row * c.n + column;
  switch (c.type) {
    case Result::kFp64:
      return whole_of(static_cast<const double*>(c.data)[index]);
    case Result::kFp32:
      return whole_of(static_cast<const float*>(c.data)[index]);
    case Result::kBf16:
      return whole_of(static_cast<const Bf16*>(c.data)[index]);
    case Result::kFp16:
      return whole_of(static_cast<const Fp16*>(c.data)[index]);
    case Result::kInt32:
      return whole_of(static_cast<const std::int32_t*>(c.data)[index]);
  }
  return {};
}

std::int64_t make(const ExactOperand& from, std::int64_t row, std::int64_t l) {
  return from.side == Side::kA ? exact_a(from.plan, from.seed, row, l)
                               : exact_b(from.plan, from.seed, row, l);
}

template <class At>
void sum_rows(std::int64_t rows, std::int64_t columns, const At& at, const std::uint64_t* x,
              std::uint64_t* sums) {
  std::fill_n(sums, 2 * rows, 0);
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) {
      const auto word = static_cast<std::uint64_t>(at(i, j));
      sums[i] += word * x[j];
      sums[rows + i] += word * x[columns + j];
    }
  }
}

template <class At>
auto turned(const At& at) {
  return [at](std::int64_t i, std::int64_t j) { return at(j, i); };
}

}  // namespace

void fill_exact(const OperandMemory& operand, const ExactPlan& plan, Side side, std::uint64_t seed,
                const Stream& stream) {
  submit(stream.get(), [=] {
    const ExactOperand from{plan, side, seed, operand.rows};
    const auto at = [&](std::int64_t row, std::int64_t l) {
      return static_cast<double>(make(from, row, l));
    };
    fill(operand, at, [&](std::int64_t row, std::int64_t block) {
      const int shift = exact_shift(seed, row, block);
      return operand.dtype == Dtype::kMxfp8 ? mxfp8_shifted(shift) : nvfp4_shifted(shift);
    });
    if (operand.dtype == Dtype::kFp8) {
      element_at<float>(operand.scales, 0) = side == Side::kA ? 2.0F : 0.5F;
    }
  });
}

void fill_pattern(const OperandMemory& operand, Pattern pattern, std::uint64_t seed,
                  const Stream& stream) {
  submit(stream.get(), [=] {
    const double factor = operand.dtype == Dtype::kInt8 ? kInt8Deviation : 1;
    const auto at = [&](std::int64_t row, std::int64_t l) {
      return factor * value_at(pattern, seed, static_cast<std::uint64_t>(row * operand.k + l));
    };
    fill(operand, at, [&](std::int64_t, std::int64_t) {
      return operand.dtype == Dtype::kMxfp8 ? mxfp8_scale(4) : nvfp4_scale(4);
    });
    if (operand.dtype == Dtype::kFp8) element_at<float>(operand.scales, 0) = 1;
  });
}

void weights_async(std::uint64_t* pair, std::int64_t count, std::uint64_t seed,
                   const Stream& stream) {
  submit(stream.get(), [=] {
    for (std::int64_t i = 0; i < count; ++i) {
      pair[i] = 1;
      pair[count + i] = mix(seed, static_cast<std::uint64_t>(i));
    }
  });
}

void row_sums_async(const ExactOperand& operand, const std::uint64_t* x, std::uint64_t* sums,
                    const Stream& stream) {
  submit(stream.get(), [=] {
    const auto at = [&](std::int64_t i, std::int64_t l) { return make(operand, i, l); };
    sum_rows(operand.rows, operand.plan.k, at, x, sums);
  });
}

void column_sums_async(const ExactOperand& operand, const std::uint64_t* y, std::uint64_t* sums,
                       const Stream& stream) {
  submit(stream.get(), [=] {
    const auto at = [&](std::int64_t i, std::int64_t l) { return make(operand, i, l); };
    sum_rows(operand.plan.k, operand.rows, turned(at), y, sums);
  });
}

void row_sums_async(const ExactResult& c, const std::uint64_t* x, std::uint64_t* sums,
                    std::uint8_t* broken, const Stream& stream) {
  submit(stream.get(), [=] {
    const auto at = [&](std::int64_t i, std::int64_t j) { return read(c, i, j).value; };
    sum_rows(c.m, c.n, at, x, sums);
    for (std::int64_t i = 0; i < c.m; ++i) {
      broken[i] = 0;
      for (std::int64_t j = 0; j < c.n; ++j) {
        if (!read(c, i, j).whole) broken[i] = 1;
      }
    }
  });
}

void column_sums_async(const ExactResult& c, const std::uint64_t* y, std::uint64_t* sums,
                       const Stream& stream) {
  submit(stream.get(), [=] {
    const auto at = [&](std::int64_t i, std::int64_t j) { return read(c, i, j).value; };
    sum_rows(c.n, c.m, turned(at), y, sums);
  });
}

void search_async(const ExactOperand& a, const ExactOperand& b, const ExactResult& c,
                  const Crossings& crossings, Found* found, const Stream& stream) {
  submit(stream.get(), [=] {
    for (std::int64_t r = 0; r < crossings.row_count; ++r) {
      for (std::int64_t s = 0; s < crossings.column_count; ++s) {
        const std::int64_t row = crossings.rows[r];
        const std::int64_t column = crossings.columns[s];
        std::int64_t want = 0;
        for (std::int64_t l = 0; l < a.plan.k; ++l) want += make(a, row, l) * make(b, column, l);
        const Whole got = read(c, row, column);
        if (got.whole && got.value == want) continue;
        ++found->wrong;
        found->first = std::min(found->first, static_cast<unsigned long long>(row * c.n + column));
      }
    }
  });
}

void compare_async(const void* got, const void* want, std::int64_t elements, int element_bytes,
                   std::uint64_t label, Findings* findings, const Stream& stream) {
  submit(stream.get(), [=] {
    for (std::int64_t i = 0; i < elements; ++i) {
      const std::uint64_t a = element_bits(got, i, element_bytes);
      const std::uint64_t b = element_bits(want, i, element_bytes);
      if (a == b) continue;
      ++findings->wrong;
      if (findings->claimed != 0) continue;
      *findings = {findings->wrong, 1, label, static_cast<unsigned long long>(i), a, b};
    }
  });
}

void digest_async(const void* data, std::int64_t bytes, std::uint64_t* sum, const Stream& stream) {
  submit(stream.get(), [=] {
    for (std::int64_t at = 0; at < bytes; at += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, static_cast<const char*>(data) + at,
                  static_cast<std::size_t>(std::min<std::int64_t>(8, bytes - at)));
      *sum += digest_term(word, static_cast<std::uint64_t>(at / 8));
    }
  });
}

void count_not_finite_async(const void* data, Result type, std::int64_t elements,
                            std::uint64_t* sum, const Stream& stream) {
  submit(stream.get(), [=] {
    for (std::int64_t i = 0; i < elements; ++i) {
      bool bad = false;
      if (type == Result::kFp64) bad = not_finite(static_cast<const double*>(data)[i]);
      if (type == Result::kFp32) bad = not_finite(static_cast<const float*>(data)[i]);
      if (type == Result::kBf16) bad = not_finite(static_cast<const Bf16*>(data)[i]);
      if (type == Result::kFp16) bad = not_finite(static_cast<const Fp16*>(data)[i]);
      *sum += bad ? 1 : 0;
    }
  });
}

void flip_async(void* byte, int bit, const Stream& stream) {
  submit(stream.get(), [=] {
    auto& value = element_at<std::uint8_t>(byte, 0);
    value = static_cast<std::uint8_t>(value ^ (1U << bit));
  });
}

}  // namespace rackproof::product
