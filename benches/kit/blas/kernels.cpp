#include "benches/kit/blas/kernels.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <cstdlib>
#include <string_view>

#include "benches/kit/blas/cblas.hpp"
#include "benches/kit/errors.hpp"

namespace rackproof::blas {
namespace {

// OpenBLAS's own.
constexpr const char* kCoreVariable = "OPENBLAS_CORETYPE";
// Set beside it by the process that started this one in its place: what the library had chosen.
constexpr const char* kOwnChoiceVariable = "RACKPROOF_OPENBLAS_CHOICE";

// What the process before this one handed on; taken out of the environment, so that nothing that
// is started from here takes it for its own.
std::string take_own_choice() {
  const char* const value = std::getenv(kOwnChoiceVariable);
  std::string choice = value == nullptr ? "" : value;
  unsetenv(kOwnChoiceVariable);
  return choice;
}

const std::string& own_choice() {
  static const std::string kept = take_own_choice();
  return kept;
}

std::optional<Kernels> kernels_in_use() {
  const std::string core = openblas_core();
  if (core.empty()) return std::nullopt;
  Kernels kernels;
  kernels.core = core;
  kernels.version = openblas_release();
  kernels.in_place_of = own_choice();
  if (std::getenv(kCoreVariable) != nullptr) {
    kernels.by = kernels.in_place_of.empty() ? ChosenBy::kUser : ChosenBy::kBench;
  }
  return kernels;
}

Vectors processor_vectors() {
  const auto found = features();
  return found ? vectors_of(*found) : Vectors::kUnknown;
}

std::string_view word(ChosenBy by) {
  switch (by) {
    case ChosenBy::kLibrary:
      return "library";
    case ChosenBy::kBench:
      return "bench";
    case ChosenBy::kUser:
      return "user";
  }
  return "library";
}

std::string sentence(const Kernels& kernels, Vectors have) {
  std::string text = fmt::format("OpenBLAS uses its kernels for {}", kernels.core);
  if (kernels.by == ChosenBy::kUser) {
    text += fmt::format(", started with {}={}", kCoreVariable, std::getenv(kCoreVariable));
  }
  if (kernels.by == ChosenBy::kBench) {
    text += fmt::format(", named to it since the processor has {} and its own choice was {}",
                        word(have), kernels.in_place_of);
  }
  return text;
}

}  // namespace

std::optional<std::string> better_core(const Kernels& kernels, Vectors have) {
  if (kernels.by != ChosenBy::kLibrary) return std::nullopt;
  if (!is_less(needed_by(kernels.core, kernels.version), have)) return std::nullopt;
  return std::string(core_for(have));
}

std::optional<std::string> why_unfit(const Kernels& kernels, Vectors have) {
  const Vectors need = needed_by(kernels.core, kernels.version);
  if (!is_less(need, have)) return std::nullopt;
  std::string text = fmt::format(
      "OpenBLAS {} uses its kernels for {}, which need {}; this processor has {}, so their rate "
      "would say nothing of it: ",
      kernels.version, kernels.core, word(need), word(have));
  if (kernels.by == ChosenBy::kUser) {
    text += fmt::format("unset {}", kCoreVariable);
  } else {
    text += "use an OpenBLAS built with DYNAMIC_ARCH that has kernels for it";
  }
  return text;
}

contract::Parameters conditions(const Kernels& kernels) {
  return {{"kernels", kernels.core}, {"kernels_chosen_by", std::string(word(kernels.by))}};
}

void fit_kernels(char** argv) {
  const auto kernels = kernels_in_use();
  if (!kernels) return;
  const auto core = better_core(*kernels, processor_vectors());
  if (!core) return;
  // The path itself and not the link to it: under an emulator of another processor the link, once
  // followed by the kernel, is the emulator.
  std::array<char, PATH_MAX> path{};
  if (readlink("/proc/self/exe", path.data(), path.size() - 1) <= 0) return;
  setenv(kCoreVariable, core->c_str(), 1);
  setenv(kOwnChoiceVariable, kernels->core.c_str(), 1);
  execv(path.data(), argv);
  unsetenv(kCoreVariable);
  unsetenv(kOwnChoiceVariable);
}

std::string refusal() {
  const auto kernels = kernels_in_use();
  return kernels ? why_unfit(*kernels, processor_vectors()).value_or("") : "";
}

contract::Parameters demand_fit(kit::Session& session) {
  const auto kernels = kernels_in_use();
  if (!kernels) return {};
  const Vectors have = processor_vectors();
  if (const auto why = why_unfit(*kernels, have)) throw kit::Unavailable(*why);
  session.note(sentence(*kernels, have), {{"kernels", kernels->core},
                                          {"kernels_chosen_by", std::string(word(kernels->by))},
                                          {"vectors", std::string(word(have))}});
  return conditions(*kernels);
}

}  // namespace rackproof::blas
