#pragma once

#include <cstddef>
#include <cstdint>

// Included by files that are compiled for one instruction set each: nothing here may bring an
// inline function with it, or the linker could keep a copy that this machine cannot run.

namespace rackproof::align {

/// In place of a score that needs more bits than a kernel has.
constexpr std::int32_t kTooMuch = -2;

/// One query against as many subjects as a vector has lanes.
struct Job {
  const std::uint8_t* query = nullptr;
  std::int64_t rows = 0;                          ///< residues of the query
  const std::int8_t* table = nullptr;             ///< Matrix::scores
  int letters = 0;                                ///< of the alphabet
  int first = 0;                                  ///< what the first residue of a gap costs
  int next = 0;                                   ///< what each further one costs
  const std::uint8_t* const* subjects = nullptr;  ///< one for each lane
  const std::int64_t* lengths = nullptr;          ///< of each; 0 for a lane without a subject
  std::int64_t columns = 0;                       ///< the largest of them
  void* scratch = nullptr;                        ///< scratch_bytes(rows), on a cache line
  std::int32_t* scores = nullptr;                 ///< one for each lane, or kTooMuch
};

/// Bytes that any kernel needs for a query of `rows` residues.
constexpr std::size_t scratch_bytes(std::int64_t rows) {
  return static_cast<std::size_t>(rows) * 128;
}

/// The most that a gap may cost in 8 bits.
constexpr int kMostGapIn8 = 127;

/// The same alignment in elements of one size.
struct Kernel {
  int lanes = 0;
  void (*run)(const Job& job) = nullptr;
};

/// The kernels of one instruction set; `in8` is empty where it has no arithmetic that stops at its
/// limits.
struct KernelSet {
  const char* name = nullptr;
  Kernel in8;
  Kernel in16;
  Kernel in32;
};

/// The sets that this machine can run, the fastest last.
struct KernelSets {
  static constexpr int kMost = 3;
  KernelSet sets[kMost];
  int count = 0;
};

/// Asks the processor, not the compiler. One file of the build defines it: kernels_x86.cpp,
/// kernels_arm.cpp, or kernels_portable.cpp where there is nothing to choose from.
KernelSets kernel_sets();

/// One for each file kernels_<instruction set>.cpp; call none that the processor lacks.
KernelSet plain_kernels();
KernelSet avx2_kernels();
KernelSet avx512_kernels();
KernelSet neon_kernels();
KernelSet sve256_kernels();
KernelSet sve512_kernels();

}  // namespace rackproof::align
