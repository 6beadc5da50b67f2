#include "harness/peers/localised.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "harness/evidence/reasons.hpp"
#include "harness/localise/accuse.hpp"
#include "harness/peers/fabric_ports.hpp"
#include "harness/peers/link_sets.hpp"
#include "harness/peers/localised_again.hpp"
#include "reports/model/finding_id.hpp"

namespace rackproof::peers {
namespace {

/// "host gb-07 or gb-07 GPU 3"
std::string names_of(const std::vector<localise::Part>& parts) {
  std::string text;
  for (const localise::Part& part : parts) {
    if (!text.empty()) text += " or ";
    if (part.factor != localise::Factor::kGpu && part.factor != localise::Factor::kNic) {
      text += std::string(contract::word(part.factor)) + " ";
    }
    text += part.name;
  }
  return text;
}

std::string subject_of(const std::vector<localise::Part>& parts) {
  // As every other finding about it; its only adapter is one with it.
  const bool host = parts.front().factor == localise::Factor::kHost;
  const bool only = std::all_of(parts.begin() + 1, parts.end(), [](const localise::Part& part) {
    return part.factor == localise::Factor::kNic;
  });
  return host && only ? parts.front().name : names_of(parts);
}

/// One part or link, by all sets that blame it.
struct Blamed {
  localise::Accused worst;
  std::vector<FabricPort> ports;  ///< where it is connected; of a link that of each end
  std::size_t cell = 0;           ///< an example of the set in which it is worst
  std::size_t failed = 0;
  std::size_t results = 0;
  /// The gravest of what its results say that were measured again.
  std::optional<SaidAgain> again;
  /// One of its results is far behind, and was not measured again though that was due.
  bool unconfirmed = false;
};

/// The gravest of what later values say.
void keep_graver(std::optional<SaidAgain>& known, const std::optional<SaidAgain>& one) {
  const auto lightness = [](const SaidAgain& said) {
    return std::pair(said.later.fate, -said.later.deficit);
  };
  if (one && (!known || lightness(*one) < lightness(*known))) known = one;
}

std::string again_text(const SaidAgain& said) {
  const std::string text = fmt::format("; measured again {} times: ", said.times);
  if (said.later.fate == localise::Fate::kCleared) return text + "not seen any more";
  const bool within = said.later.fate == localise::Fate::kInMargin;
  return text + fmt::format("{:.2g} % worse{}", 100 * said.later.deficit,
                            within ? ", which the suite's margin allows" : "");
}

/// Where the accused is connected, if that is one place or, of a link, one for each end.
std::vector<FabricPort> ports_of(const evidence::Context& context, const LinkSet& set,
                                 const localise::Accused& accused) {
  std::vector<FabricPort> all;
  const localise::Factor factor = accused.parts().front().factor;
  if (accused.link && accused.members.size() == 2) {
    for (const std::uint32_t m : accused.members) {
      const std::vector<FabricPort> ports = ports_of_end(context, set.ends[m]);
      if (ports.size() != 1) return {};
      all.push_back(ports.front());
    }
    return all;
  }
  if (accused.members.empty()) return all;
  const LinkEnd& end = set.ends[accused.members.front()];
  if (factor == localise::Factor::kGpu || factor == localise::Factor::kNic) {
    all = ports_of_end(context, end);
  } else if (factor == localise::Factor::kHost) {
    const model::NodeInventory* node = context.node(end.first);
    if (node != nullptr) all = ports_used(*node, nullptr);
  }
  return all.size() == 1 ? all : std::vector<FabricPort>{};
}

/// " (NIC mlx5_0, rail 3, leaf2 port 31, cable MT2325VS01234)"
std::string places_text(const std::vector<FabricPort>& ports) {
  std::string text;
  for (const FabricPort& port : ports) text += (text.empty() ? " (" : "; ") + text_of(port);
  return text.empty() ? "" : text + ")";
}

void add_places(const std::vector<FabricPort>& ports, model::Finding& finding) {
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const std::string end = i == 0 ? "" : "peer_";
    const std::pair<const char*, const std::string*> known[] = {
        {"nic", &ports[i].nic},
        {"rail", &ports[i].rail},
        {"leaf", &ports[i].leaf},
        {"leaf_port", &ports[i].leaf_port},
        {"cable_serial", &ports[i].cable_serial}};
    for (const auto& [name, text] : known) {
      if (!text->empty()) finding.evidence[end + name] = *text;
    }
  }
}

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

/// A part of which later values were to say more: a link is a suspect by itself.
bool is_unconfirmed(const localise::Accused& accused, const std::optional<SaidAgain>& said,
                    const model::JudgePolicy& policy) {
  return !said && !accused.link && policy.peer_outlier_fails && policy.peer_confirmations > 0 &&
         accused.deficit - localise::kWithin * accused.error > policy.peer_margin;
}

model::Severity severity_of(const Blamed& blamed) {
  if (blamed.unconfirmed) return model::Severity::kError;
  if (!blamed.again) return model::Severity::kWarning;
  switch (blamed.again->later.fate) {
    case localise::Fate::kConfirmed:
      return model::Severity::kError;
    case localise::Fate::kInMargin:
      return model::Severity::kWarning;
    case localise::Fate::kCleared:
      return model::Severity::kInfo;
  }
  return model::Severity::kWarning;
}

model::Finding finding_of(const Blamed& blamed, const model::Cell& cell) {
  const localise::Accused& accused = blamed.worst;
  model::Finding finding;
  finding.id = model::finding_id::kLocalised;
  finding.severity = severity_of(blamed);
  finding.subject = subject_of(accused.parts());
  finding.step = cell.step;
  finding.text =
      fmt::format("{}{}: {:.2g} % worse than {} ({}){}", names_of(accused.parts()),
                  places_text(blamed.ports), 100 * accused.deficit, seen_text(accused),
                  cell.metric + " " + model::to_text(cell.parameters), others_of(accused));
  if (blamed.results > 1) {
    finding.text += fmt::format("; {} more of its results say so", blamed.results - 1);
  }
  if (blamed.again) finding.text += again_text(*blamed.again);
  if (blamed.unconfirmed) finding.text += "; not all of that was measured again to confirm it";
  finding.evidence = {{"deficit", accused.deficit},
                      {"error", accused.error},
                      {"p", accused.p},
                      {"links", static_cast<std::int64_t>(accused.seen)},
                      {"links_slow", static_cast<std::int64_t>(accused.slow)},
                      {"links_failed", static_cast<std::int64_t>(blamed.failed)},
                      {"results", static_cast<std::int64_t>(blamed.results)}};
  if (const auto& again = blamed.again) {
    const localise::Fate fate = again->later.fate;
    finding.evidence["times_again"] = static_cast<std::int64_t>(again->times);
    finding.evidence["confirmed"] = fate == localise::Fate::kConfirmed;
    if (fate != localise::Fate::kCleared) finding.evidence["deficit_again"] = again->later.deficit;
  }
  add_places(blamed.ports, finding);
  return finding;
}

localise::Rule rule_of(const model::JudgePolicy& policy, const std::vector<LinkSet>& sets) {
  localise::Rule rule;
  rule.family_alpha =
      policy.family_alpha / static_cast<double>(std::max<std::size_t>(1, sets.size()));
  rule.effect = policy.peer_effect;
  return rule;
}

/// Of a set, those like the accused that go over none of them, in the better half, the nearest to
/// the median first.
std::vector<std::size_t> controls_of(const LinkSet& set, const std::set<std::uint32_t>& accused) {
  const std::vector<localise::Link>& links = set.network.links();
  std::set<std::uint32_t> kinds;
  for (const std::uint32_t l : accused) kinds.insert(links[l].kind);
  std::vector<std::pair<double, std::size_t>> others;
  for (std::uint32_t l = 0; l < set.cells.size(); ++l) {
    if (accused.contains(l) || !kinds.contains(links[l].kind)) continue;
    others.emplace_back(links[l].log, set.cells[l]);
  }
  // Lower is worse, whatever the unit.
  std::sort(others.begin(), others.end());
  std::vector<std::size_t> controls;
  for (std::size_t i = others.size() / 2; i < others.size(); ++i) {
    controls.push_back(others[i].second);
  }
  return controls;
}

}  // namespace

std::vector<AccusedLinks> accused_links(const evidence::Context& context,
                                        const cells::JudgedCells& judged, const cells::CellAt& at) {
  const std::vector<LinkSet> sets = link_sets(context, judged, at);
  const localise::Rule rule = rule_of(context.report().suite.policy, sets);
  std::vector<AccusedLinks> found;
  for (const LinkSet& set : sets) {
    std::set<std::uint32_t> links;
    for (const auto& one :
         localise::accuse(set.network, localise::fit(set.network), rule).accused) {
      links.insert(one.links.begin(), one.links.end());
    }
    if (links.empty()) continue;
    AccusedLinks accused;
    for (const std::uint32_t l : links) {
      accused.cells.push_back(set.cells[l]);
      if (set.back[l]) accused.cells.push_back(*set.back[l]);
    }
    accused.controls = controls_of(set, links);
    // Alone they are too few to be like each other.
    const auto beside = std::min(accused.controls.size(), localise::Network::kLeastAlike);
    accused.cells.insert(accused.cells.end(), accused.controls.begin(),
                         accused.controls.begin() + static_cast<std::ptrdiff_t>(beside));
    found.push_back(std::move(accused));
  }
  return found;
}

Localised localise_links(const evidence::Context& context, const cells::JudgedCells& judged,
                         const cells::CellAt& at) {
  const std::vector<LinkSet> sets = link_sets(context, judged, at);
  Localised localised;
  const model::JudgePolicy& policy = context.report().suite.policy;
  const localise::Rule rule = rule_of(policy, sets);
  std::map<std::string, std::size_t> places;
  std::vector<Blamed> all;
  for (const LinkSet& set : sets) {
    const auto found = localise::accuse(set.network, localise::fit(set.network), rule);
    if (found.accused.empty()) continue;
    const LinksAgain again(set, judged, policy);
    for (const localise::Accused& accused : found.accused) {
      const auto [place, fresh] = places.try_emplace(names_of(accused.parts()), all.size());
      if (fresh) all.emplace_back();
      Blamed& blamed = all[place->second];
      ++blamed.results;
      if (fresh || accused.deficit > blamed.worst.deficit) {
        blamed.worst = accused;
        blamed.ports = ports_of(context, set, accused);
        blamed.cell = set.cells[accused.links.front()];
      }
      const std::optional<SaidAgain> said = again.of(accused);
      keep_graver(blamed.again, said);
      blamed.unconfirmed = blamed.unconfirmed || is_unconfirmed(accused, said, policy);
      const bool cleared = said && said->later.fate == localise::Fate::kCleared;
      for (const std::uint32_t l : accused.links) {
        for (const std::optional<std::size_t>& cell : {std::optional(set.cells[l]), set.back[l]}) {
          if (!cell) continue;
          if (judged.summary(*cell).outcome == model::Outcome::kFail) ++blamed.failed;
          if (accused.link || cleared) continue;
          localised.links.emplace(at(*cell).step, model::label(judged.subject_of(*cell)));
        }
      }
    }
  }
  for (const Blamed& blamed : all) {
    localised.findings.push_back(finding_of(blamed, at(blamed.cell)));
  }
  return localised;
}

}  // namespace rackproof::peers
