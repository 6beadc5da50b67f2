#include "harness/plan/where.hpp"

#include <catch2/catch.hpp>

using namespace rackproof;

namespace {

/// A step with so many instances, each of so many members.
plan::PlacedStep placed_step(config::Placement placement, std::size_t instances,
                             std::size_t members, bool of_devices) {
  plan::PlacedStep placed;
  placed.step.placement = placement;
  placed.instances.resize(instances);
  for (plan::Instance& instance : placed.instances) {
    instance.ranks.resize(members);
    if (of_devices) instance.devices.resize(members);
  }
  return placed;
}

}  // namespace

TEST_CASE("where a step runs is told by its kind of parts") {
  using config::Placement;
  CHECK(plan::where_text(placed_step(Placement::kNode, 2, 1, false)) == "on 2 nodes");
  CHECK(plan::where_text(placed_step(Placement::kDevice, 8, 1, false)) == "on 8 devices");
  CHECK(plan::where_text(placed_step(Placement::kWorld, 1, 4, false)) == "over 4 ranks");
  CHECK(plan::where_text(placed_step(Placement::kWorld, 1, 72, true)) == "over 72 devices");
  CHECK(plan::where_text(placed_step(Placement::kGroups, 2, 4, true)) ==
        "over 8 devices in 2 groups");
  CHECK(plan::where_text({}).empty());
}
