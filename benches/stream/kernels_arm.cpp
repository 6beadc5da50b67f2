#include <asm/hwcap.h>
#include <sys/auxv.h>

#include "benches/stream/isa.hpp"

namespace rackproof::stream {
namespace {

template <class T>
Candidates<T> by_processor() {
  Candidates<T> found{};
  found.ordinary[found.ordinary_count++] = scalar_ordinary<T>();
  found.ordinary[found.ordinary_count++] = neon_ordinary<T>();
  found.nontemporal[found.nontemporal_count++] = neon_nontemporal<T>();
  if ((getauxval(AT_HWCAP) & HWCAP_SVE) != 0) {
    found.ordinary[found.ordinary_count++] = sve_ordinary<T>();
    found.nontemporal[found.nontemporal_count++] = sve_nontemporal<T>();
  }
  return found;
}

}  // namespace

template <>
Candidates<double> candidates<double>() {
  return by_processor<double>();
}
template <>
Candidates<float> candidates<float>() {
  return by_processor<float>();
}

}  // namespace rackproof::stream
