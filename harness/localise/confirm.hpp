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

  /// Nothing where not each link of it was measured again, or too few links were.
  std::optional<Later> of(const Accused& accused) const;

 private:
  std::vector<bool> measured_;  ///< by the place of the link
  double margin_;
  bool enough_ = false;
  Accusations again_;
};

}  // namespace rackproof::localise
