#include <algorithm>

#include "benches/kit/cuda/launch.cuh"
#include "benches/kit/product/device_check.hpp"
#include "benches/kit/product/formats.hpp"

// Run once for a product, not for every repetition: plain rather than fast.
namespace rackproof::product {
namespace {

constexpr int kThreads = 256;
constexpr int kWarp = 32;
constexpr std::int64_t kMostBlocks = 65535;
constexpr std::int64_t kRowsPerBlock = 256;  // that one block adds up in column sums

// Elements as integers, whether made again or read.
struct Made {
  ExactPlan plan;
  Side side;
  std::uint64_t seed;

  __device__ Whole at(std::int64_t row, std::int64_t l) const {
    return {side == Side::kA ? exact_a(plan, seed, row, l) : exact_b(plan, seed, row, l), true};
  }
};
template <class T>
struct Read {
  const T* data;
  std::int64_t columns;

  __device__ Whole at(std::int64_t row, std::int64_t column) const {
    return whole_of(data[row * columns + column]);
  }
};

Made made(const ExactOperand& operand) { return {operand.plan, operand.side, operand.seed}; }

__global__ void weigh(std::uint64_t* pair, std::int64_t count, std::uint64_t seed) {
  const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) {
    pair[i] = 1;
    pair[count + i] = mix(seed, static_cast<std::uint64_t>(i));
  }
}

__device__ std::uint64_t sum_of_warp(std::uint64_t value) {
  for (int lane = kWarp / 2; lane > 0; lane /= 2) {
    value += __shfl_down_sync(0xFFFFFFFFU, value, lane);
  }
  return value;
}

// A warp for each row.
template <class Source>
__global__ void sum_rows(Source source, std::int64_t rows, std::int64_t columns,
                         const std::uint64_t* x, std::uint64_t* sums, std::uint8_t* broken) {
  const std::int64_t warps = std::int64_t{gridDim.x} * (kThreads / kWarp);
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  for (std::int64_t row = std::int64_t{blockIdx.x} * (kThreads / kWarp) + threadIdx.x / kWarp;
       row < rows; row += warps) {
    std::uint64_t plain = 0;
    std::uint64_t random = 0;
    std::uint64_t bad = 0;
    for (std::int64_t j = lane; j < columns; j += kWarp) {
      const Whole element = source.at(row, j);
      const auto word = static_cast<std::uint64_t>(element.value);
      plain += word * x[j];
      random += word * x[columns + j];
      bad += element.whole ? 0 : 1;
    }
    plain = sum_of_warp(plain);
    random = sum_of_warp(random);
    bad = sum_of_warp(bad);
    if (lane != 0) continue;
    sums[row] = plain;
    sums[rows + row] = random;
    if (broken != nullptr) broken[row] = bad != 0 ? 1 : 0;
  }
}

// A thread for each column and kRowsPerBlock rows. Sums modulo 2^64 do not depend on the order.
template <class Source>
__global__ void sum_columns(Source source, std::int64_t rows, std::int64_t columns,
                            const std::uint64_t* y, unsigned long long* sums) {
  const std::int64_t column = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (column >= columns) return;
  for (std::int64_t from = std::int64_t{blockIdx.y} * kRowsPerBlock; from < rows;
       from += std::int64_t{gridDim.y} * kRowsPerBlock) {
    const std::int64_t to = from + kRowsPerBlock < rows ? from + kRowsPerBlock : rows;
    std::uint64_t plain = 0;
    std::uint64_t random = 0;
    for (std::int64_t row = from; row < to; ++row) {
      const auto word = static_cast<std::uint64_t>(source.at(row, column).value);
      plain += word * y[row];
      random += word * y[rows + row];
    }
    atomicAdd(&sums[column], plain);
    atomicAdd(&sums[columns + column], random);
  }
}

// A warp for each crossing.
template <class T>
__global__ void search(Made a, Made b, Read<T> result, Crossings crossings, Found* found) {
  const std::int64_t warps = std::int64_t{gridDim.x} * (kThreads / kWarp);
  const std::int64_t items = crossings.row_count * crossings.column_count;
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  for (std::int64_t item = std::int64_t{blockIdx.x} * (kThreads / kWarp) + threadIdx.x / kWarp;
       item < items; item += warps) {
    const std::int64_t row = crossings.rows[item / crossings.column_count];
    const std::int64_t column = crossings.columns[item % crossings.column_count];
    std::uint64_t want = 0;
    for (std::int64_t l = lane; l < a.plan.k; l += kWarp) {
      want += static_cast<std::uint64_t>(a.at(row, l).value * b.at(column, l).value);
    }
    want = sum_of_warp(want);
    if (lane != 0) continue;
    const Whole got = result.at(row, column);
    if (got.whole && static_cast<std::uint64_t>(got.value) == want) continue;
    atomicAdd(&found->wrong, 1ULL);
    atomicMin(&found->first, static_cast<unsigned long long>(row * result.columns + column));
  }
}

unsigned blocks_for(std::int64_t items, std::int64_t per_block) {
  return static_cast<unsigned>(
      std::clamp<std::int64_t>((items + per_block - 1) / per_block, 1, kMostBlocks));
}

template <class Source>
void queue_row_sums(const Source& source, std::int64_t rows, std::int64_t columns,
                    const std::uint64_t* x, std::uint64_t* sums, std::uint8_t* broken,
                    const kit::cuda::Stream& stream) {
  kit::cuda::launch(sum_rows<Source>,
                    {blocks_for(rows, kThreads / kWarp), kThreads, 0, stream.get()}, source, rows,
                    columns, x, sums, broken);
}

template <class Source>
void queue_column_sums(const Source& source, std::int64_t rows, std::int64_t columns,
                       const std::uint64_t* y, std::uint64_t* sums,
                       const kit::cuda::Stream& stream) {
  const auto bytes = static_cast<std::size_t>(2 * columns) * sizeof(std::uint64_t);
  RACKPROOF_CUDA(cudaMemsetAsync(sums, 0, bytes, stream.get()));
  // Columns reach 2^20 and a grid's first dimension 2^31.
  const dim3 grid(static_cast<unsigned>((columns + kThreads - 1) / kThreads),
                  blocks_for(rows, kRowsPerBlock));
  kit::cuda::launch(sum_columns<Source>, {grid, kThreads, 0, stream.get()}, source, rows, columns,
                    y, reinterpret_cast<unsigned long long*>(sums));
}

// Calls `use` with the reader of C's type.
template <class Use>
void with_reader(const ExactResult& c, Use&& use) {
  switch (c.type) {
    case Result::kFp64:
      return use(Read<double>{static_cast<const double*>(c.data), c.n});
    case Result::kFp32:
      return use(Read<float>{static_cast<const float*>(c.data), c.n});
    case Result::kBf16:
      return use(Read<Bf16>{static_cast<const Bf16*>(c.data), c.n});
    case Result::kFp16:
      return use(Read<Fp16>{static_cast<const Fp16*>(c.data), c.n});
    case Result::kInt32:
      return use(Read<std::int32_t>{static_cast<const std::int32_t*>(c.data), c.n});
  }
}

}  // namespace

void weights_async(std::uint64_t* pair, std::int64_t count, std::uint64_t seed,
                   const kit::cuda::Stream& stream) {
  kit::cuda::launch(weigh, {blocks_for(count, kThreads), kThreads, 0, stream.get()}, pair, count,
                    seed);
}

void row_sums_async(const ExactOperand& operand, const std::uint64_t* x, std::uint64_t* sums,
                    const kit::cuda::Stream& stream) {
  queue_row_sums(made(operand), operand.rows, operand.plan.k, x, sums, nullptr, stream);
}

void column_sums_async(const ExactOperand& operand, const std::uint64_t* y, std::uint64_t* sums,
                       const kit::cuda::Stream& stream) {
  queue_column_sums(made(operand), operand.rows, operand.plan.k, y, sums, stream);
}

void row_sums_async(const ExactResult& result, const std::uint64_t* x, std::uint64_t* sums,
                    std::uint8_t* broken, const kit::cuda::Stream& stream) {
  with_reader(result, [&](const auto& reader) {
    queue_row_sums(reader, result.m, result.n, x, sums, broken, stream);
  });
}

void column_sums_async(const ExactResult& result, const std::uint64_t* y, std::uint64_t* sums,
                       const kit::cuda::Stream& stream) {
  with_reader(result, [&](const auto& reader) {
    queue_column_sums(reader, result.m, result.n, y, sums, stream);
  });
}

void search_async(const ExactOperand& a, const ExactOperand& b, const ExactResult& result,
                  const Crossings& crossings, Found* found, const kit::cuda::Stream& stream) {
  const std::int64_t items = crossings.row_count * crossings.column_count;
  with_reader(result, [&]<class T>(const Read<T>& reader) {
    kit::cuda::launch(search<T>, {blocks_for(items, kThreads / kWarp), kThreads, 0, stream.get()},
                      made(a), made(b), reader, crossings, found);
  });
}

}  // namespace rackproof::product
