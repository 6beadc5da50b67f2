#include <sys/auxv.h>
#include <sys/prctl.h>

#include "benches/align/kernels.hpp"

namespace rackproof::align {
#ifdef RACKPROOF_ALIGN_SVE
namespace {

// Of the kernel's interface; an older system's headers may lack them.
constexpr unsigned long kHasSve = 1UL << 22U;
constexpr int kGetVectorLength = 51;
constexpr int kBytesOfLength = 0xFFFF;

// Bits of a vector of SVE; 0 where there are none.
int sve_bits() {
  if ((getauxval(AT_HWCAP) & kHasSve) == 0) return 0;
  const int answer = prctl(kGetVectorLength);
  return answer < 0 ? 0 : 8 * (answer & kBytesOfLength);
}

}  // namespace
#endif

// Each processor of this architecture has the vectors of NEON. Those of SVE are no longer in many,
// and then have nothing to add.
KernelSets kernel_sets() {
  KernelSets found;
  found.sets[found.count++] = plain_kernels();
  found.sets[found.count++] = neon_kernels();
#ifdef RACKPROOF_ALIGN_SVE
  const int bits = sve_bits();
  if (bits == 256) found.sets[found.count++] = sve256_kernels();
  if (bits == 512) found.sets[found.count++] = sve512_kernels();
#endif
  return found;
}

}  // namespace rackproof::align
