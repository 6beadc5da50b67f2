#include "harness/localise/network.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>

namespace rackproof::localise {
namespace {

/// Ways with fewer links are left to the links themselves: there would be more of them than leaves
/// squared, each with next to nothing to say.
constexpr std::size_t kLeastOfWay = 4;

/// What makes two links alike: which of these their ends have in common.
constexpr Factor kCommon[] = {Factor::kRack, Factor::kLeaf, Factor::kRail, Factor::kHost};

bool have_in_common(const Member& one, const Member& other, Factor factor) {
  return !one[factor].empty() && one[factor] == other[factor];
}

bool is_inside(const Member& one, const Member& other) {
  return have_in_common(one, other, Factor::kHost) ||
         (!one.domain.empty() && one.domain == other.domain);
}

std::uint32_t common(const Member& one, const Member& other) {
  const bool inside = is_inside(one, other);
  std::uint32_t bits = inside ? 1 : 0;
  for (const Factor factor : kCommon) {
    const bool counts = !inside || !is_of_fabric(factor);
    bits = bits * 2 + (counts && have_in_common(one, other, factor) ? 1 : 0);
  }
  return bits;
}

Link checked(const Measured& measured, std::size_t members, bool more_is_better) {
  if (measured.low >= members || measured.high >= members) {
    throw std::invalid_argument("a pair with a member that is not there");
  }
  if (measured.low == measured.high) throw std::invalid_argument("a pair of one member");
  if (!std::isfinite(measured.value) || measured.value <= 0) {
    throw std::invalid_argument("a pair with a value that has no logarithm");
  }
  Link link;
  link.low = static_cast<std::uint32_t>(std::min(measured.low, measured.high));
  link.high = static_cast<std::uint32_t>(std::max(measured.low, measured.high));
  link.log = (more_is_better ? 1 : -1) * std::log(measured.value);
  return link;
}

}  // namespace

Network::Network(std::vector<Member> members, const std::vector<Measured>& measured,
                 bool more_is_better)
    : more_is_better_(more_is_better), members_(std::move(members)) {
  for (const Member& member : members_) {
    if (std::all_of(member.part.begin(), member.part.end(),
                    [](const std::string& name) { return name.empty(); })) {
      throw std::invalid_argument("a member of which no part is known");
    }
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const Measured& one : measured) {
    links_.push_back(checked(one, members_.size(), more_is_better));
    pairs.emplace_back(links_.back().low, links_.back().high);
  }
  std::sort(pairs.begin(), pairs.end());
  if (std::adjacent_find(pairs.begin(), pairs.end()) != pairs.end()) {
    throw std::invalid_argument("a pair that comes twice");
  }
  find_kinds();
  find_candidates();
}

void Network::find_kinds() {
  for (std::size_t i = 0; i < links_.size(); ++i) {
    Link& link = links_[i];
    link.inside = is_inside(members_[link.low], members_[link.high]);
    const std::uint32_t bits = common(members_[link.low], members_[link.high]);
    const auto [place, fresh] =
        kind_of_.try_emplace(bits, static_cast<std::uint32_t>(links_of_kind_.size()));
    if (fresh) links_of_kind_.emplace_back();
    link.kind = place->second;
    links_of_kind_[link.kind].push_back(static_cast<std::uint32_t>(i));
  }
}

std::optional<std::uint32_t> Network::kind_between(std::size_t one, std::size_t other) const {
  const auto kind = kind_of_.find(common(members_.at(one), members_.at(other)));
  if (kind == kind_of_.end()) return std::nullopt;
  return kind->second;
}

void Network::find_candidates() {
  std::vector<std::vector<std::uint32_t>> links_of(members_.size());
  for (std::size_t i = 0; i < links_.size(); ++i) {
    links_of[links_[i].low].push_back(static_cast<std::uint32_t>(i));
    links_of[links_[i].high].push_back(static_cast<std::uint32_t>(i));
  }
  std::map<std::vector<std::uint32_t>, std::size_t> known;
  const auto add = [&](Part part, std::vector<std::uint32_t> links,
                       std::vector<std::uint32_t> inside) {
    if (links.empty()) return;
    const auto [place, fresh] = known.try_emplace(std::move(links), candidates_.size());
    if (fresh) candidates_.push_back({{}, place->first, {}, std::move(inside)});
    candidates_[place->second].parts.push_back(std::move(part));
  };
  for (std::size_t f = 0; f < kFactorsOfMembers; ++f) {
    std::map<std::string, std::size_t> places;
    std::vector<std::pair<std::string, std::vector<std::uint32_t>>> parts;
    for (std::size_t m = 0; m < members_.size(); ++m) {
      const std::string& name = members_[m].part[f];
      if (name.empty()) continue;
      const auto [place, fresh] = places.try_emplace(name, parts.size());
      if (fresh) parts.push_back({name, {}});
      parts[place->second].second.push_back(static_cast<std::uint32_t>(m));
    }
    for (auto& [name, inside] : parts) {
      std::vector<std::uint32_t> links;
      for (const std::uint32_t m : inside) {
        links.insert(links.end(), links_of[m].begin(), links_of[m].end());
      }
      if (is_of_fabric(static_cast<Factor>(f))) {
        std::erase_if(links, [this](std::uint32_t l) { return links_[l].inside; });
      }
      std::sort(links.begin(), links.end());
      links.erase(std::unique(links.begin(), links.end()), links.end());
      add({static_cast<Factor>(f), name}, std::move(links), std::move(inside));
    }
  }
  std::map<std::pair<std::string, std::string>, std::vector<std::uint32_t>> ways;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    if (links_[i].inside) continue;
    std::string one = members_[links_[i].low][Factor::kLeaf];
    std::string other = members_[links_[i].high][Factor::kLeaf];
    if (one.empty() || other.empty() || one == other) continue;
    if (other < one) std::swap(one, other);
    ways[{std::move(one), std::move(other)}].push_back(static_cast<std::uint32_t>(i));
  }
  for (auto& [ends, links] : ways) {
    if (links.size() < kLeastOfWay) continue;
    add({Factor::kWay, ends.first + " - " + ends.second}, std::move(links), {});
  }
  candidates_of_.resize(members_.size());
  for (std::size_t c = 0; c < candidates_.size(); ++c) {
    find_evidence(candidates_[c]);
    for (const std::uint32_t m : candidates_[c].members) {
      candidates_of_[m].push_back(static_cast<std::uint32_t>(c));
    }
  }
}

void Network::find_evidence(Candidate& candidate) const {
  std::vector<std::size_t> inside(links_of_kind_.size(), 0);
  for (const std::uint32_t l : candidate.links) ++inside[links_[l].kind];
  for (const std::uint32_t l : candidate.links) {
    const Link& link = links_[l];
    if (comparable(link) && inside[link.kind] < links_of_kind_[link.kind].size()) {
      candidate.evidence.push_back(l);
    }
  }
}

std::string text_of(const std::vector<Part>& parts) {
  std::string text;
  for (const Part& part : parts) {
    if (!text.empty()) text += " or ";
    text += std::string(contract::word(part.factor)) + " " + part.name;
  }
  return text;
}

}  // namespace rackproof::localise
