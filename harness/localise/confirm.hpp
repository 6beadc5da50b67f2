#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "harness/localise/accuse.hpp"

namespace rackproof::localise {

/// Pairs that are measured again, with nothing else on the fabric, because of somebody who is
/// accused.
struct Retest {
  std::size_t accused = 0;  ///< by its place
  /// Between it and two parts of the upper half; of a link each of its ends and one of these.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  /// The link itself; nothing where a part is accused.
  std::optional<std::pair<std::uint32_t, std::uint32_t>> link;
  /// Between those two: what it says of a later hour is taken out.
  std::pair<std::uint32_t, std::uint32_t> control;
  /// What the pairs should give, as their kind of link does.
  std::vector<double> expected;
  double expected_control = 0;
};

/// Who is measured again to confirm each accusation. The two others are of the upper half of all
/// members by the fit, in nobody who is accused, on other hosts, and such that links like those to
/// them are known without the accused. No entry for a way, and where there are no two such members
/// (of one of two rails, say: all links from it to the other go over it).
std::vector<Retest> retests_of(const Network& network, const Fit& fit,
                               const Accusations& accusations);

/// Values of one retest, of each pair as often as the others.
struct Taken {
  std::vector<std::vector<double>> pairs;  ///< in the order of Retest::pairs
  std::vector<double> link;
  std::vector<double> control;
};

enum class Fate {
  kConfirmed,  ///< both pairs of a part are slow, or the link alone is
  kAnEnd,      ///< accused was a link, but an end of it is slow with others too
  kCleared,    ///< not slower than the margin, as far as the later values tell
  kOpen,       ///< too few values
};

struct Confirmed {
  std::size_t accused = 0;
  Fate fate = Fate::kOpen;
  double deficit = 0;  ///< of the later values
  double p = 1;        ///< adjusted over all that were measured again
};

/// Whether the later values, on their own, show a deficit beyond `margin`, a share (Student's t of
/// their mean, less that of the control; Holm's procedure at `family_alpha` over all retests), in
/// both pairs of a part; of a link, in it and in
/// neither of the others. `taken` has one entry for each of `retests`.
std::vector<Confirmed> confirm(const std::vector<Retest>& retests, const std::vector<Taken>& taken,
                               bool more_is_better, double margin, double family_alpha);

}  // namespace rackproof::localise
