#include "benches/align/kernels.hpp"

namespace rackproof::align {

KernelSets kernel_sets() {
  KernelSets found;
  found.sets[found.count++] = plain_kernels();
  if (__builtin_cpu_supports("avx2") != 0) found.sets[found.count++] = avx2_kernels();
  if (__builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0) {
    found.sets[found.count++] = avx512_kernels();
  }
  return found;
}

}  // namespace rackproof::align
