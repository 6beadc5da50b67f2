#include <algorithm>

#include "benches/kit/cuda/launch.cuh"
#include "benches/kit/product/block_scales.hpp"
#include "benches/kit/product/device_fill.hpp"

// Filling is never timed: what matters here is that it is plain.
namespace rackproof::product {
namespace {

constexpr int kThreads = 256;
constexpr std::int64_t kMostGridRows = 65535;

// How a value is stored, by type.
struct StoreFp64 {
  using Stored = double;
  static __device__ Stored store(double value) { return value; }
};
struct StoreFp32 {
  using Stored = float;
  static __device__ Stored store(float value) { return value; }
};
struct StoreBf16 {
  using Stored = std::uint16_t;
  static __device__ Stored store(float value) { return encode_bf16(value).bits; }
};
struct StoreFp16 {
  using Stored = std::uint16_t;
  static __device__ Stored store(float value) { return encode_fp16(value).bits; }
};
struct StoreE4m3 {
  using Stored = std::uint8_t;
  static __device__ Stored store(float value) { return encode_e4m3(value); }
};
struct StoreInt8 {
  using Stored = std::int8_t;
  static __device__ Stored store(float value) { return encode_int8(value); }
};

// Where values come from.
struct Exact {
  ExactPlan plan;
  Side side;
  std::uint64_t seed;

  __device__ std::int64_t at(std::int64_t row, std::int64_t l) const {
    return side == Side::kA ? exact_a(plan, seed, row, l) : exact_b(plan, seed, row, l);
  }
};
struct Patterned {
  Pattern pattern;
  std::uint64_t seed;
  std::int64_t k;
  float factor;

  __device__ float at(std::int64_t row, std::int64_t l) const {
    return factor * value_at(pattern, seed, static_cast<std::uint64_t>(row * k + l));
  }
};
// Doubles need more random bits than a float has.
struct NormalDouble {
  std::uint64_t seed;
  std::int64_t k;

  __device__ double at(std::int64_t row, std::int64_t l) const {
    return normal_double(seed, static_cast<std::uint64_t>(row * k + l));
  }
};

template <class Store, class Source>
__global__ void fill(typename Store::Stored* out, std::int64_t rows, std::int64_t k,
                     Source source) {
  for (std::int64_t row = blockIdx.y; row < rows; row += gridDim.y) {
    const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
    for (std::int64_t l = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; l < k; l += step) {
      out[row * k + l] = Store::store(source.at(row, l));
    }
  }
}

// The two types with scales of blocks. A block's elements are kept as whole bytes.
struct Mxfp8 {
  static constexpr int kBlock = 32;
  static constexpr int kBytes = 32;
  static __device__ BlockScale scale(float largest) { return mxfp8_scale(largest); }
  static __device__ BlockScale shifted(int shift) { return mxfp8_shifted(shift); }
  static __device__ std::uint8_t pack(const float* values, int byte) {
    return encode_e4m3(values[byte]);
  }
};
struct Nvfp4 {
  static constexpr int kBlock = 16;
  static constexpr int kBytes = 8;
  static __device__ BlockScale scale(float largest) { return nvfp4_scale(largest); }
  static __device__ BlockScale shifted(int shift) { return nvfp4_shifted(shift); }
  // The element that comes first is in the low half.
  static __device__ std::uint8_t pack(const float* values, int byte) {
    return static_cast<std::uint8_t>(encode_e2m1(values[2 * byte]) |
                                     encode_e2m1(values[2 * byte + 1]) << 4U);
  }
};

template <class Type>
__device__ BlockScale scale_of(const Exact& source, std::int64_t row, std::int64_t block,
                               const float*) {
  return Type::shifted(exact_shift(source.seed, row, block));
}

template <class Type>
__device__ BlockScale scale_of(const Patterned&, std::int64_t, std::int64_t, const float* values) {
  float largest = 0;
  for (int i = 0; i < Type::kBlock; ++i) largest = fmaxf(largest, fabsf(values[i]));
  return Type::scale(largest);
}

// One thread a block.
template <class Type, class Source>
__global__ void fill_blocks(std::uint8_t* out, std::uint8_t* scales, std::int64_t rows,
                            std::int64_t blocks, Source source) {
  for (std::int64_t row = blockIdx.y; row < rows; row += gridDim.y) {
    const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
    for (std::int64_t block = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; block < blocks;
         block += step) {
      float values[Type::kBlock];
#pragma unroll
      for (int i = 0; i < Type::kBlock; ++i) {
        values[i] = static_cast<float>(source.at(row, block * Type::kBlock + i));
      }
      const BlockScale scale = scale_of<Type>(source, row, block, values);
#pragma unroll
      for (int i = 0; i < Type::kBlock; ++i) values[i] *= scale.inverse;
      std::uint8_t* const at = out + (row * blocks + block) * Type::kBytes;
#pragma unroll
      for (int byte = 0; byte < Type::kBytes; ++byte) at[byte] = Type::pack(values, byte);
      scales[scale_offset(row, block, blocks)] = scale.bits;
    }
  }
}

dim3 grid(std::int64_t rows, std::int64_t across) {
  constexpr std::int64_t kMostAcross = 1024;
  return dim3(static_cast<unsigned>(std::min(kMostAcross, (across + kThreads - 1) / kThreads)),
              static_cast<unsigned>(std::min(kMostGridRows, rows)));
}

template <class Store, class Source>
void launch(const OperandMemory& to, const Source& source, const kit::cuda::Stream& stream) {
  kit::cuda::launch(fill<Store, Source>, {grid(to.rows, to.k), kThreads, 0, stream.get()},
                    static_cast<typename Store::Stored*>(to.data), to.rows, to.k, source);
}

template <class Type, class Source>
void launch_blocks(const OperandMemory& to, const Source& source, const kit::cuda::Stream& stream) {
  const std::int64_t blocks = to.k / Type::kBlock;
  // Scales of rows and blocks that only fill up a tile are read as well: 0 leaves nothing to
  // chance.
  RACKPROOF_CUDA(cudaMemsetAsync(to.scales, 0, block_scale_bytes(to.rows, blocks), stream.get()));
  kit::cuda::launch(fill_blocks<Type, Source>, {grid(to.rows, blocks), kThreads, 0, stream.get()},
                    static_cast<std::uint8_t*>(to.data), static_cast<std::uint8_t*>(to.scales),
                    to.rows, blocks, source);
}

template <class Source>
void dispatch(const OperandMemory& to, const Source& source, const kit::cuda::Stream& stream) {
  switch (to.dtype) {
    case Dtype::kFp64:
      return launch<StoreFp64>(to, source, stream);
    case Dtype::kFp32:
    case Dtype::kTf32:
      return launch<StoreFp32>(to, source, stream);
    case Dtype::kBf16:
      return launch<StoreBf16>(to, source, stream);
    case Dtype::kFp16:
      return launch<StoreFp16>(to, source, stream);
    case Dtype::kFp8:
      return launch<StoreE4m3>(to, source, stream);
    case Dtype::kInt8:
      return launch<StoreInt8>(to, source, stream);
    case Dtype::kMxfp8:
      return launch_blocks<Mxfp8>(to, source, stream);
    case Dtype::kNvfp4:
      return launch_blocks<Nvfp4>(to, source, stream);
  }
}

// The scale of the whole operand. From pageable memory: the value is taken before the call returns.
void write_scale(const OperandMemory& to, float scale, const kit::cuda::Stream& stream) {
  if (to.dtype != Dtype::kFp8) return;
  RACKPROOF_CUDA(
      cudaMemcpyAsync(to.scales, &scale, sizeof(scale), cudaMemcpyDefault, stream.get()));
}

}  // namespace

void fill_exact(const OperandMemory& operand, const ExactPlan& plan, Side side, std::uint64_t seed,
                const kit::cuda::Stream& stream) {
  dispatch(operand, Exact{plan, side, seed}, stream);
  // Their product is 1: one that is left out, or taken twice, shows.
  write_scale(operand, side == Side::kA ? 2.0F : 0.5F, stream);
}

void fill_pattern(const OperandMemory& operand, Pattern pattern, std::uint64_t seed,
                  const kit::cuda::Stream& stream) {
  if (operand.dtype == Dtype::kFp64 && pattern == Pattern::kNormal) {
    launch<StoreFp64>(operand, NormalDouble{seed, operand.k}, stream);
    return;
  }
  const bool scaled = operand.dtype == Dtype::kInt8 && pattern == Pattern::kNormal;
  dispatch(operand, Patterned{pattern, seed, operand.k, scaled ? kInt8Deviation : 1.0F}, stream);
  write_scale(operand, 1, stream);
}

}  // namespace rackproof::product
