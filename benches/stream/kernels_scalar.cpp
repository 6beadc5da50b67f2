#include "benches/stream/isa.hpp"
#include "benches/stream/loops.hpp"

namespace rackproof::stream {

template <>
KernelSet<double> scalar_ordinary<double>() {
  return Loops<double>::set("scalar");
}
template <>
KernelSet<float> scalar_ordinary<float>() {
  return Loops<float>::set("scalar");
}

}  // namespace rackproof::stream
