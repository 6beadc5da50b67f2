#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "tests/campaign/played_pairs.hpp"

namespace rackproof::campaign {

/// What is planted in each trial.
enum class Fault { kNone, kHost, kGpu, kNic, kRail, kLeaf, kLink, kTwo };
inline constexpr Fault kFaults[] = {Fault::kNone, Fault::kHost, Fault::kGpu,  Fault::kNic,
                                    Fault::kRail, Fault::kLeaf, Fault::kLink, Fault::kTwo};
std::string name_of(Fault fault);

/// 72 GPUs (18 hosts of 4), 232 (29 of 8) or 10,000 (1,250 of 8); two GPUs of each NIC.
Shape shape_of(std::size_t gpus);

enum class Method {
  kRounds,   ///< localise::accuse on the rounds of the plan
  kAll,      ///< the same on all pairs
  kHalving,  ///< groups by halving alone: slow under half the deficit, by one value of each group
};

struct Trials {
  std::size_t gpus = 72;
  Fault fault = Fault::kGpu;
  Method method = Method::kRounds;
  double deficit = 0.03;
  double link_deficit = 0.25;
  double noise = 0.015;
  int rounds = 15;
  int trials = 100;
  std::uint64_t seed = 1;
};

struct Outcomes {
  int planted = 0;
  int named = 0;  ///< of these, accused and told from all others
  int open = 0;   ///< of these, accused with others that could not be told from it
  int wrong = 0;  ///< parts and links that were accused without cause
  int trials_with_wrong = 0;
  int confirmed =
      0;  ///< of those planted that were accused, by the medians of four later values of each link
  int wrong_confirmed = 0;
  double rounds = 0;   ///< of each trial; of halving groups
  double retests = 0;  ///< pairs that were measured again in each trial
  double seconds = 0;  ///< of the computation of one trial
  double most_seconds = 0;
};

/// The same trials give the same outcomes, but for the seconds.
Outcomes localise_planted(const Trials& trials);

}  // namespace rackproof::campaign
