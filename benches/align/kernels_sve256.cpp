#include "benches/align/lanes_sve.hpp"

namespace rackproof::align {

KernelSet sve256_kernels() { return sve_kernels("sve256"); }

}  // namespace rackproof::align
