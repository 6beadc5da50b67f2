#include "harness/localise/confirm.hpp"

#include <algorithm>

#include "harness/localise/fit.hpp"

namespace rackproof::localise {

Confirmation::Confirmation(const Network& network, const std::vector<std::optional<double>>& later,
                           const Rule& rule, double margin)
    : measured_(network.links().size(), false), margin_(margin) {
  std::vector<Measured> measured;
  for (std::size_t l = 0; l < network.links().size() && l < later.size(); ++l) {
    if (!later[l]) continue;
    measured_[l] = true;
    measured.push_back({network.links()[l].low, network.links()[l].high, *later[l]});
  }
  enough_ = measured.size() >= Network::kLeastAlike;
  if (!enough_) return;
  const Network again(network.members(), measured, network.more_is_better());
  again_ = accuse(again, fit(again), rule);
}

std::optional<Later> Confirmation::of(const Accused& accused) const {
  const bool whole = std::all_of(accused.links.begin(), accused.links.end(),
                                 [this](std::uint32_t link) { return measured_[link]; });
  if (!enough_ || !whole) return std::nullopt;
  Later later;
  for (const Accused& one : again_.accused) {
    const auto& names = one.alternatives;
    if (std::find(names.begin(), names.end(), accused.parts()) == names.end()) continue;
    later.deficit = one.deficit;
    later.fate = one.deficit - kWithin * one.error > margin_ ? Fate::kConfirmed : Fate::kInMargin;
  }
  return later;
}

}  // namespace rackproof::localise
