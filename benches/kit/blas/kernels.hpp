#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "benches/kit/blas/vectors.hpp"
#include "benches/kit/session.hpp"

namespace rackproof::blas {

enum class ChosenBy { kLibrary, kBench, kUser };

/// The kernels that OpenBLAS uses in this process.
struct Kernels {
  std::string core;     ///< as the library names it, "SkylakeX"
  std::string version;  ///< of the library, "0.3.21"
  ChosenBy by = ChosenBy::kLibrary;
  std::string in_place_of;  ///< the library's own choice, when it was not left with it
};

/// The core that OpenBLAS should be told to use, where its own choice needs less than the processor
/// has. A user's choice stands.
std::optional<std::string> better_core(const Kernels& kernels, Vectors have);

/// Why a rate measured with these kernels would say nothing of this processor; nothing when they
/// use what it has, or when that is not known.
std::optional<std::string> why_unfit(const Kernels& kernels, Vectors have);

/// The conditions that are said with each number: `kernels` and `kernels_chosen_by`.
contract::Parameters conditions(const Kernels& kernels);

/// To be called first of all in main. OpenBLAS chooses its kernels by the model of the processor
/// when it is loaded, and those for a model that it does not know are years old. Where they need
/// less than the processor has, this starts the program again with OPENBLAS_CORETYPE set, the
/// library's own variable, and does not return. Otherwise, or where that fails, it just returns.
void fit_kernels(char** argv);

/// Why demand_fit would throw; empty when it would not.
std::string refusal();

/// Says in a note which kernels are in use and who chose them, and gives back their conditions;
/// neither where the library does not tell. Throws Unavailable when they do not fit the processor.
contract::Parameters demand_fit(kit::Session& session);

}  // namespace rackproof::blas
