#include "harness/peers/localised_again.hpp"

#include <algorithm>

#include "harness/stats/robust.hpp"

namespace rackproof::peers {
namespace {

/// Of the ways of a link that were measured again.
std::vector<std::size_t> ways_again(const LinkSet& links, const cells::JudgedCells& judged,
                                    std::size_t link) {
  std::vector<std::size_t> ways;
  for (const auto& cell : {std::optional(links.cells[link]), links.back[link]}) {
    if (cell && !judged.again(*cell).empty()) ways.push_back(*cell);
  }
  return ways;
}

std::vector<std::size_t> times_of(const LinkSet& links, const cells::JudgedCells& judged) {
  std::vector<std::size_t> times(links.cells.size(), 0);
  for (std::size_t l = 0; l < times.size(); ++l) {
    for (const std::size_t cell : ways_again(links, judged, l)) {
      const std::size_t count = judged.again(cell).size();
      times[l] = times[l] == 0 ? count : std::min(times[l], count);
    }
  }
  return times;
}

/// A pair that was measured each way apart counts as its worse way does, as at first.
std::vector<std::optional<double>> later_of(const LinkSet& links,
                                            const cells::JudgedCells& judged) {
  const bool more = links.network.more_is_better();
  std::vector<std::optional<double>> later(links.cells.size());
  for (std::size_t l = 0; l < later.size(); ++l) {
    for (const std::size_t cell : ways_again(links, judged, l)) {
      const double value = stats::median(judged.again(cell));
      if (!(value > 0)) continue;
      const bool worse = !later[l] || (more ? value < *later[l] : value > *later[l]);
      if (worse) later[l] = value;
    }
  }
  return later;
}

}  // namespace

LinksAgain::LinksAgain(const LinkSet& links, const cells::JudgedCells& judged,
                       const model::JudgePolicy& policy)
    : times_(times_of(links, judged)),
      confirmation_(links.network, later_of(links, judged),
                    {policy.family_alpha, policy.peer_effect}, policy.peer_margin) {}

std::optional<SaidAgain> LinksAgain::of(const localise::Accused& accused) const {
  const auto later = confirmation_.of(accused);
  if (!later) return std::nullopt;
  SaidAgain said{0, *later};
  for (const std::uint32_t link : accused.links) {
    said.times = said.times == 0 ? times_[link] : std::min(said.times, times_[link]);
  }
  return said;
}

}  // namespace rackproof::peers
