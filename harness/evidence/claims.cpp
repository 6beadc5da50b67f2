#include "harness/evidence/claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "harness/evidence/context.hpp"
#include "harness/recognise/match.hpp"
#include "reports/model/glob.hpp"

namespace rackproof::evidence {
namespace {

constexpr const char* kMetric = "metric";

bool is_of_kind(const model::Claim& claim, const model::Cell& cell) {
  const auto fits = [&cell](const std::string& glob) {
    return model::glob_match(glob, cell.metric);
  };
  return std::find(claim.steps.begin(), claim.steps.end(), cell.step) != claim.steps.end() &&
         (claim.metrics.empty() || std::any_of(claim.metrics.begin(), claim.metrics.end(), fits));
}

bool has_size(const model::Claim& claim, const model::Subject& subject) {
  if (!claim.nodes_min && !claim.nodes_max) return true;
  const auto hosts = static_cast<std::int64_t>(host_count(subject));
  return hosts >= claim.nodes_min.value_or(0) &&
         hosts <= claim.nodes_max.value_or(std::numeric_limits<std::int64_t>::max());
}

/// The value of `each`, as people read it; nothing where the cell has none and so holds nothing.
std::optional<std::string> each_of(const model::Claim& claim, const model::Cell& cell) {
  if (claim.each.empty()) return "";
  if (claim.each == kMetric) return cell.metric;
  const auto found = cell.parameters.find(claim.each);
  if (found == cell.parameters.end()) return std::nullopt;
  return fmt::format("{}={}", claim.each, model::to_text(found->second));
}

struct SubjectOrder {
  bool operator()(const model::Subject* a, const model::Subject* b) const {
    const auto key = [](const model::Subject& one) {
      return std::tie(one.kind, one.host, one.device, one.peer_host, one.peer_device, one.group);
    };
    if (key(*a) != key(*b)) return key(*a) < key(*b);
    return a->members.size() < b->members.size();
  }
};

struct Holding {
  bool owed = false;
  bool held = false;
};

std::uint64_t key_of(const Claimants::One& one, std::uint32_t subject) {
  return std::uint64_t{one.claim} << 48 | std::uint64_t{one.each} << 32 | subject;
}

}  // namespace

std::vector<model::Claim> claims_of(const model::Report& report) {
  if (!report.suite.claims.empty()) return report.suite.claims;
  std::vector<model::Claim> claims;
  for (const model::StepInfo& step : report.steps) {
    model::Claim& claim = claims.emplace_back();
    claim.id = step.id;
    claim.title = "step " + step.id;
    claim.steps = {step.id};
  }
  return claims;
}

const Claimants::Kind& Claimants::kind_of(const std::vector<model::Claim>& claims,
                                          const model::Cell& cell) {
  const std::hash<std::string> hash;
  const std::size_t sum = hash(cell.step) * 31 + hash(cell.metric);
  const auto [first, end] = kind_places_.equal_range(sum);
  for (auto at = first; at != end; ++at) {
    const Kind& kind = kinds_[at->second];
    if (kind.step == cell.step && kind.metric == cell.metric) return kind;
  }
  kind_places_.emplace(sum, kinds_.size());
  Kind& kind = kinds_.emplace_back();
  kind.step = cell.step;
  kind.metric = cell.metric;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    if (is_of_kind(claims[i], cell)) kind.claims.push_back(static_cast<std::uint16_t>(i));
  }
  return kind;
}

std::uint16_t Claimants::value_of(const std::string& text) {
  if (text.empty()) return 0;
  const auto [at, fresh] = value_places_.try_emplace(text, 0);
  if (fresh) {
    if (values_.size() > std::numeric_limits<std::uint16_t>::max()) {
      throw std::length_error("a claim counts more than 65,535 values apart");
    }
    at->second = static_cast<std::uint16_t>(values_.size());
    values_.push_back(text);
  }
  return at->second;
}

void Claimants::add(const std::vector<model::Claim>& claims, const model::Cell& cell,
                    std::size_t place) {
  if (!cell.required) return;
  for (const std::uint16_t at : kind_of(claims, cell).claims) {
    const model::Claim& claim = claims[at];
    if (!has_size(claim, cell.subject) ||
        !recognise::parameters_match(claim.parameters, cell.parameters)) {
      continue;
    }
    if (const auto each = each_of(claim, cell)) {
      all_.push_back({static_cast<std::uint32_t>(place), at, value_of(*each)});
    }
  }
}

void Claimants::append(const Claimants& later, std::size_t cells) {
  std::vector<std::uint16_t> values;
  for (const std::string& value : later.values_) values.push_back(value_of(value));
  all_.reserve(all_.size() + later.all_.size());
  for (const One& one : later.all_) {
    all_.push_back({static_cast<std::uint32_t>(one.cell + cells), one.claim, values[one.each]});
  }
}

std::vector<model::ClaimState> claim_states(const std::vector<model::Claim>& claims,
                                            const Claimants& claimants,
                                            const std::function<Claimed(std::size_t)>& cell_at,
                                            const std::map<std::string, std::string>& accepted) {
  // Cells of one subject come one after the other, and share it.
  std::map<const model::Subject*, std::uint32_t, SubjectOrder> subjects;
  const model::Subject* last = nullptr;
  std::uint32_t number = 0;
  std::unordered_map<std::uint64_t, Holding> places;
  for (const Claimants::One& one : claimants.all()) {
    const Claimed cell = cell_at(one.cell);
    if (cell.subject != last) {
      last = cell.subject;
      number =
          subjects.try_emplace(last, static_cast<std::uint32_t>(subjects.size())).first->second;
    }
    Holding& place = places[key_of(one, number)];
    place.owed = place.owed || cell.owed;
    place.held = place.held || cell.held;
  }
  std::vector<model::ClaimState> all(claims.size());
  std::vector<std::set<std::string>> missing(claims.size());
  for (const auto& [key, place] : places) {
    if (!place.owed) continue;
    const auto claim = static_cast<std::uint16_t>(key >> 48);
    const auto each = static_cast<std::uint16_t>(key >> 32);
    ++all[claim].places;
    all[claim].held += place.held ? 1 : 0;
    if (!place.held && each != 0) missing[claim].insert(claimants.values()[each]);
  }
  std::vector<model::ClaimState> states;
  std::set<std::string> counting;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const auto counts = [&counting](const std::string& id) { return counting.contains(id); };
    if (all[i].places == 0 ||
        std::any_of(claims[i].unless.begin(), claims[i].unless.end(), counts)) {
      continue;
    }
    counting.insert(claims[i].id);
    all[i].id = claims[i].id;
    all[i].title = claims[i].title;
    all[i].missing.assign(missing[i].begin(), missing[i].end());
    const auto why = accepted.find(claims[i].id);
    if (why != accepted.end() && !all[i].is_held()) all[i].accepted = why->second;
    states.push_back(std::move(all[i]));
  }
  return states;
}

std::string unheld(const std::vector<model::ClaimState>& states) {
  std::string text;
  for (const model::ClaimState& state : states) {
    if (state.is_held() || !state.accepted.empty()) continue;
    text += (text.empty() ? "" : ", ") + state.title;
    if (state.held == 0) continue;
    text += state.missing.empty()
                ? fmt::format(" ({} of {})", state.places - state.held, state.places)
                : fmt::format(" ({})", fmt::join(state.missing, ", "));
  }
  return text;
}

}  // namespace rackproof::evidence
