#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rackproof::blas {

/// The widest vector instructions that a processor has, or that a kernel needs: within one
/// architecture from little to much. kAvx2 is with FMA; kSve are vectors of 512 bits or more, since
/// processors with shorter ones have as many units for NEON.
enum class Vectors { kUnknown, kNone, kSse, kAvx, kAvx2, kAvx512, kNeon, kSve };

/// What the answer depends on, as a processor (or the system above it) says of itself.
struct Features {
  bool x86 = false;  ///< else aarch64
  bool avx = false;
  bool avx2 = false;
  bool fma = false;
  bool avx512 = false;  ///< F, CD, BW, DQ and VL
  int sve_bits = 0;     ///< length of an SVE vector; 0 without SVE
};

/// The features of the processor that this runs on; neither x86-64 nor aarch64 has any.
std::optional<Features> features();

Vectors vectors_of(const Features& features);

/// "AVX-512".
std::string_view word(Vectors vectors);

/// What OpenBLAS's fp32 and fp64 kernels for `core` need, of which version ("0.3.21") matters for
/// some. kUnknown for a core that is in no table.
Vectors needed_by(std::string_view core, std::string_view version);

/// True when kernels that need `need` leave unused what the processor has. An unknown need is not
/// less.
bool is_less(Vectors need, Vectors have);

/// The core to name to OpenBLAS on a processor that has `have`.
std::string_view core_for(Vectors have);

}  // namespace rackproof::blas
