#pragma once

#include "benches/stream/kernels.hpp"

namespace rackproof::stream {

/// One pair for each file kernels_<instruction set>.cpp; call none that the processor lacks.
template <class T>
KernelSet<T> sse2_ordinary();
template <class T>
KernelSet<T> sse2_nontemporal();
template <class T>
KernelSet<T> avx2_ordinary();
template <class T>
KernelSet<T> avx2_nontemporal();
template <class T>
KernelSet<T> avx512_ordinary();
template <class T>
KernelSet<T> avx512_nontemporal();
template <class T>
KernelSet<T> neon_ordinary();
template <class T>
KernelSet<T> neon_nontemporal();
template <class T>
KernelSet<T> sve_ordinary();
template <class T>
KernelSet<T> sve_nontemporal();

/// The loops without vector instructions, which some processors run faster.
template <class T>
KernelSet<T> scalar_ordinary();

}  // namespace rackproof::stream
