#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>

#include "tests/support/cuda_host/block.hpp"
#include "tests/support/cuda_host/complain.hpp"
#include "tests/support/cuda_host/kernel.hpp"

// The functions that a compiler calls around every access to memory when it instruments for the
// thread sanitizer. The names are its, so that no library of the sanitizer is linked.
using rackproof::cuda_host::kernel_touch;
using rackproof::cuda_host::kernel_touch_atomic;

#define RACKPROOF_ACCESS(bytes)                                                   \
  void __tsan_read##bytes(void* at) { kernel_touch(at, bytes, false); }           \
  void __tsan_write##bytes(void* at) { kernel_touch(at, bytes, true); }           \
  void __tsan_volatile_read##bytes(void* at) { kernel_touch(at, bytes, false); }  \
  void __tsan_volatile_write##bytes(void* at) { kernel_touch(at, bytes, true); }  \
  void __tsan_unaligned_read##bytes(void* at) { kernel_touch(at, bytes, false); } \
  void __tsan_unaligned_write##bytes(void* at) { kernel_touch(at, bytes, true); }

extern "C" {
void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
RACKPROOF_ACCESS(1)
RACKPROOF_ACCESS(2)
RACKPROOF_ACCESS(4)
RACKPROOF_ACCESS(8)
RACKPROOF_ACCESS(16)
void __tsan_read_range(void* at, std::size_t bytes) { kernel_touch(at, bytes, false); }
void __tsan_write_range(void* at, std::size_t bytes) { kernel_touch(at, bytes, true); }
void __tsan_vptr_update(void**, void*) {}
// Only the host's own code has these: reference counts and the guards of static variables.
std::uint8_t __tsan_atomic8_load(const volatile std::uint8_t* at, int) {
  return __atomic_load_n(at, __ATOMIC_SEQ_CST);
}
std::uint32_t __tsan_atomic32_fetch_add(volatile std::uint32_t* at, std::uint32_t by, int) {
  return __atomic_fetch_add(at, by, __ATOMIC_SEQ_CST);
}
}

namespace rackproof::cuda_host {

int group_of(int width) {
  if (width < 1 || width > kWarpLanes || !std::has_single_bit(static_cast<unsigned>(width))) {
    complain("a shuffle among groups of " + std::to_string(width) + " lanes");
  }
  return lane() & ~(width - 1);
}

// One thread of the host runs a device's blocks one after the other, but streams run beside each
// other.
unsigned long long atomic_add(unsigned long long* to, unsigned long long by) {
  kernel_touch_atomic(to, sizeof(*to));
  return __atomic_fetch_add(to, by, __ATOMIC_RELAXED);
}

unsigned long long atomic_min(unsigned long long* to, unsigned long long value) {
  kernel_touch_atomic(to, sizeof(*to));
  unsigned long long old = __atomic_load_n(to, __ATOMIC_RELAXED);
  while (value < old &&
         !__atomic_compare_exchange_n(to, &old, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  return old;
}

unsigned long long atomic_swap_if(unsigned long long* to, unsigned long long wanted,
                                  unsigned long long value) {
  kernel_touch_atomic(to, sizeof(*to));
  __atomic_compare_exchange_n(to, &wanted, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return wanted;
}

}  // namespace rackproof::cuda_host
