#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "benches/steps/cores.hpp"
#include "benches/steps/stage.hpp"

namespace rackproof::steps {

/// Where one rank's time of a step went, in seconds; medians over the steps.
struct RankTimes {
  double total = 0;
  WorkTimes work;
  WaitTimes waits{};

  /// Neither computing nor waiting for a message: the rank was held up.
  double other() const;
  /// What it needs itself: all but waiting.
  double own() const { return work.total() + other(); }
};

/// As numbers that can be gathered, and back.
inline constexpr std::size_t kRankNumbers = 1 + 2 * kWorks + kWaits;
std::vector<double> pack(const RankTimes& times);
RankTimes unpack(const double* numbers);

/// The part of a step that makes it slow.
enum class Part { kLateRank, kSlowProduct, kExposed };
struct Blame {
  Part part = Part::kExposed;
  int rank = -1;  ///< none for kExposed
  Work work = Work::kQkv;
  Pass pass = Pass::kForward;
  Wait wait = Wait::kTensor;
  double seconds = 0;  ///< a step
  double share = 0;    ///< of the step
};

/// The first of these that costs at least a twentieth of a step: a rank that is late, by what it
/// spends neither computing nor waiting beyond the median rank; a product that is slow on one rank,
/// beyond the median rank; waiting for messages that nothing hides, the pipeline's left out, since
/// its bubble has a formula. Nothing where all is well.
std::optional<Blame> blame(const std::vector<RankTimes>& ranks);

/// What a rank waits for messages of every kind in a step, as the mean of the ranks, in seconds and
/// as a share of the step.
std::pair<double, double> waited_of(const std::vector<RankTimes>& ranks);

/// The sentence for people.
std::string text_of(const Blame& blame);

}  // namespace rackproof::steps
