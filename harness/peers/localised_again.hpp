#pragma once

#include <cstddef>
#include <optional>

#include "harness/localise/confirm.hpp"
#include "harness/peers/link_sets.hpp"
#include "reports/model/report.hpp"

namespace rackproof::peers {

/// What later values say of a part or a link that is accused.
struct SaidAgain {
  std::size_t times = 0;  ///< that each of its links was measured again, at least
  localise::Later later;
};

/// The accusations of a set once more, by values of attempts that confirm, each link's median of
/// them (localise::Confirmation at the policy's family_alpha, peer_effect and peer_margin).
class LinksAgain {
 public:
  LinksAgain(const LinkSet& links, const cells::JudgedCells& judged,
             const model::JudgePolicy& policy);

  /// Nothing where it was not measured again.
  std::optional<SaidAgain> of(const localise::Accused& accused) const;

 private:
  std::vector<std::size_t> times_;  ///< by the place of the link
  localise::Confirmation confirmation_;
};

}  // namespace rackproof::peers
