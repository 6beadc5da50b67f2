#include "benches/align/kernels.hpp"

namespace rackproof::align {

// Each processor of this architecture has these vectors.
KernelSets kernel_sets() {
  KernelSets found;
  found.sets[found.count++] = plain_kernels();
  found.sets[found.count++] = neon_kernels();
  return found;
}

}  // namespace rackproof::align
