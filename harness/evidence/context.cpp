#include "harness/evidence/context.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>
#include <utility>

#include "harness/evidence/claims.hpp"
#include "harness/evidence/reasons.hpp"
#include "harness/recognise/match.hpp"
#include "reports/model/fact_name.hpp"
#include "reports/model/finding_id.hpp"

namespace rackproof::evidence {
namespace {

using contract::SubjectKind;
using model::Subject;

bool is_wide(const Subject& subject) {
  return subject.kind == SubjectKind::kLink || subject.kind == SubjectKind::kGroup;
}

bool device_concerns(const Subject& device, const Subject& target) {
  switch (target.kind) {
    case SubjectKind::kDevice:
      return target.host == device.host && target.device == device.device;
    case SubjectKind::kLink:
      return (target.host == device.host && target.device == device.device) ||
             (target.peer_host == device.host && target.peer_device == device.device);
    case SubjectKind::kNode:
    case SubjectKind::kGroup:
      return touches(target, device.host);
  }
  return true;
}

bool same_ends(const Subject& link, const Subject& other) {
  const auto near = std::tie(link.host, link.device);
  const auto far = std::tie(link.peer_host, link.peer_device);
  const auto other_near = std::tie(other.host, other.device);
  const auto other_far = std::tie(other.peer_host, other.peer_device);
  return (near == other_near && far == other_far) || (near == other_far && far == other_near);
}

bool link_concerns(const Subject& link, const Subject& target) {
  switch (target.kind) {
    case SubjectKind::kLink:
      return same_ends(link, target);
    case SubjectKind::kGroup:
      return touches(target, link.host) && touches(target, link.peer_host);
    case SubjectKind::kNode:
    case SubjectKind::kDevice:
      return false;
  }
  return true;
}

bool group_concerns(const Subject& group, const Subject& target) {
  // By name and size: comparing the members of a thousand cells and ten thousand ranks costs
  // minutes. A group that went on without a host is another one.
  if (target.kind == SubjectKind::kGroup) {
    return target.group == group.group && target.members.size() == group.members.size();
  }
  const std::vector<std::string_view> hosts = hosts_of(target);
  return std::all_of(hosts.begin(), hosts.end(),
                     [&](std::string_view host) { return touches(group, host); });
}

bool concerns(const Subject& tried, const Subject& target) {
  switch (tried.kind) {
    case SubjectKind::kNode:
      return touches(target, tried.host);
    case SubjectKind::kDevice:
      return device_concerns(tried, target);
    case SubjectKind::kLink:
      return link_concerns(tried, target);
    case SubjectKind::kGroup:
      return group_concerns(tried, target);
  }
  return true;
}

template <class Map, class Key>
typename Map::mapped_type found_or_null(const Map& map, const Key& key) {
  const auto found = map.find(key);
  return found == map.end() ? nullptr : found->second;
}

}  // namespace

bool touches(const Subject& subject, std::string_view host) {
  switch (subject.kind) {
    case SubjectKind::kNode:
    case SubjectKind::kDevice:
      return subject.host == host;
    case SubjectKind::kLink:
      return subject.host == host || subject.peer_host == host;
    case SubjectKind::kGroup:
      return std::find(subject.members.begin(), subject.members.end(), host) !=
             subject.members.end();
  }
  return false;
}

std::vector<std::string_view> hosts_of(const Subject& subject) {
  std::vector<std::string_view> hosts;
  switch (subject.kind) {
    case SubjectKind::kNode:
    case SubjectKind::kDevice:
      hosts = {subject.host};
      break;
    case SubjectKind::kLink:
      hosts = {subject.host, subject.peer_host};
      break;
    case SubjectKind::kGroup:
      hosts.assign(subject.members.begin(), subject.members.end());
      break;
  }
  std::sort(hosts.begin(), hosts.end());
  hosts.erase(std::unique(hosts.begin(), hosts.end()), hosts.end());
  return hosts;
}

std::size_t host_count(const Subject& subject) {
  switch (subject.kind) {
    case SubjectKind::kNode:
    case SubjectKind::kDevice:
      return 1;
    case SubjectKind::kLink:
      return subject.host == subject.peer_host ? 1 : 2;
    case SubjectKind::kGroup:
      return hosts_of(subject).size();
  }
  return 1;
}

namespace {

bool has_gpu(const model::NodeInventory* node, const std::string& uuid) {
  return node != nullptr && std::any_of(node->devices.begin(), node->devices.end(),
                                        [&](const auto& gpu) { return gpu.uuid == uuid; });
}

// A GPU that failed says something of what ran on it, memory and processors of what ran on no GPU.
bool harms(const model::Event& event, const model::Attempt& attempt,
           const model::NodeInventory* node) {
  if (event.severity < model::Severity::kError) return false;
  if (has_gpu(node, event.device)) return true;
  return (event.kind == "edac" || event.kind == "mce") && model::device_of(attempt).empty();
}

}  // namespace

Context::Context(const model::Report& report) : report_(report), claims_(claims_of(report)) {
  for (std::size_t i = 0; i < report.attempts.size(); ++i) {
    const model::Attempt& attempt = report.attempts[i];
    const auto [place, fresh] = by_nonce_.try_emplace(attempt.nonce, &attempt);
    if (!fresh) place->second = nullptr;
    if (attempt.narrows) continue;  // of a part that nobody asked for
    if (is_wide(attempt.subject)) {
      wide_by_step_[attempt.step].push_back(i);
    } else {
      by_step_and_host_[{attempt.step, attempt.subject.host}].push_back(i);
    }
  }
  for (const model::StepInfo& step : report.steps) steps_.try_emplace(step.id, &step);
  for (const model::Finding& finding : report.findings) {
    if (finding.id == model::finding_id::kHostSetAside)
      set_aside_.try_emplace(finding.subject, &finding);
    if (finding.id != model::finding_id::kGroupFailed) continue;
    const auto round = finding.evidence.find("number");
    const auto member = finding.evidence.find("member");
    if (round == finding.evidence.end() || member == finding.evidence.end()) continue;
    const auto* number = std::get_if<std::int64_t>(&round->second);
    const auto* first = std::get_if<std::int64_t>(&member->second);
    if (number == nullptr || first == nullptr) continue;
    // After a resume the later telling counts.
    first_to_fail_[{finding.step, finding.subject, *number}] = static_cast<int>(*first);
  }
  for (const model::MetricBound& bound : report.bounds) bounds_[bound.metric].push_back(&bound);
  ByText<const model::PlatformTable*> tables;
  for (const model::PlatformTable& table : report.platforms) tables.try_emplace(table.id, &table);
  for (const auto& [host, id] : report.platform_of_host) {
    table_of_host_.try_emplace(host, found_or_null(tables, id));
  }
  for (const model::RankInfo& rank : report.ranks) {
    if (rank.state != model::RankState::kLost && rank.state != model::RankState::kNeverArrived) {
      continue;
    }
    missing_ranks_.try_emplace(rank.host, &rank);
  }
  for (const model::NodeInventory& node : report.nodes) {
    if (!nodes_.try_emplace(node.host, &node).second) continue;
    for (const model::DeviceFacts& device : node.devices) {
      const auto name = device.facts.find(model::fact_name::kGpuName);
      if (name == device.facts.end() || !name->second.value) continue;
      device_names_.try_emplace({node.host, device.uuid}, model::to_text(*name->second.value));
    }
  }
  for (const model::Event& event : report.events) {
    for (const std::string& nonce : event.attempts) {
      const model::Attempt* const tried = attempt(nonce);
      if (tried != nullptr && harms(event, *tried, node(event.host))) {
        faults_.try_emplace(tried->nonce, &event);
      }
    }
  }
}

std::vector<const model::Attempt*> Context::attempts_of(const model::Cell& cell) const {
  std::vector<std::size_t> candidates;
  const auto add = [&candidates](const auto& map, const auto& key) {
    const auto found = map.find(key);
    if (found == map.end()) return;
    candidates.insert(candidates.end(), found->second.begin(), found->second.end());
  };
  // What concerns a subject is at one of its hosts, or is a link or a group itself.
  for (const std::string_view host : hosts_of(cell.subject)) {
    add(by_step_and_host_, Pair{cell.step, host});
  }
  add(wide_by_step_, std::string_view(cell.step));
  std::sort(candidates.begin(), candidates.end());
  std::vector<const model::Attempt*> result;
  for (const std::size_t i : candidates) {
    const model::Attempt& attempt = report_.attempts[i];
    if (concerns(attempt.subject, cell.subject)) result.push_back(&attempt);
  }
  return result;
}

const model::Attempt* Context::attempt(const std::string& nonce) const {
  return found_or_null(by_nonce_, nonce);
}

const std::vector<const model::MetricBound*>& Context::bounds_of(const std::string& metric) const {
  static const std::vector<const model::MetricBound*> kNone;
  const auto found = bounds_.find(metric);
  return found == bounds_.end() ? kNone : found->second;
}

const model::Event* Context::fault_in(const model::Attempt& attempt) const {
  return faults_.empty() ? nullptr : found_or_null(faults_, attempt.nonce);
}

const model::StepInfo* Context::step(const std::string& id) const {
  return found_or_null(steps_, id);
}

const model::NodeInventory* Context::node(std::string_view host) const {
  return found_or_null(nodes_, host);
}

const model::RankInfo* Context::missing_rank(const Subject& subject) const {
  const model::RankInfo* first = nullptr;
  for (const std::string_view host : hosts_of(subject)) {
    const model::RankInfo* here = found_or_null(missing_ranks_, host);
    // Ranks lie in one vector: their addresses are their order.
    if (here != nullptr && (first == nullptr || here < first)) first = here;
  }
  return first;
}

const model::Finding* Context::set_aside(const Subject& subject) const {
  if (set_aside_.empty()) return nullptr;
  for (const std::string_view host : hosts_of(subject)) {
    if (const model::Finding* here = found_or_null(set_aside_, host)) return here;
  }
  return nullptr;
}

std::string_view Context::device_name(std::string_view host, std::string_view uuid) const {
  const auto found = device_names_.find(Pair{host, uuid});
  return found == device_names_.end() ? std::string_view() : found->second;
}

std::optional<int> Context::first_to_fail(const model::Attempt& attempt) const {
  const auto found =
      first_to_fail_.find({attempt.step, model::label(attempt.subject), attempt.number});
  return found == first_to_fail_.end() ? std::nullopt : std::optional(found->second);
}

Platform Context::platform_of(const Subject& subject) const {
  Platform result;
  for (const std::string_view host : hosts_of(subject)) {
    const model::PlatformTable* table = found_or_null(table_of_host_, host);
    if (table == nullptr) {
      return {nullptr, reason_id::kNoPlatform,
              fmt::format("no platform table is chosen for host {}", host)};
    }
    if (result.table != nullptr && result.table != table) {
      return {nullptr, reason_id::kMixedPlatforms,
              fmt::format("its hosts have mixed platforms: {} and {} ({})", result.table->id,
                          table->id, host)};
    }
    result.table = table;
  }
  if (result.table == nullptr) {
    return {nullptr, reason_id::kNoPlatform, "its subject names no host"};
  }
  return result;
}

const std::optional<contract::Scalar>* Context::device_fact(const Subject& subject,
                                                            const std::string& name) const {
  const model::NodeInventory* node = found_or_null(nodes_, subject.host);
  if (node == nullptr) return nullptr;
  for (const model::DeviceFacts& device : node->devices) {
    const auto found = device.facts.find(name);
    if (device.uuid == subject.device && found != device.facts.end()) return &found->second.value;
  }
  return nullptr;
}

std::string Context::device_text(const Subject& subject, const std::string& name) const {
  const std::optional<contract::Scalar>* fact = device_fact(subject, name);
  return fact != nullptr && *fact ? model::to_text(**fact) : "";
}

std::optional<double> Context::fact_of_host(const Subject& subject, std::string_view host,
                                            const std::string& name) const {
  if (subject.kind == SubjectKind::kDevice) {
    const std::optional<contract::Scalar>* fact = device_fact(subject, name);
    return fact != nullptr && *fact ? recognise::number(**fact) : std::nullopt;
  }
  const model::NodeInventory* node = found_or_null(nodes_, host);
  if (node == nullptr) return std::nullopt;
  const std::optional<contract::Scalar> value = model::value_of(*node, name);
  return value ? recognise::number(*value) : std::nullopt;
}

std::optional<double> Context::fact_of_devices(const Subject& subject,
                                               const std::string& name) const {
  std::optional<double> least;
  for (const std::string_view host : hosts_of(subject)) {
    const model::NodeInventory* node = found_or_null(nodes_, host);
    if (node == nullptr || node->devices.empty()) return std::nullopt;
    for (const model::DeviceFacts& device : node->devices) {
      const auto fact = device.facts.find(name);
      const bool known = fact != device.facts.end() && fact->second.value;
      const auto here = known ? recognise::number(*fact->second.value) : std::nullopt;
      if (!here || !std::isfinite(*here) || !(*here > 0)) return std::nullopt;
      least = least ? std::min(*least, *here) : *here;
    }
  }
  return least;
}

std::optional<double> Context::fact(const model::PlatformTable& table, const Subject& subject,
                                    const std::string& name) const {
  const auto usable = [](std::optional<double> value) {
    return value && std::isfinite(*value) && *value > 0 ? value : std::nullopt;
  };
  const auto stated = table.facts.find(name);
  if (stated != table.facts.end()) return usable(recognise::number(stated->second));
  std::optional<double> least;
  for (const std::string_view host : hosts_of(subject)) {
    const std::optional<double> here = usable(fact_of_host(subject, host, name));
    if (!here) return std::nullopt;
    least = least ? std::min(*least, *here) : *here;
  }
  return least;
}

}  // namespace rackproof::evidence
