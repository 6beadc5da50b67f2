#pragma once

#include <string>
#include <vector>

#include "harness/plan/plan.hpp"

namespace rackproof::plan {

/// What a step is started as on this site, hosts in the order of their ranks. A group has an
/// instance whatever its size, unless it has no member at all.
std::vector<Instance> instances_of(const config::Step& step, const Site& site);

/// Hosts that owe a step over devices something which none of their devices can give, as instances
/// about the node itself: hosts without a device, and hosts with GPUs that cannot be measured.
std::vector<Instance> hosts_without_gpu(const Site& site);

/// True when the inventory of the host shows that there is no GPU in it: only then may its part of
/// a step be waived. An inventory that could not be taken shows nothing.
bool is_known_to_have_none(const std::string& host, const Site& site);

/// What a link of an instance can end at: the members of a group, or the devices of a node.
std::vector<End> ends_of(const Instance& instance, const Site& site);

/// The link between two ends.
model::Subject link_between(const End& near, const End& far);

}  // namespace rackproof::plan
