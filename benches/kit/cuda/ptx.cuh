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

// Loads of what nobody writes while the kernel runs and what is not read again soon: they take no
// room in L1 and leave L2 first. PTX ISA 7.4, "ld.global.nc" and "createpolicy", for compute
// capability 8.0 and later. Only loads of 32 bytes, which came with 10.0, name their priority in L2
// themselves (PTX ISA 8.8).

__device__ inline std::uint64_t first_to_leave() {
  std::uint64_t policy;
  asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
  return policy;
}

__device__ inline ulonglong2 load_once(const ulonglong2* from) {
  ulonglong2 made;
  asm("ld.global.nc.L1::no_allocate.L2::cache_hint.v2.b64 {%0, %1}, [%2], %3;"
      : "=l"(made.x), "=l"(made.y)
      : "l"(__cvta_generic_to_global(from)), "l"(first_to_leave()));
  return made;
}

/// From compute capability 10.0 on; two loads before.
__device__ inline ulonglong4_32a load_once(const ulonglong4_32a* from) {
  ulonglong4_32a made;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000
  asm("ld.global.nc.L1::no_allocate.L2::evict_first.v4.b64 {%0, %1, %2, %3}, [%4];"
      : "=l"(made.x), "=l"(made.y), "=l"(made.z), "=l"(made.w)
      : "l"(__cvta_generic_to_global(from)));
#else
  const ulonglong2 low = load_once(reinterpret_cast<const ulonglong2*>(from));
  const ulonglong2 high = load_once(reinterpret_cast<const ulonglong2*>(from) + 1);
  made.x = low.x;
  made.y = low.y;
  made.z = high.x;
  made.w = high.y;
#endif
  return made;
}

// Bulk copies between global and shared memory and the barriers they arrive at: the toolkit's own
// wrappers cost ten times as long to compile. Each needs compute capability 9.0; PTX ISA 8.0,
// "mbarrier", "cp.async.bulk" and "fence.proxy.async".
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900

__device__ inline std::uint32_t shared_address(const void* place) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(place));
}

/// One arrival, that of the thread which fetches, completes a phase together with the expected
/// bytes.
__device__ inline void barrier_init(std::uint64_t* barrier) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(barrier)) : "memory");
}

/// Makes what this thread wrote in shared memory, barriers too, visible to the copy engine of the
/// multiprocessor.
__device__ inline void tell_copy_engine() {
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

/// Writes from shared memory; both aligned to 16, `bytes` a multiple. A part of the group that
/// bulk_commit() closes.
__device__ inline void bulk_store(void* to, const void* from, std::uint32_t bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(
                   __cvta_generic_to_global(to)),
               "r"(shared_address(from)), "r"(bytes)
               : "memory");
}

__device__ inline void bulk_commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }

/// Returns when all but the latest kLeft groups of this thread have read what they store, which may
/// be overwritten then.
template <int kLeft>
__device__ inline void bulk_wait_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(kLeft) : "memory");
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
