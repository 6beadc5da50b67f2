#include "harness/judge/localised.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "harness/judge/reasons.hpp"
#include "harness/localise/accuse.hpp"
#include "reports/model/finding_id.hpp"

namespace rackproof::judge {
namespace {

const model::DeviceFacts* gpu_of(const Context& context, const std::string& host,
                                 const std::string& device) {
  const model::NodeInventory* node = context.node(host);
  if (node == nullptr) return nullptr;
  const auto known = std::find_if(node->devices.begin(), node->devices.end(),
                                  [&](const auto& one) { return one.uuid == device; });
  return known == node->devices.end() ? nullptr : &*known;
}

/// What an end of a link is a part of. "rank 3" is no GPU, and of nothing but its host.
localise::Member member_of(const Context& context, const std::string& host,
                           const std::string& device) {
  localise::Member member;
  member[localise::Factor::kHost] = host;
  if (const model::DeviceFacts* gpu = gpu_of(context, host, device)) {
    member[localise::Factor::kGpu] = fmt::format("{} GPU {}", host, gpu->index);
  }
  return member;
}

/// Like links, and the cell that each of them is.
struct Set {
  localise::Network network;
  std::vector<std::size_t> cells;  ///< by the place of the link
};

/// Of pairs that were measured each way apart, either way is a set of its own.
class Gathering {
 public:
  Gathering(const Context& context, const JudgedCells& judged)
      : context_(context), judged_(judged) {}

  std::vector<Set> sets_of(const LikeCells& cells) {
    members_.clear();
    places_.clear();
    std::set<std::pair<std::size_t, std::size_t>> seen;
    std::vector<localise::Measured> measured[2];
    std::vector<std::size_t> kept[2];
    bool more_is_better = true;
    for (const std::size_t cell : cells) {
      const model::Subject& subject = judged_.subject_of(cell);
      if (subject.kind != contract::SubjectKind::kLink) return {};
      const CellSummary& summary = judged_.summary(cell);
      if (!counts(subject) || summary.observed <= 0) continue;
      const std::size_t one = place_of(subject.host, subject.device);
      const std::size_t other = place_of(subject.peer_host, subject.peer_device);
      if (one == other) continue;
      const int way = seen.insert(std::minmax(one, other)).second ? 0 : 1;
      measured[way].push_back({one, other, summary.observed});
      kept[way].push_back(cell);
      more_is_better = summary.more_is_better;
    }
    std::vector<Set> sets;
    for (const int way : {0, 1}) {
      if (measured[way].size() < localise::Network::kLeastAlike) continue;
      sets.push_back(
          {localise::Network(members_, measured[way], more_is_better), std::move(kept[way])});
    }
    return sets;
  }

 private:
  /// Ranks of one host share all its parts: what is between them says nothing of any.
  bool counts(const model::Subject& subject) const {
    if (subject.host != subject.peer_host) return true;
    return gpu_of(context_, subject.host, subject.device) != nullptr &&
           gpu_of(context_, subject.peer_host, subject.peer_device) != nullptr;
  }

  std::size_t place_of(const std::string& host, const std::string& device) {
    const auto [place, fresh] = places_.try_emplace({host, device}, members_.size());
    if (fresh) members_.push_back(member_of(context_, host, device));
    return place->second;
  }

  const Context& context_;
  const JudgedCells& judged_;
  std::map<std::pair<std::string, std::string>, std::size_t> places_;
  std::vector<localise::Member> members_;
};

/// "host gb-07 or gb-07 GPU 3"
std::string names_of(const std::vector<localise::Part>& parts) {
  std::string text;
  for (const localise::Part& part : parts) {
    if (!text.empty()) text += " or ";
    if (part.factor != localise::Factor::kGpu) {
      text += std::string(contract::word(part.factor)) + " ";
    }
    text += part.name;
  }
  return text;
}

std::string subject_of(const std::vector<localise::Part>& parts) {
  // As every other finding about it.
  if (parts.size() == 1 && parts.front().factor == localise::Factor::kHost) {
    return parts.front().name;
  }
  return names_of(parts);
}

/// One part or link, by all sets that blame it.
struct Blamed {
  localise::Accused worst;
  std::size_t cell = 0;  ///< an example of the set in which it is worst
  std::size_t failed = 0;
  std::size_t results = 0;
};

std::string others_of(const localise::Accused& accused) {
  std::string text;
  for (std::size_t i = 1; i < accused.alternatives.size(); ++i) {
    text += (i == 1 ? "" : ", or ") + names_of(accused.alternatives[i]);
  }
  return text.empty() ? "" : fmt::format("; no pair tells it from {}", text);
}

std::string seen_text(const localise::Accused& accused) {
  if (accused.link && accused.members.size() == 2) {
    return "like pairs, and no part at either end explains it";
  }
  return fmt::format("like pairs without it, seen in {} of its {}", accused.slow, accused.seen);
}

model::Finding finding_of(const Blamed& blamed, const model::Cell& cell) {
  const localise::Accused& accused = blamed.worst;
  model::Finding finding;
  finding.id = model::finding_id::kLocalised;
  finding.severity = model::Severity::kWarning;
  finding.subject = subject_of(accused.parts());
  finding.step = cell.step;
  finding.text = fmt::format(
      "{}: {:.2g} % worse than {} ({}){}", names_of(accused.parts()), 100 * accused.deficit,
      seen_text(accused), cell.metric + " " + model::to_text(cell.parameters), others_of(accused));
  if (blamed.results > 1) {
    finding.text += fmt::format("; {} more of its results say so", blamed.results - 1);
  }
  finding.evidence = {{"deficit", accused.deficit},
                      {"error", accused.error},
                      {"p", accused.p},
                      {"links", static_cast<std::int64_t>(accused.seen)},
                      {"links_slow", static_cast<std::int64_t>(accused.slow)},
                      {"links_failed", static_cast<std::int64_t>(blamed.failed)},
                      {"results", static_cast<std::int64_t>(blamed.results)}};
  return finding;
}

}  // namespace

Localised localise_links(const Context& context, const JudgedCells& judged, const CellAt& at) {
  Gathering gathering(context, judged);
  std::vector<Set> sets;
  for (const LikeCells& cells : judged.like_cells()) {
    for (Set& set : gathering.sets_of(cells)) sets.push_back(std::move(set));
  }
  Localised localised;
  if (sets.empty()) return localised;
  const model::JudgePolicy& policy = context.report().suite.policy;
  localise::Rule rule;
  rule.family_alpha = policy.family_alpha / static_cast<double>(sets.size());
  rule.effect = policy.peer_effect;
  std::map<std::string, std::size_t> places;
  std::vector<Blamed> all;
  for (const Set& set : sets) {
    const auto found = localise::accuse(set.network, localise::fit(set.network), rule);
    for (const localise::Accused& accused : found.accused) {
      const auto [place, fresh] = places.try_emplace(names_of(accused.parts()), all.size());
      if (fresh) all.emplace_back();
      Blamed& blamed = all[place->second];
      ++blamed.results;
      if (fresh || accused.deficit > blamed.worst.deficit) {
        blamed.worst = accused;
        blamed.cell = set.cells[accused.links.front()];
      }
      for (const std::uint32_t l : accused.links) {
        const std::size_t cell = set.cells[l];
        if (judged.summary(cell).outcome == model::Outcome::kFail) ++blamed.failed;
        if (accused.link) continue;
        localised.links.emplace(at(cell).step, model::label(judged.subject_of(cell)));
      }
    }
  }
  for (const Blamed& blamed : all) {
    localised.findings.push_back(finding_of(blamed, at(blamed.cell)));
  }
  return localised;
}

}  // namespace rackproof::judge
