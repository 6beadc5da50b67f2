#include "harness/plan/instances.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace rackproof::plan {
namespace {

using config::Placement;
using config::Step;

const model::NodeInventory* node_of(const std::string& host, const Site& site) {
  const auto found = std::find_if(site.nodes.begin(), site.nodes.end(),
                                  [&](const auto& node) { return node.host == host; });
  return found == site.nodes.end() ? nullptr : &*found;
}

const std::string& host_of(int rank, const Site& site) {
  const auto place =
      std::lower_bound(site.ranks.begin(), site.ranks.end(), rank,
                       [](const RankPlace& known, int wanted) { return known.rank < wanted; });
  return place->host;
}

std::vector<Instance> node_instances(const Site& site) {
  std::vector<Instance> out;
  for (const RankPlace& place : site.ranks) {
    if (place.local_rank != 0) continue;
    Instance instance;
    instance.subject.host = place.host;
    instance.ranks = {place.rank};
    out.push_back(std::move(instance));
  }
  return out;
}

std::vector<Instance> nodes_with_devices(const Site& site) {
  std::vector<Instance> out;
  for (Instance& instance : node_instances(site)) {
    const model::NodeInventory* node = node_of(instance.subject.host, site);
    if (node != nullptr && !node->devices.empty()) out.push_back(std::move(instance));
  }
  return out;
}

std::vector<Instance> device_instances(const Site& site) {
  std::map<std::string, std::vector<int>> ranks_of;
  for (const RankPlace& place : site.ranks) ranks_of[place.host].push_back(place.rank);
  std::vector<Instance> out;
  for (const Instance& host : node_instances(site)) {
    const model::NodeInventory* node = node_of(host.subject.host, site);
    if (node == nullptr) continue;
    const auto& ranks = ranks_of[node->host];
    for (const auto& device : node->devices) {
      Instance instance;
      instance.subject.kind = contract::SubjectKind::kDevice;
      instance.subject.host = node->host;
      instance.subject.device = device.uuid;
      instance.ranks = {ranks[static_cast<std::size_t>(device.index) % ranks.size()]};
      out.push_back(std::move(instance));
    }
  }
  return out;
}

// Every member alone: a rank, or a device with its rank.
std::vector<Instance> single_members(const Step& step, const Site& site) {
  if (wants_devices(step)) return device_instances(site);
  std::vector<Instance> out;
  for (const RankPlace& place : site.ranks) {
    Instance instance;
    instance.subject.host = place.host;
    instance.ranks = {place.rank};
    out.push_back(std::move(instance));
  }
  return out;
}

void join(Instance& group, const Instance& member) {
  group.ranks.push_back(member.ranks.front());
  if (!member.subject.device.empty()) group.devices.push_back(member.subject.device);
  auto& hosts = group.subject.members;
  const auto place = std::lower_bound(hosts.begin(), hosts.end(), member.subject.host);
  if (place == hosts.end() || *place != member.subject.host) {
    hosts.insert(place, member.subject.host);
  }
}

Instance empty_group(const std::string& name) {
  Instance group;
  group.subject.kind = contract::SubjectKind::kGroup;
  group.subject.group = name;
  return group;
}

std::vector<Instance> world(const Step& step, const Site& site) {
  Instance group = empty_group("world");
  for (const Instance& member : single_members(step, site)) join(group, member);
  if (group.ranks.empty()) return {};
  return {group};
}

std::vector<Instance> group_of_each_node(const Step& step, const Site& site) {
  std::map<std::string, Instance> groups;
  for (const Instance& member : single_members(step, site)) {
    const std::string& host = member.subject.host;
    join(groups.try_emplace(host, empty_group("node:" + host)).first->second, member);
  }
  std::vector<Instance> out;
  for (const Instance& host : node_instances(site)) {
    const auto group = groups.find(host.subject.host);
    if (group != groups.end()) out.push_back(std::move(group->second));
  }
  return out;
}

}  // namespace

bool wants_devices(const Step& step) {
  if (step.placement == Placement::kDevice || step.needs_device) return true;
  return config::is_process_group(step) && step.members == config::Members::kDevices;
}

std::vector<Instance> instances_of(const Step& step, const Site& site) {
  switch (step.placement) {
    case Placement::kNode:
      return step.needs_device ? nodes_with_devices(site) : node_instances(site);
    case Placement::kDevice:
      return device_instances(site);
    case Placement::kWorld:
      return world(step, site);
    case Placement::kGroups:
      return group_of_each_node(step, site);
  }
  return {};
}

std::vector<Instance> hosts_without_gpu(const Site& site) {
  std::vector<Instance> out;
  for (Instance& instance : node_instances(site)) {
    const model::NodeInventory* node = node_of(instance.subject.host, site);
    if (node == nullptr || node->devices.empty() || model::gpus_out_of_reach(*node).has_value()) {
      out.push_back(std::move(instance));
    }
  }
  return out;
}

bool is_known_to_have_none(const std::string& host, const Site& site) {
  const model::NodeInventory* node = node_of(host, site);
  return node != nullptr && !node->facts.empty() && node->devices.empty() &&
         !model::gpus_out_of_reach(*node).has_value();
}

std::vector<End> ends_of(const Instance& instance, const Site& site) {
  std::vector<End> ends;
  if (instance.subject.kind == contract::SubjectKind::kGroup) {
    for (std::size_t i = 0; i < instance.ranks.size(); ++i) {
      const int rank = instance.ranks[i];
      ends.push_back({host_of(rank, site), instance.devices.empty() ? fmt::format("rank {}", rank)
                                                                    : instance.devices[i]});
    }
  } else if (const model::NodeInventory* node = node_of(instance.subject.host, site)) {
    for (const auto& device : node->devices) ends.push_back({node->host, device.uuid});
  }
  return ends;
}

model::Subject link_between(const End& near, const End& far) {
  model::Subject link;
  link.kind = contract::SubjectKind::kLink;
  link.host = near.host;
  link.device = near.device;
  link.peer_host = far.host;
  link.peer_device = far.device;
  return link;
}

}  // namespace rackproof::plan
