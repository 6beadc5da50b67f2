#pragma once

#include <string>
#include <vector>

#include "harness/plan/plan.hpp"

namespace rackproof::plan {

/// What a step is started as on this site, hosts in the order of their ranks. A group has an
/// instance whatever its size, unless it has no member at all.
std::vector<Instance> instances_of(const config::Step& step, const Site& site);

/// Hosts without the device that a step needs one of, as instances about the node itself.
std::vector<Instance> bare_hosts(const Site& site);

/// What a link of an instance can end at: the members of a group, or the devices of a node.
std::vector<End> ends_of(const Instance& instance, const Site& site);

/// The link between two ends.
model::Subject link_between(const End& near, const End& far);

}  // namespace rackproof::plan
