#include "benches/stream/walks.cuh"

namespace rackproof::stream {
namespace {

// All loads of a tile first, so that they are in flight together.
template <Kernel kKernel, class T, int kWidth, int kUnroll, bool kOnce>
__device__ void do_tile(const Operands<T>& of, std::int64_t tile) {
  using P = Pack<T, kWidth>;
  const std::int64_t step = blockDim.x;
  const std::int64_t first = tile * kUnroll * step + threadIdx.x;
  const auto load = [](const T* base, std::int64_t place) {
    if constexpr (kOnce) return P::load_once(base, place);
    return P::load(base, place);
  };
  P x[kUnroll];
  P y[kUnroll];
#pragma unroll
  for (int u = 0; u < kUnroll; ++u) {
    x[u] = load(of.x, first + u * step);
    if constexpr (kTwo<kKernel>) y[u] = load(of.y, first + u * step);
  }
#pragma unroll
  for (int u = 0; u < kUnroll; ++u) {
    apply_to<kKernel, T, kWidth>(x[u], y[u]).store(of.to, first + u * step);
  }
}

template <Kernel kKernel, class T, int kWidth, int kUnroll, bool kOnce>
__global__ void tile_kernel(Operands<T> of) {
  do_tile<kKernel, T, kWidth, kUnroll, kOnce>(of, blockIdx.x);
}

template <Kernel kKernel, class T, int kWidth, int kUnroll>
__global__ void stride_kernel(Operands<T> of, std::int64_t tiles) {
  for (std::int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    do_tile<kKernel, T, kWidth, kUnroll, false>(of, tile);
  }
}

template <Kernel kKernel, class T, int kWidth, int kUnroll>
void launch_wide(const Way& way, const DeviceArrays<T>& arrays, int multiprocessors,
                 cudaStream_t stream) {
  const auto of = operands<kKernel, T>(arrays);
  const auto threads = static_cast<unsigned>(way.threads);
  const std::int64_t bytes = arrays.count * static_cast<std::int64_t>(sizeof(T));
  const std::int64_t tiles = bytes / (static_cast<std::int64_t>(kWidth) * kUnroll * way.threads);
  if (way.walk != Walk::kStride && !way.once) {
    kit::cuda::launch(tile_kernel<kKernel, T, kWidth, kUnroll, false>,
                      {static_cast<unsigned>(tiles), threads, 0, stream}, of);
    return;
  }
  // Of the others those alone that ways_for() names: each kernel costs every build.
  if constexpr (kWidth >= 16 && kUnroll <= 4) {
    if (way.once && way.walk == Walk::kTile) {
      kit::cuda::launch(tile_kernel<kKernel, T, kWidth, kUnroll, true>,
                        {static_cast<unsigned>(tiles), threads, 0, stream}, of);
      return;
    }
  }
  if constexpr (kWidth >= 16 && (kUnroll == 2 || kUnroll == 4)) {
    if (!way.once) {
      const auto kernel = stride_kernel<kKernel, T, kWidth, kUnroll>;
      const unsigned blocks = blocks_that_stay(kernel, way, 0, multiprocessors);
      kit::cuda::launch(kernel, {blocks, threads, 0, stream}, of, tiles);
      return;
    }
  }
  refuse(way);
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
  } else if (way.width == 16) {
    launch_unrolled<kKernel, T, 16>(way, arrays, sms, stream);
  } else if (way.width == 32) {
    launch_unrolled<kKernel, T, 32>(way, arrays, sms, stream);
  } else {
    refuse(way);
  }
}

}  // namespace

template <class T>
void launch(Kernel kernel, const Way& way, const DeviceArrays<T>& arrays, int multiprocessors,
            cudaStream_t stream) {
  if (way.walk == Walk::kBulk) return launch_bulk(kernel, way, arrays, multiprocessors, stream);
  with_kernel(kernel, [&]<Kernel kKernel>() {
    launch_kernel<kKernel, T>(way, arrays, multiprocessors, stream);
  });
}

template void launch<double>(Kernel, const Way&, const DeviceArrays<double>&, int, cudaStream_t);
template void launch<float>(Kernel, const Way&, const DeviceArrays<float>&, int, cudaStream_t);

}  // namespace rackproof::stream
