#include "harness/judge/localised.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "harness/judge/fabric_ports.hpp"
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

/// Host and device of a member.
using End = std::pair<std::string, std::string>;

std::vector<FabricPort> ports_of(const Context& context, const End& end) {
  const model::NodeInventory* node = context.node(end.first);
  if (node == nullptr) return {};
  return ports_used(*node, gpu_of(context, end.first, end.second));
}

/// What all of them have in common; empty where they differ, or one of them says nothing.
std::string common(const std::vector<FabricPort>& ports, std::string FabricPort::*field) {
  std::string name = ports.empty() ? "" : ports.front().*field;
  for (const FabricPort& port : ports) {
    if (port.*field != name) name.clear();
  }
  return name;
}

/// What an end of a link is a part of. "rank 3" is no GPU, and of nothing but its host and the only
/// adapter of that.
localise::Member member_of(const Context& context, const End& end) {
  localise::Member member;
  member[localise::Factor::kHost] = end.first;
  if (const model::DeviceFacts* gpu = gpu_of(context, end.first, end.second)) {
    member[localise::Factor::kGpu] = fmt::format("{} GPU {}", end.first, gpu->index);
    const auto domain = gpu->facts.find("nvlink.domain");
    if (domain != gpu->facts.end() && domain->second.value) {
      member.domain = model::to_text(*domain->second.value);
    }
  }
  const std::vector<FabricPort> ports = ports_of(context, end);
  if (ports.size() == 1) {
    member[localise::Factor::kNic] = fmt::format("{} NIC {}", end.first, ports.front().nic);
  }
  member[localise::Factor::kLeaf] = common(ports, &FabricPort::leaf);
  member[localise::Factor::kRail] = common(ports, &FabricPort::rail);
  return member;
}

/// Like links, and the cell that each of them is.
struct Set {
  localise::Network network;
  std::vector<std::size_t> cells;  ///< by the place of the link
  std::vector<std::optional<std::size_t>>
      back;               ///< the other way of the same, where it was measured
  std::vector<End> ends;  ///< by the place of the member
};

/// A pair that was measured each way apart counts as its worse way does. A part may be slow one way
/// alone, and which way of a pair comes first is an accident of names: in a set for either way each
/// would hold a share of its links.
class Gathering {
 public:
  Gathering(const Context& context, const JudgedCells& judged)
      : context_(context), judged_(judged) {}

  /// Nothing of cells that are no links, or of too few.
  std::optional<Set> set_of(const LikeCells& cells) {
    members_.clear();
    ends_.clear();
    places_.clear();
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> link_of;
    std::vector<localise::Measured> measured;
    std::vector<std::size_t> kept;
    std::vector<std::optional<std::size_t>> back;
    bool more_is_better = true;
    for (const std::size_t cell : cells) {
      const model::Subject& subject = judged_.subject_of(cell);
      if (subject.kind != contract::SubjectKind::kLink) return std::nullopt;
      const CellSummary& summary = judged_.summary(cell);
      if (!counts(subject) || summary.observed <= 0) continue;
      const std::size_t one = place_of(subject.host, subject.device);
      const std::size_t other = place_of(subject.peer_host, subject.peer_device);
      if (one == other) continue;
      more_is_better = summary.more_is_better;
      const auto [known, fresh] = link_of.try_emplace(std::minmax(one, other), measured.size());
      if (fresh) {
        measured.push_back({one, other, summary.observed});
        kept.push_back(cell);
        back.emplace_back();
        continue;
      }
      const std::size_t link = known->second;
      back[link] = cell;
      double& value = measured[link].value;
      if (more_is_better ? summary.observed >= value : summary.observed <= value) continue;
      value = summary.observed;
      std::swap(kept[link], *back[link]);
    }
    if (measured.size() < localise::Network::kLeastAlike) return std::nullopt;
    return Set{localise::Network(members_, measured, more_is_better), std::move(kept),
               std::move(back), ends_};
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
    if (fresh) {
      ends_.emplace_back(host, device);
      members_.push_back(known(ends_.back()));
    }
    return place->second;
  }

  const localise::Member& known(const End& end) {
    const auto [member, fresh] = known_.try_emplace(end);
    if (fresh) member->second = member_of(context_, end);
    return member->second;
  }

  const Context& context_;
  const JudgedCells& judged_;
  std::map<End, localise::Member> known_;  ///< of all sets
  std::map<End, std::size_t> places_;
  std::vector<localise::Member> members_;
  std::vector<End> ends_;
};

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
};

/// Where the accused is connected, if that is one place or, of a link, one for each end.
std::vector<FabricPort> ports_of(const Context& context, const Set& set,
                                 const localise::Accused& accused) {
  std::vector<FabricPort> all;
  const localise::Factor factor = accused.parts().front().factor;
  if (accused.link && accused.members.size() == 2) {
    for (const std::uint32_t m : accused.members) {
      const std::vector<FabricPort> ports = ports_of(context, set.ends[m]);
      if (ports.size() != 1) return {};
      all.push_back(ports.front());
    }
    return all;
  }
  if (accused.members.empty()) return all;
  const End& end = set.ends[accused.members.front()];
  if (factor == localise::Factor::kGpu || factor == localise::Factor::kNic) {
    all = ports_of(context, end);
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

model::Finding finding_of(const Blamed& blamed, const model::Cell& cell) {
  const localise::Accused& accused = blamed.worst;
  model::Finding finding;
  finding.id = model::finding_id::kLocalised;
  finding.severity = model::Severity::kWarning;
  finding.subject = subject_of(accused.parts());
  finding.step = cell.step;
  finding.text =
      fmt::format("{}{}: {:.2g} % worse than {} ({}){}", names_of(accused.parts()),
                  places_text(blamed.ports), 100 * accused.deficit, seen_text(accused),
                  cell.metric + " " + model::to_text(cell.parameters), others_of(accused));
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
  add_places(blamed.ports, finding);
  return finding;
}

/// Like links within hosts and between them, which are of unlike speed, together: over an adapter
/// go only those that leave the host.
std::vector<LikeCells> links_by_quantity(const Context& context, const JudgedCells& judged,
                                         const CellAt& at) {
  std::map<std::tuple<std::string, std::string, contract::Parameters, std::string, std::string>,
           LikeCells>
      joined;
  for (const LikeCells& cells : judged.like_cells()) {
    if (cells.empty()) continue;
    const model::Subject& subject = judged.subject_of(cells.front());
    if (subject.kind != contract::SubjectKind::kLink) continue;
    const model::Cell& cell = at(cells.front());
    const model::PlatformTable* table = context.platform_of(subject).table;
    LikeCells& all = joined[{cell.step, cell.metric, cell.parameters,
                             std::string(context.device_name(subject.host, subject.device)),
                             table == nullptr ? "" : table->id}];
    all.insert(all.end(), cells.begin(), cells.end());
  }
  std::vector<LikeCells> sets;
  for (auto& [quantity, cells] : joined) sets.push_back(std::move(cells));
  return sets;
}

}  // namespace

Localised localise_links(const Context& context, const JudgedCells& judged, const CellAt& at) {
  Gathering gathering(context, judged);
  std::vector<Set> sets;
  for (const LikeCells& cells : links_by_quantity(context, judged, at)) {
    if (std::optional<Set> set = gathering.set_of(cells)) sets.push_back(std::move(*set));
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
        blamed.ports = ports_of(context, set, accused);
        blamed.cell = set.cells[accused.links.front()];
      }
      for (const std::uint32_t l : accused.links) {
        for (const std::optional<std::size_t>& cell : {std::optional(set.cells[l]), set.back[l]}) {
          if (!cell) continue;
          if (judged.summary(*cell).outcome == model::Outcome::kFail) ++blamed.failed;
          if (accused.link) continue;
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

}  // namespace rackproof::judge
