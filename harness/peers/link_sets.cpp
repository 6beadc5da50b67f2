#include "harness/peers/link_sets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "reports/model/fact_name.hpp"

namespace rackproof::peers {
namespace {

const model::DeviceFacts* gpu_of(const evidence::Context& context, const std::string& host,
                                 const std::string& device) {
  const model::NodeInventory* node = context.node(host);
  if (node == nullptr) return nullptr;
  const auto known = std::find_if(node->devices.begin(), node->devices.end(),
                                  [&](const auto& one) { return one.uuid == device; });
  return known == node->devices.end() ? nullptr : &*known;
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
localise::Member member_of(const evidence::Context& context, const LinkEnd& end) {
  localise::Member member;
  member[localise::Factor::kHost] = end.first;
  if (const model::DeviceFacts* gpu = gpu_of(context, end.first, end.second)) {
    member[localise::Factor::kGpu] = fmt::format("{} GPU {}", end.first, gpu->index);
    const auto domain = gpu->facts.find(model::fact_name::kNvlinkDomain);
    if (domain != gpu->facts.end() && domain->second.value) {
      member.domain = model::to_text(*domain->second.value);
    }
  }
  const std::vector<FabricPort> ports = ports_of_end(context, end);
  if (ports.size() == 1) {
    member[localise::Factor::kNic] = fmt::format("{} NIC {}", end.first, ports.front().nic);
  }
  member[localise::Factor::kLeaf] = common(ports, &FabricPort::leaf);
  member[localise::Factor::kRail] = common(ports, &FabricPort::rail);
  return member;
}

/// A pair that was measured each way apart counts as its worse way does. A part may be slow one way
/// alone, and which way of a pair comes first is an accident of names: in a set for either way each
/// would hold a share of its links.
class Gathering {
 public:
  Gathering(const evidence::Context& context, const cells::JudgedCells& judged)
      : context_(context), judged_(judged) {}

  /// Nothing of cells that are no links, or of too few.
  std::optional<LinkSet> set_of(const cells::LikeCells& cells) {
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
      const cells::CellSummary& summary = judged_.summary(cell);
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
    return LinkSet{localise::Network(members_, measured, more_is_better), std::move(kept),
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

  const localise::Member& known(const LinkEnd& end) {
    const auto [member, fresh] = known_.try_emplace(end);
    if (fresh) member->second = member_of(context_, end);
    return member->second;
  }

  const evidence::Context& context_;
  const cells::JudgedCells& judged_;
  std::map<LinkEnd, localise::Member> known_;  ///< of all sets
  std::map<LinkEnd, std::size_t> places_;
  std::vector<localise::Member> members_;
  std::vector<LinkEnd> ends_;
};

/// Like links within hosts and between them, which are of unlike speed, together: over an adapter
/// go only those that leave the host.
std::vector<cells::LikeCells> links_by_quantity(const evidence::Context& context,
                                                const cells::JudgedCells& judged,
                                                const cells::CellAt& at) {
  std::map<std::tuple<std::string, std::string, contract::Parameters, std::string, std::string>,
           cells::LikeCells>
      joined;
  for (const cells::LikeCells& cells : judged.like_cells()) {
    if (cells.empty()) continue;
    const model::Subject& subject = judged.subject_of(cells.front());
    if (subject.kind != contract::SubjectKind::kLink) continue;
    const model::Cell& cell = at(cells.front());
    const model::PlatformTable* table = context.platform_of(subject).table;
    cells::LikeCells& all = joined[{cell.step, cell.metric, cell.parameters,
                                    std::string(context.device_name(subject.host, subject.device)),
                                    table == nullptr ? "" : table->id}];
    all.insert(all.end(), cells.begin(), cells.end());
  }
  std::vector<cells::LikeCells> sets;
  for (auto& [quantity, cells] : joined) sets.push_back(std::move(cells));
  return sets;
}

}  // namespace

std::vector<FabricPort> ports_of_end(const evidence::Context& context, const LinkEnd& end) {
  const model::NodeInventory* node = context.node(end.first);
  if (node == nullptr) return {};
  return ports_used(*node, gpu_of(context, end.first, end.second));
}

std::vector<LinkSet> link_sets(const evidence::Context& context, const cells::JudgedCells& judged,
                               const cells::CellAt& at) {
  Gathering gathering(context, judged);
  std::vector<LinkSet> sets;
  for (const cells::LikeCells& cells : links_by_quantity(context, judged, at)) {
    if (std::optional<LinkSet> set = gathering.set_of(cells)) sets.push_back(std::move(*set));
  }
  return sets;
}

}  // namespace rackproof::peers
