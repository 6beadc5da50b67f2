#include "harness/localise/confirm.hpp"

#include <algorithm>

#include "harness/localise/fit.hpp"

namespace rackproof::localise {
namespace {

/// Of fewer links other parts may not be told apart from one: whoever is called by one of the same
/// names is the same.
bool meet(const std::vector<Part>& one, const std::vector<Part>& other) {
  return std::any_of(one.begin(), one.end(), [&](const Part& part) {
    return std::find(other.begin(), other.end(), part) != other.end();
  });
}

bool names(const Accused& accused, const std::vector<Part>& parts) {
  return std::any_of(accused.alternatives.begin(), accused.alternatives.end(),
                     [&](const std::vector<Part>& one) { return meet(one, parts); });
}

}  // namespace

Confirmation::Confirmation(const Network& network, const std::vector<std::optional<double>>& later,
                           const Rule& rule, double margin)
    : measured_(network.links().size(), false), margin_(margin) {
  std::vector<Measured> measured;
  for (std::size_t l = 0; l < network.links().size() && l < later.size(); ++l) {
    if (!later[l]) continue;
    measured_[l] = true;
    measured.push_back({network.links()[l].low, network.links()[l].high, *later[l]});
  }
  if (measured.size() < Network::kLeastAlike) return;
  later_.emplace(network.members(), measured, network.more_is_better());
  again_ = accuse(*later_, fit(*later_), rule);
}

bool Confirmation::could_be_accused(const Accused& accused) const {
  if (accused.link && accused.members.size() == 2) {
    return std::any_of(later_->links().begin(), later_->links().end(), [&](const Link& link) {
      return link.low == accused.members.front() && link.high == accused.members.back() &&
             later_->comparable(link);
    });
  }
  const auto& candidates = later_->candidates();
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    const bool tested =
        std::find(again_.untested.begin(), again_.untested.end(), c) == again_.untested.end();
    if (tested && meet(candidates[c].parts, accused.parts())) return true;
  }
  return false;
}

std::optional<Later> Confirmation::of(const Accused& accused) const {
  const bool whole = std::all_of(accused.links.begin(), accused.links.end(),
                                 [this](std::uint32_t link) { return measured_[link]; });
  if (!later_ || !whole) return std::nullopt;
  Later later;
  for (const Accused& one : again_.accused) {
    if (!names(one, accused.parts()) || one.deficit < later.deficit) continue;
    later.deficit = one.deficit;
    later.fate = one.deficit - kWithin * one.error > margin_ ? Fate::kConfirmed : Fate::kInMargin;
  }
  if (later.fate == Fate::kCleared && !could_be_accused(accused)) return std::nullopt;
  return later;
}

}  // namespace rackproof::localise
