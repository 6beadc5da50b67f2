#include "benches/kit/blas/vectors.hpp"

#if defined(__aarch64__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#endif

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

namespace rackproof::blas {
namespace {

struct Row {
  std::string_view core;
  Vectors need;
};

// OpenBLAS, kernel/x86_64/KERNEL.* and kernel/arm64/KERNEL.*: SGEMMKERNEL and DGEMMKERNEL. The
// kernels for Excavator use FMA on its units of 128 bits. fp32 and fp64 of Cooperlake and Sapphire
// Rapids are those of Skylake-X.
constexpr std::array kCores = {
    Row{"generic", Vectors::kNone},
    Row{"katmai", Vectors::kSse},
    Row{"coppermine", Vectors::kSse},
    Row{"northwood", Vectors::kSse},
    Row{"prescott", Vectors::kSse},
    Row{"banias", Vectors::kSse},
    Row{"atom", Vectors::kSse},
    Row{"core2", Vectors::kSse},
    Row{"penryn", Vectors::kSse},
    Row{"dunnington", Vectors::kSse},
    Row{"nehalem", Vectors::kSse},
    Row{"athlon", Vectors::kSse},
    Row{"opteron", Vectors::kSse},
    Row{"opteron_sse3", Vectors::kSse},
    Row{"barcelona", Vectors::kSse},
    Row{"bobcat", Vectors::kSse},
    Row{"nano", Vectors::kSse},
    Row{"sandybridge", Vectors::kAvx},
    Row{"bulldozer", Vectors::kAvx},
    Row{"piledriver", Vectors::kAvx},
    Row{"steamroller", Vectors::kAvx},
    Row{"excavator", Vectors::kAvx2},
    Row{"haswell", Vectors::kAvx2},
    Row{"zen", Vectors::kAvx2},
    Row{"skylakex", Vectors::kAvx512},
    Row{"cooperlake", Vectors::kAvx512},
    Row{"sapphirerapids", Vectors::kAvx512},
    Row{"armv8", Vectors::kNeon},
    Row{"cortexa53", Vectors::kNeon},
    Row{"cortexa55", Vectors::kNeon},
    Row{"cortexa57", Vectors::kNeon},
    Row{"cortexa72", Vectors::kNeon},
    Row{"cortexa73", Vectors::kNeon},
    Row{"falkor", Vectors::kNeon},
    Row{"thunderx", Vectors::kNeon},
    Row{"thunderx2t99", Vectors::kNeon},
    Row{"thunderx3t110", Vectors::kNeon},
    Row{"tsv110", Vectors::kNeon},
    Row{"emag8180", Vectors::kNeon},
    Row{"neoversen1", Vectors::kNeon},
    Row{"neoversen2", Vectors::kNeon},
    Row{"neoversev1", Vectors::kSve},
    Row{"neoversev2", Vectors::kSve},
    Row{"armv8sve", Vectors::kSve},
    Row{"a64fx", Vectors::kSve},
};
// From this version on the kernels for Neoverse V1 are those for SVE.
constexpr std::array kFirstSveOnV1 = {0, 3, 24};

std::string lower(std::string_view text) {
  std::string small(text);
  std::transform(small.begin(), small.end(), small.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return small;
}

// The numbers of "0.3.21"; what is no number counts as 0.
std::array<int, 3> numbers_of(std::string_view version) {
  std::array<int, 3> numbers{};
  for (int& number : numbers) {
    const auto [end, error] =
        std::from_chars(version.data(), version.data() + version.size(), number);
    if (error != std::errc()) break;
    version.remove_prefix(static_cast<std::size_t>(end - version.data()));
    if (!version.starts_with('.')) break;
    version.remove_prefix(1);
  }
  return numbers;
}

bool is_arm(Vectors vectors) { return vectors == Vectors::kNeon || vectors == Vectors::kSve; }

}  // namespace

std::optional<Features> features() {
#if defined(__x86_64__)
  Features found;
  found.x86 = true;
  found.avx = __builtin_cpu_supports("avx") != 0;
  found.avx2 = __builtin_cpu_supports("avx2") != 0;
  found.fma = __builtin_cpu_supports("fma") != 0;
  found.avx512 = __builtin_cpu_supports("avx512f") != 0 &&
                 __builtin_cpu_supports("avx512cd") != 0 &&
                 __builtin_cpu_supports("avx512bw") != 0 &&
                 __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0;
  return found;
#elif defined(__aarch64__)
  Features found;
  if ((getauxval(AT_HWCAP) & HWCAP_SVE) != 0) {
    const int length = prctl(PR_SVE_GET_VL);
    if (length > 0) found.sve_bits = 8 * (length & PR_SVE_VL_LEN_MASK);
  }
  return found;
#else
  return std::nullopt;
#endif
}

Vectors vectors_of(const Features& features) {
  constexpr int kLongSve = 512;
  if (!features.x86) return features.sve_bits >= kLongSve ? Vectors::kSve : Vectors::kNeon;
  if (features.avx512) return Vectors::kAvx512;
  if (features.avx2 && features.fma) return Vectors::kAvx2;
  return features.avx ? Vectors::kAvx : Vectors::kSse;
}

std::string_view word(Vectors vectors) {
  switch (vectors) {
    case Vectors::kUnknown:
      return "unknown";
    case Vectors::kNone:
      return "no vectors";
    case Vectors::kSse:
      return "SSE";
    case Vectors::kAvx:
      return "AVX";
    case Vectors::kAvx2:
      return "AVX2 and FMA";
    case Vectors::kAvx512:
      return "AVX-512";
    case Vectors::kNeon:
      return "NEON";
    case Vectors::kSve:
      return "SVE of 512 bits or more";
  }
  return "unknown";
}

Vectors needed_by(std::string_view core, std::string_view version) {
  const std::string name = lower(core);
  for (const Row& row : kCores) {
    if (row.core != name) continue;
    if (name.starts_with("neoversev") && numbers_of(version) < kFirstSveOnV1) return Vectors::kNeon;
    return row.need;
  }
  return Vectors::kUnknown;
}

bool is_less(Vectors need, Vectors have) {
  if (need == Vectors::kUnknown || have == Vectors::kUnknown) return false;
  if (need != Vectors::kNone && is_arm(need) != is_arm(have)) return false;
  return need < have;
}

std::string_view core_for(Vectors have) {
  switch (have) {
    case Vectors::kUnknown:
    case Vectors::kNone:
      return "GENERIC";
    case Vectors::kSse:
      return "PRESCOTT";
    case Vectors::kAvx:
      return "SANDYBRIDGE";
    case Vectors::kAvx2:
      return "HASWELL";
    case Vectors::kAvx512:
      return "SKYLAKEX";
    case Vectors::kNeon:
      return "ARMV8";
    case Vectors::kSve:
      return "ARMV8SVE";
  }
  return "GENERIC";
}

}  // namespace rackproof::blas
