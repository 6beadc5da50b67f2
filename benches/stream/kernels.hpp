#pragma once

#include <cstddef>

// Included by files that are compiled for one instruction set each: nothing here may bring an
// inline function with it, or the linker could keep a copy that this machine cannot run.

namespace rackproof::stream {

/// The four kernels over one slice of the arrays, on one thread. Slices start on a cache line.
template <class T>
struct KernelSet {
  const char* name;  ///< how it was compiled and how it stores, for example "avx512-nontemporal"
  void (*copy)(const T* a, T* c, std::size_t n);
  void (*scale)(const T* c, T* b, T scalar, std::size_t n);
  void (*add)(const T* a, const T* b, T* c, std::size_t n);
  void (*triad)(const T* b, const T* c, T* a, T scalar, std::size_t n);
};

/// The kernel sets that this machine can run. `ordinary` are the loops of the original method as
/// the compiler makes them, for each instruction set; `nontemporal` write past the caches.
template <class T>
struct Candidates {
  static constexpr std::size_t kMost = 4;
  KernelSet<T> ordinary[kMost];
  std::size_t ordinary_count;
  KernelSet<T> nontemporal[kMost];
  std::size_t nontemporal_count;
};

/// Asks the processor, not the compiler. One file of the build defines it: kernels_x86.cpp,
/// kernels_arm.cpp, or kernels_portable.cpp where there is nothing to choose from.
template <class T>
Candidates<T> candidates();

}  // namespace rackproof::stream
