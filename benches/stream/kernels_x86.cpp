#include "benches/stream/isa.hpp"

namespace rackproof::stream {
namespace {

template <class T>
Candidates<T> by_processor() {
  Candidates<T> found{};
  const auto ordinary = [&](const KernelSet<T>& set) {
    found.ordinary[found.ordinary_count++] = set;
  };
  const auto nontemporal = [&](const KernelSet<T>& set) {
    found.nontemporal[found.nontemporal_count++] = set;
  };
  ordinary(scalar_ordinary<T>());
  ordinary(sse2_ordinary<T>());
  nontemporal(sse2_nontemporal<T>());
  if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0) {
    ordinary(avx2_ordinary<T>());
    nontemporal(avx2_nontemporal<T>());
  }
  if (__builtin_cpu_supports("avx512f") != 0) {
    ordinary(avx512_ordinary<T>());
    nontemporal(avx512_nontemporal<T>());
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
