#include "benches/stream/cuda_kernels.hpp"

#include "benches/kit/cuda/launch.cuh"
#include "benches/kit/cuda/ptx.cuh"
#include "benches/kit/errors.hpp"
#include "benches/stream/packs.cuh"

namespace rackproof::stream {
namespace {

constexpr int kBulkBytes = 8192;

template <Kernel kKernel>
constexpr bool kTwo = kKernel == Kernel::kAdd || kKernel == Kernel::kTriad;

template <class T>
struct Operands {
  const T* x = nullptr;
  const T* y = nullptr;
  T* to = nullptr;
};

template <Kernel kKernel, class T>
Operands<T> operands(const DeviceArrays<T>& arrays) {
  if constexpr (kKernel == Kernel::kCopy) return {arrays.a, nullptr, arrays.c};
  if constexpr (kKernel == Kernel::kScale) return {arrays.c, nullptr, arrays.b};
  if constexpr (kKernel == Kernel::kAdd) return {arrays.a, arrays.b, arrays.c};
  return {arrays.b, arrays.c, arrays.a};
}

template <Kernel kKernel, class T>
__device__ T apply(T x, T y) {
  if constexpr (kKernel == Kernel::kCopy) return x;
  if constexpr (kKernel == Kernel::kScale) return T(kScalar) * x;
  if constexpr (kKernel == Kernel::kAdd) return x + y;
  return x + T(kScalar) * y;
}

// All loads of a tile first, so that they are in flight together.
template <Kernel kKernel, class T, int kWidth, int kUnroll>
__device__ void do_tile(const Operands<T>& of, std::int64_t tile) {
  using P = Pack<T, kWidth>;
  const std::int64_t step = blockDim.x;
  const std::int64_t first = tile * kUnroll * step + threadIdx.x;
  P x[kUnroll];
  P y[kUnroll];
#pragma unroll
  for (int u = 0; u < kUnroll; ++u) {
    x[u] = P::load(of.x, first + u * step);
    if constexpr (kTwo<kKernel>) y[u] = P::load(of.y, first + u * step);
  }
#pragma unroll
  for (int u = 0; u < kUnroll; ++u) {
    P result;
#pragma unroll
    for (int i = 0; i < P::kCount; ++i) {
      T second = T(0);
      if constexpr (kTwo<kKernel>) second = y[u].values[i];
      result.values[i] = apply<kKernel, T>(x[u].values[i], second);
    }
    result.store(of.to, first + u * step);
  }
}

template <Kernel kKernel, class T, int kWidth, int kUnroll>
__global__ void tile_kernel(Operands<T> of) {
  do_tile<kKernel, T, kWidth, kUnroll>(of, blockIdx.x);
}

template <Kernel kKernel, class T, int kWidth, int kUnroll>
__global__ void stride_kernel(Operands<T> of, std::int64_t tiles) {
  for (std::int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    do_tile<kKernel, T, kWidth, kUnroll>(of, tile);
  }
}

// Tiles travel into shared memory by themselves, kStages of them ahead of the arithmetic.
template <Kernel kKernel, class T, int kStages>
__global__ void bulk_kernel(Operands<T> of, std::int64_t tiles) {
#if __CUDA_ARCH__ >= 900
  using P = Pack<T, 16>;
  constexpr int kInputs = kTwo<kKernel> ? 2 : 1;
  constexpr int kPacks = kBulkBytes / 16;
  constexpr std::int64_t kElements = kBulkBytes / sizeof(T);
  using namespace kit::cuda;
  auto* const room = dynamic_shared<unsigned char>();
  RACKPROOF_SHARED(std::uint64_t, full, kStages);
  const auto fetch = [&](int stage, std::int64_t tile) {
    unsigned char* const to = room + stage * kInputs * kBulkBytes;
    barrier_expect(&full[stage], kInputs * kBulkBytes);
    bulk_fetch(to, of.x + tile * kElements, kBulkBytes, &full[stage]);
    if constexpr (kTwo<kKernel>) {
      bulk_fetch(to + kBulkBytes, of.y + tile * kElements, kBulkBytes, &full[stage]);
    }
  };
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < kStages; ++stage) barrier_init(&full[stage]);
    barrier_init_done();
    for (int stage = 0; stage < kStages; ++stage) {
      const std::int64_t tile = blockIdx.x + static_cast<std::int64_t>(stage) * gridDim.x;
      if (tile < tiles) fetch(stage, tile);
    }
  }
  __syncthreads();
  int stage = 0;
  std::uint32_t parity = 0;
  for (std::int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    barrier_wait(&full[stage], parity);
    const T* const from = reinterpret_cast<const T*>(room + stage * kInputs * kBulkBytes);
    for (int pack = static_cast<int>(threadIdx.x); pack < kPacks; pack += blockDim.x) {
      const P x = P::load(from, pack);
      P y;
      if constexpr (kTwo<kKernel>) y = P::load(from + kElements, pack);
      P result;
#pragma unroll
      for (int i = 0; i < P::kCount; ++i) {
        T second = T(0);
        if constexpr (kTwo<kKernel>) second = y.values[i];
        result.values[i] = apply<kKernel, T>(x.values[i], second);
      }
      result.store(of.to + tile * kElements, pack);
    }
    // Nobody may overwrite the stage before everybody has read it.
    __syncthreads();
    const std::int64_t next = tile + static_cast<std::int64_t>(kStages) * gridDim.x;
    if (threadIdx.x == 0 && next < tiles) fetch(stage, next);
    if (++stage == kStages) {
      stage = 0;
      parity ^= 1;
    }
  }
#endif
}

// What is not compiled cannot be launched: a way that ways_for() never names is an error in the
// bench.
[[noreturn]] void refuse(const Way& way) {
  throw std::logic_error("no kernel for " + name_of(way));
}

template <Kernel kKernel, class T, int kWidth, int kUnroll>
void launch_wide(const Way& way, const DeviceArrays<T>& arrays, int multiprocessors,
                 cudaStream_t stream) {
  const auto of = operands<kKernel, T>(arrays);
  const auto threads = static_cast<unsigned>(way.threads);
  const std::int64_t bytes = arrays.count * static_cast<std::int64_t>(sizeof(T));
  const std::int64_t tiles = bytes / (static_cast<std::int64_t>(kWidth) * kUnroll * way.threads);
  if (way.walk == Walk::kTile || way.walk == Walk::kElement) {
    kit::cuda::launch(tile_kernel<kKernel, T, kWidth, kUnroll>,
                      {static_cast<unsigned>(tiles), threads, 0, stream}, of);
    return;
  }
  // Of the walks that stay those alone that ways_for() names: each kernel costs every build.
  if constexpr (kWidth >= 16 && (kUnroll == 2 || kUnroll == 4)) {
    const auto blocks = static_cast<unsigned>(multiprocessors * way.blocks_per_sm);
    kit::cuda::launch(stride_kernel<kKernel, T, kWidth, kUnroll>, {blocks, threads, 0, stream}, of,
                      tiles);
  } else {
    refuse(way);
  }
}

template <Kernel kKernel, class T, int kStages>
void launch_bulk(const Way& way, const DeviceArrays<T>& arrays, int multiprocessors,
                 cudaStream_t stream) {
  constexpr int kShared = kStages * (kTwo<kKernel> ? 2 : 1) * kBulkBytes;
  const auto kernel = bulk_kernel<kKernel, T, kStages>;
  kit::cuda::allow_shared(kernel, kShared);
  const std::int64_t tiles = arrays.count * static_cast<std::int64_t>(sizeof(T)) / kBulkBytes;
  const auto blocks = static_cast<unsigned>(multiprocessors * way.blocks_per_sm);
  kit::cuda::launch(kernel, {blocks, static_cast<unsigned>(way.threads), kShared, stream},
                    operands<kKernel, T>(arrays), tiles);
}

template <Kernel kKernel, class T, int kWidth>
void launch_unrolled(const Way& way, const DeviceArrays<T>& arrays, int sms, cudaStream_t stream) {
  switch (way.unroll) {
    case 1:
      return launch_wide<kKernel, T, kWidth, 1>(way, arrays, sms, stream);
    case 2:
      return launch_wide<kKernel, T, kWidth, 2>(way, arrays, sms, stream);
    case 4:
      return launch_wide<kKernel, T, kWidth, 4>(way, arrays, sms, stream);
    case 8:
      return launch_wide<kKernel, T, kWidth, 8>(way, arrays, sms, stream);
    default:
      refuse(way);
  }
}

template <Kernel kKernel, class T>
void launch_kernel(const Way& way, const DeviceArrays<T>& arrays, int sms, cudaStream_t stream) {
  if (way.walk == Walk::kElement) {
    launch_wide<kKernel, T, sizeof(T), 1>(way, arrays, sms, stream);
  } else if (way.walk == Walk::kBulk && way.unroll == 4) {
    launch_bulk<kKernel, T, 4>(way, arrays, sms, stream);
  } else if (way.walk == Walk::kBulk && way.unroll == 6) {
    launch_bulk<kKernel, T, 6>(way, arrays, sms, stream);
  } else if (way.walk != Walk::kBulk && way.width == 16) {
    launch_unrolled<kKernel, T, 16>(way, arrays, sms, stream);
  } else if (way.walk != Walk::kBulk && way.width == 32) {
    launch_unrolled<kKernel, T, 32>(way, arrays, sms, stream);
  } else {
    refuse(way);
  }
}

}  // namespace

template <class T>
void launch(Kernel kernel, const Way& way, const DeviceArrays<T>& arrays, int multiprocessors,
            cudaStream_t stream) {
  switch (kernel) {
    case Kernel::kCopy:
      return launch_kernel<Kernel::kCopy, T>(way, arrays, multiprocessors, stream);
    case Kernel::kScale:
      return launch_kernel<Kernel::kScale, T>(way, arrays, multiprocessors, stream);
    case Kernel::kAdd:
      return launch_kernel<Kernel::kAdd, T>(way, arrays, multiprocessors, stream);
    case Kernel::kTriad:
      return launch_kernel<Kernel::kTriad, T>(way, arrays, multiprocessors, stream);
  }
}

template void launch<double>(Kernel, const Way&, const DeviceArrays<double>&, int, cudaStream_t);
template void launch<float>(Kernel, const Way&, const DeviceArrays<float>&, int, cudaStream_t);

}  // namespace rackproof::stream
