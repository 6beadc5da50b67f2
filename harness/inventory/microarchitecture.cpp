#include "harness/inventory/microarchitecture.hpp"

#include <array>
#include <string_view>

namespace rackproof::inventory {
namespace {

constexpr int kByModelName = -1;

/// One line of the table: a range of models of a family, and what a core does with and without the
/// widest vectors that it has (a virtual machine can hide AVX-512).
struct X86Row {
  std::string_view vendor;
  int family;
  int first_model;
  int last_model;
  std::string_view name;
  int flops_avx512;  // 0: has none; kByModelName: one or two units
  int flops_avx2;
};

// Model ranges: Linux arch/x86/kernel/cpu/amd.c (bsp_init_amd) and
// arch/x86/include/asm/intel-family.h. Units a core:
//  Zen 1: "Software Optimization Guide for AMD Family 17h Processors" (55723), two 128-bit FMA
//  pipes. Zen 2: "... Family 17h Models 30h and Greater" (56305), two 256-bit FMA pipes. Zen 3:
//  "... Family 19h Processors" (56665), two 256-bit FMA pipes. Zen 4: "... AMD Zen4
//  Microarchitecture" (57647), 512-bit operations take two passes of 256 bits. Zen 5: "... AMD Zen5
//  Microarchitecture" (58455), two 512-bit FMA pipes on the server parts; the
//         client parts with a 256-bit data path are left out.
//  Haswell to Granite Rapids: "Intel 64 and IA-32 Architectures Optimization Reference Manual"
//         (248966), two FMA ports of 256 bits, of 512 bits from Skylake-SP on where port 5 has one.
constexpr std::array kX86 = {
    X86Row{"AuthenticAMD", 0x17, 0x00, 0x2f, "AMD Zen", 0, 8},
    X86Row{"AuthenticAMD", 0x17, 0x30, 0x4f, "AMD Zen 2", 0, 16},
    X86Row{"AuthenticAMD", 0x17, 0x60, 0x7f, "AMD Zen 2", 0, 16},
    X86Row{"AuthenticAMD", 0x19, 0x00, 0x0f, "AMD Zen 3", 0, 16},
    X86Row{"AuthenticAMD", 0x19, 0x20, 0x5f, "AMD Zen 3", 0, 16},
    X86Row{"AuthenticAMD", 0x19, 0x10, 0x1f, "AMD Zen 4", 16, 16},
    X86Row{"AuthenticAMD", 0x19, 0x60, 0xaf, "AMD Zen 4", 16, 16},
    X86Row{"AuthenticAMD", 0x1a, 0x00, 0x1f, "AMD Zen 5 (server)", 32, 16},
    X86Row{"GenuineIntel", 6, 0x3c, 0x3c, "Intel Haswell", 0, 16},
    X86Row{"GenuineIntel", 6, 0x3f, 0x3f, "Intel Haswell-EP", 0, 16},
    X86Row{"GenuineIntel", 6, 0x45, 0x46, "Intel Haswell", 0, 16},
    X86Row{"GenuineIntel", 6, 0x3d, 0x3d, "Intel Broadwell", 0, 16},
    X86Row{"GenuineIntel", 6, 0x47, 0x47, "Intel Broadwell", 0, 16},
    X86Row{"GenuineIntel", 6, 0x4f, 0x4f, "Intel Broadwell-EP", 0, 16},
    X86Row{"GenuineIntel", 6, 0x56, 0x56, "Intel Broadwell-DE", 0, 16},
    X86Row{"GenuineIntel", 6, 0x4e, 0x4e, "Intel Skylake", 0, 16},
    X86Row{"GenuineIntel", 6, 0x5e, 0x5e, "Intel Skylake", 0, 16},
    X86Row{"GenuineIntel", 6, 0x8e, 0x8e, "Intel Kaby Lake", 0, 16},
    X86Row{"GenuineIntel", 6, 0x9e, 0x9e, "Intel Kaby Lake", 0, 16},
    X86Row{"GenuineIntel", 6, 0x55, 0x55, "Intel Skylake-SP", kByModelName, 16},
    X86Row{"GenuineIntel", 6, 0x6a, 0x6a, "Intel Ice Lake-SP", 32, 16},
    X86Row{"GenuineIntel", 6, 0x6c, 0x6c, "Intel Ice Lake-D", 32, 16},
    X86Row{"GenuineIntel", 6, 0x8f, 0x8f, "Intel Sapphire Rapids", 32, 16},
    X86Row{"GenuineIntel", 6, 0xcf, 0xcf, "Intel Emerald Rapids", 32, 16},
    X86Row{"GenuineIntel", 6, 0xad, 0xae, "Intel Granite Rapids", 32, 16},
};

struct ArmRow {
  std::string_view implementer;
  int part;
  std::string_view name;
  int flops;
  std::string_view units;
};

// Part numbers: the MIDR_EL1 tables of the Arm Technical Reference Manuals. Units: Arm's Software
// Optimization Guide of each core (section "Pipeline overview"); "A64FX Microarchitecture Manual",
// Fujitsu. NVIDIA Grace is Neoverse V2.
constexpr std::array kArm = {
    ArmRow{"0x41", 0xd0c, "Arm Neoverse N1", 8, "two 128-bit FMA pipes"},
    ArmRow{"0x41", 0xd40, "Arm Neoverse V1", 16, "two 256-bit SVE FMA pipes"},
    ArmRow{"0x41", 0xd49, "Arm Neoverse N2", 8, "two 128-bit FMA pipes"},
    ArmRow{"0x41", 0xd4f, "Arm Neoverse V2", 16, "four 128-bit FMA pipes"},
    ArmRow{"0x46", 0x001, "Fujitsu A64FX", 32, "two 512-bit SVE FMA pipes"},
};

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

/// Skylake-SP and its two successors share one model number and differ in FMA units by product
/// line. Intel ARK, "# of AVX-512 FMA Units": 2 for Platinum and Gold 6xxx, 1 for Silver and
/// Bronze; Gold 5xxx has some of each.
Microarchitecture by_model_name(const std::string& name, const CpuIdentity& cpu) {
  if (contains(cpu.model_name, "Platinum") || contains(cpu.model_name, "Gold 6")) {
    return {name, 32, "two 512-bit FMA units"};
  }
  if (contains(cpu.model_name, "Silver") || contains(cpu.model_name, "Bronze")) {
    return {name, 16, "one 512-bit FMA unit"};
  }
  return {name, 0,
          "this model has one or two AVX-512 FMA units, and \"" + cpu.model_name +
              "\" does not say which"};
}

Microarchitecture x86(const X86Row& row, const CpuIdentity& cpu) {
  const std::string name(row.name);
  if (row.flops_avx512 != 0 && cpu.flags.contains("avx512f")) {
    if (row.flops_avx512 == kByModelName) return by_model_name(name, cpu);
    return {name, row.flops_avx512,
            row.flops_avx512 == 32 ? "two 512-bit FMA units" : "two 256-bit FMA units"};
  }
  if (!cpu.flags.contains("fma") || !cpu.flags.contains("avx2")) {
    return {name, 0, "the processor's flags lack avx2 or fma, so its rate is not in the table"};
  }
  return {name, row.flops_avx2,
          row.flops_avx2 == 8 ? "two 128-bit FMA units" : "two 256-bit FMA units"};
}

}  // namespace

Microarchitecture identify(const CpuIdentity& cpu) {
  for (const X86Row& row : kX86) {
    if (cpu.vendor == row.vendor && cpu.family == row.family && cpu.model >= row.first_model &&
        cpu.model <= row.last_model) {
      return x86(row, cpu);
    }
  }
  for (const ArmRow& row : kArm) {
    if (cpu.vendor == row.implementer && cpu.part == row.part) {
      return {std::string(row.name), row.flops, std::string(row.units)};
    }
  }
  if (cpu.vendor.empty()) return {"", 0, "the processor does not name its vendor"};
  const std::string which = cpu.part >= 0 ? "part " + std::to_string(cpu.part)
                                          : "family " + std::to_string(cpu.family) + " model " +
                                                std::to_string(cpu.model);
  return {"", 0, "no table entry for vendor " + cpu.vendor + " " + which};
}

}  // namespace rackproof::inventory
