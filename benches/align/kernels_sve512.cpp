#include "benches/align/lanes_sve.hpp"

namespace rackproof::align {

KernelSet sve512_kernels() { return sve_kernels("sve512"); }

}  // namespace rackproof::align
