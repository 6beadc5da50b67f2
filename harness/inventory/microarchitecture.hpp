#pragma once

#include <set>
#include <string>

namespace rackproof::inventory {

/// How a processor names itself, as /proc/cpuinfo tells it.
struct CpuIdentity {
  std::string vendor;      ///< "AuthenticAMD", "GenuineIntel", or the Arm implementer "0x41"
  int family = -1;         ///< x86
  int model = -1;          ///< x86
  int part = -1;           ///< Arm: MIDR part number
  std::string model_name;  ///< empty when the kernel gives none (Arm)
  std::set<std::string> flags;
};

/// What one core can do a cycle.
struct Microarchitecture {
  std::string name;            ///< "AMD Zen 3"; empty when it is not in the table
  int fp64_flops_a_cycle = 0;  ///< 0 when it is not known
  std::string why;             ///< the units that give it, or why it is not known
};

/// Looks a processor up in a table of microarchitectures. A multiply-add counts as two operations.
/// What is not in the table is not guessed: the figure is 0 and `why` says what was missing.
Microarchitecture identify(const CpuIdentity& cpu);

}  // namespace rackproof::inventory
