#include "benches/kit/cuda/ptx.cuh"
#include "benches/stream/walks.cuh"

// The walk by bulk copies: tiles travel into shared memory by themselves, some stages ahead of the
// arithmetic, and the results, where the way says so, out of it again.
namespace rackproof::stream {
namespace {

// The arithmetic of one tile that has arrived. Results take the place of the first operand where
// they are to go out by a bulk copy, which then needs nothing at all for a plain copy.
template <Kernel kKernel, class T, int kTile, bool kStores>
__device__ void do_arrived(unsigned char* arrived, T* to) {
  if constexpr (kStores && kKernel == Kernel::kCopy) return;
  using P = Pack<T, 16>;
  T* const x = reinterpret_cast<T*>(arrived);
  const T* const y = reinterpret_cast<const T*>(arrived + kTile);
#pragma unroll 4
  for (int pack = static_cast<int>(threadIdx.x); pack < kTile / 16; pack += blockDim.x) {
    P second;
    if constexpr (kTwo<kKernel>) second = P::load(y, pack);
    const P result = apply_to<kKernel, T, 16>(P::load(x, pack), second);
    result.store(kStores ? x : to, pack);
  }
}

template <Kernel kKernel, class T, int kTile, bool kStores>
__global__ void bulk_kernel(Operands<T> of, std::int64_t tiles, int stages) {
#if __CUDA_ARCH__ >= 900
  constexpr int kInputs = kTwo<kKernel> ? 2 : 1;
  constexpr std::int64_t kElements = kTile / sizeof(T);
  // A stage is filled again one tile later where its result has to go out of it first.
  constexpr int kLater = kStores ? 1 : 0;
  using namespace kit::cuda;
  auto* const room = dynamic_shared<unsigned char>();
  RACKPROOF_SHARED(std::uint64_t, full, kMostStages);
  const auto fetch = [&](int stage, std::int64_t tile) {
    unsigned char* const to = room + stage * kInputs * kTile;
    barrier_expect(&full[stage], kInputs * kTile);
    bulk_fetch(to, of.x + tile * kElements, kTile, &full[stage]);
    if constexpr (kTwo<kKernel>) {
      bulk_fetch(to + kTile, of.y + tile * kElements, kTile, &full[stage]);
    }
  };
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < stages; ++stage) barrier_init(&full[stage]);
    tell_copy_engine();
    for (int stage = 0; stage < stages; ++stage) {
      const std::int64_t tile = blockIdx.x + static_cast<std::int64_t>(stage) * gridDim.x;
      if (tile < tiles) fetch(stage, tile);
    }
  }
  __syncthreads();
  int stage = 0;
  int before = stages - 1;
  std::uint32_t parity = 0;
  for (std::int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    unsigned char* const arrived = room + stage * kInputs * kTile;
    barrier_wait(&full[stage], parity);
    do_arrived<kKernel, T, kTile, kStores>(arrived, of.to + tile * kElements);
    if constexpr (kStores) tell_copy_engine();
    // Nobody may overwrite the stage, or send it out, before everybody is done with it.
    __syncthreads();
    const std::int64_t next = tile + static_cast<std::int64_t>(stages - kLater) * gridDim.x;
    if (threadIdx.x == 0) {
      if constexpr (kStores) {
        bulk_store(of.to + tile * kElements, arrived, kTile);
        bulk_commit();
        bulk_wait_read<1>();
      }
      if (next < tiles && (!kStores || tile >= gridDim.x)) fetch(kStores ? before : stage, next);
    }
    before = stage;
    if (++stage == stages) {
      stage = 0;
      parity ^= 1;
    }
  }
  // The shared memory is another block's after this one.
  if constexpr (kStores) {
    if (threadIdx.x == 0) bulk_wait_read<0>();
  }
#endif
}

template <Kernel kKernel, class T, int kTile, bool kStores>
void launch_shape(const Way& way, const DeviceArrays<T>& arrays, int multiprocessors,
                  cudaStream_t stream) {
  const int shared = way.unroll * (kTwo<kKernel> ? 2 : 1) * kTile;
  const auto kernel = bulk_kernel<kKernel, T, kTile, kStores>;
  kit::cuda::allow_shared(kernel, shared);
  const auto bytes = static_cast<std::size_t>(shared);
  const std::int64_t tiles = arrays.count * static_cast<std::int64_t>(sizeof(T)) / kTile;
  const unsigned blocks = blocks_that_stay(kernel, way, bytes, multiprocessors);
  kit::cuda::launch(kernel, {blocks, static_cast<unsigned>(way.threads), bytes, stream},
                    operands<kKernel, T>(arrays), tiles, way.unroll);
}

template <Kernel kKernel, class T, int kTile>
void launch_tile(const Way& way, const DeviceArrays<T>& arrays, int sms, cudaStream_t stream) {
  if (way.bulk_stores) return launch_shape<kKernel, T, kTile, true>(way, arrays, sms, stream);
  launch_shape<kKernel, T, kTile, false>(way, arrays, sms, stream);
}

template <Kernel kKernel, class T>
void launch_kernel(const Way& way, const DeviceArrays<T>& arrays, int sms, cudaStream_t stream) {
  if (way.unroll < 2 || way.unroll > kMostStages) refuse(way);
  switch (way.tile_bytes) {
    case 4096:
      return launch_tile<kKernel, T, 4096>(way, arrays, sms, stream);
    case 8192:
      return launch_tile<kKernel, T, 8192>(way, arrays, sms, stream);
    case 16384:
      return launch_tile<kKernel, T, 16384>(way, arrays, sms, stream);
    default:
      refuse(way);
  }
}

}  // namespace

template <class T>
void launch_bulk(Kernel kernel, const Way& way, const DeviceArrays<T>& arrays, int multiprocessors,
                 cudaStream_t stream) {
  with_kernel(kernel, [&]<Kernel kKernel>() {
    launch_kernel<kKernel, T>(way, arrays, multiprocessors, stream);
  });
}

template void launch_bulk<double>(Kernel, const Way&, const DeviceArrays<double>&, int,
                                  cudaStream_t);
template void launch_bulk<float>(Kernel, const Way&, const DeviceArrays<float>&, int, cudaStream_t);

}  // namespace rackproof::stream
