#include "benches/align/kernels.hpp"

namespace rackproof::align {

KernelSets kernel_sets() {
  KernelSets found;
  found.sets[found.count++] = plain_kernels();
  return found;
}

}  // namespace rackproof::align
