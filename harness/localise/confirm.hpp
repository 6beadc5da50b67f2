#pragma once

#include <optional>
#include <vector>

#include "harness/localise/accuse.hpp"

namespace rackproof::localise {

/// What later values say of somebody who is accused.
enum class Fate {
  kConfirmed,  ///< accused again, and behind by more than the margin
  kInMargin,   ///< accused again, but not surely by more than the margin
  kCleared,    ///< not accused again
};

struct Later {
  Fate fate = Fate::kCleared;
  double deficit = 0;  ///< as the later values show it, where it is accused again
};

/// Accuses once more, by later values alone: they are independent of those that accused first.
class Confirmation {
 public:
  /// `later` has the value of each link of the network, by its place; nothing where it was not
  /// measured again. Confirmed is whose deficit lies beyond `margin`, a share, by what it may be
  /// off (one-sided, 95 %).
  Confirmation(const Network& network, const std::vector<std::optional<double>>& later,
               const Rule& rule, double margin);

  /// Nothing where not each link of it was measured again, or where the later values cannot tell
  /// it from others: too few like links were that do not go over it.
  std::optional<Later> of(const Accused& accused) const;

 private:
  bool could_be_accused(const Accused& accused) const;

  std::vector<bool> measured_;  ///< by the place of the link
  double margin_;
  std::optional<Network> later_;  ///< of enough links
  Accusations again_;
};

}  // namespace rackproof::localise
