#include "harness/support/memory.hpp"

#include <malloc.h>

namespace rackproof::support {

void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int kMiB = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, 64 * kMiB);
  mallopt(M_TRIM_THRESHOLD, 256 * kMiB);
  mallopt(M_TOP_PAD, 16 * kMiB);
#endif
}

}  // namespace rackproof::support
