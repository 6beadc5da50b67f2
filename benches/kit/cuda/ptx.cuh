#pragma once

#include <cstdint>

// Everything that is written as PTX, in one place: builds that run the kernels on the host put
// their own header in place of this one.
namespace rackproof::kit::cuda {

/// The device's clock, which all of its multiprocessors share.
__device__ inline std::uint64_t nanoseconds() {
  std::uint64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

/// Four bytes of two words, each named by four bits of `selector` from the lowest on: 0 to 3 are
/// those of `low`, 4 to 7 those of `high`, and with 8 added each bit is the byte's sign.
__device__ inline std::uint32_t permute_bytes(std::uint32_t low, std::uint32_t high,
                                              std::uint32_t selector) {
  std::uint32_t made;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(made) : "r"(low), "r"(high), "r"(selector));
  return made;
}

// Each word has two numbers of 16 bits in floating point (binary16 of IEEE 754); none is taken for
// 0 because it is small. The toolkit's header for them costs more to compile than all else. Maxima
// and what begins at zero need compute capability 8.0; PTX ISA 7.0, "Half Precision Floating Point
// Instructions".

/// The larger of the low halves, and of the high ones.
__device__ inline std::uint32_t larger_halves(std::uint32_t a, std::uint32_t b) {
  std::uint32_t made;
  asm("max.f16x2 %0, %1, %2;" : "=r"(made) : "r"(a), "r"(b));
  return made;
}

/// Their sums, rounded to the nearest.
__device__ inline std::uint32_t add_halves(std::uint32_t a, std::uint32_t b) {
  std::uint32_t made;
  asm("add.rn.f16x2 %0, %1, %2;" : "=r"(made) : "r"(a), "r"(b));
  return made;
}

/// The same, and 0 in place of sums that are less.
__device__ inline std::uint32_t add_halves_from_zero(std::uint32_t a, std::uint32_t b) {
  constexpr std::uint32_t kOnes = 0x3C003C00U;
  std::uint32_t made;
  asm("fma.rn.relu.f16x2 %0, %1, %2, %3;" : "=r"(made) : "r"(a), "r"(kOnes), "r"(b));
  return made;
}

// Bulk copies from global into shared memory and the barriers they arrive at: the toolkit's own
// wrappers cost ten times as long to compile. Each needs compute capability 9.0; PTX ISA 8.0,
// "mbarrier" and "cp.async.bulk".
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900

__device__ inline std::uint32_t shared_address(const void* place) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(place));
}

/// One arrival, that of the thread which fetches, completes a phase together with the expected
/// bytes.
__device__ inline void barrier_init(std::uint64_t* barrier) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(barrier)) : "memory");
}

/// Makes initialised barriers visible to the copy engine of the multiprocessor.
__device__ inline void barrier_init_done() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

__device__ inline void barrier_expect(std::uint64_t* barrier, std::uint32_t bytes) {
  asm volatile(
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
      "r"(bytes)
      : "memory");
}

/// `bytes` a multiple of 16, both addresses aligned to 16.
__device__ inline void bulk_fetch(void* to, const void* from, std::uint32_t bytes,
                                  std::uint64_t* barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(shared_address(to)),
      "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(shared_address(barrier))
      : "memory");
}

/// Returns when the phase of this parity is complete.
__device__ inline void barrier_wait(std::uint64_t* barrier, std::uint32_t parity) {
  std::uint32_t done = 0;
  while (done == 0) {
    asm volatile(
        "{\n"
        ".reg .pred p;\n"
        "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
        "selp.u32 %0, 1, 0, p;\n"
        "}\n"
        : "=r"(done)
        : "r"(shared_address(barrier)), "r"(parity)
        : "memory");
  }
}

#endif

}  // namespace rackproof::kit::cuda
