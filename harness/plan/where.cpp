#include "harness/plan/where.hpp"

#include <fmt/format.h>

#include "reports/model/cell_text.hpp"

namespace rackproof::plan {

std::string where_text(const PlacedStep& step) {
  if (step.instances.empty()) return "";
  std::size_t members = 0;
  for (const Instance& instance : step.instances) members += instance.ranks.size();
  const std::string all =
      model::counted(members, step.instances.front().devices.empty() ? "rank" : "device");
  switch (step.step.placement) {
    case config::Placement::kNode:
      return "on " + model::counted(step.instances.size(), "node");
    case config::Placement::kDevice:
      return "on " + model::counted(step.instances.size(), "device");
    case config::Placement::kWorld:
      return "over " + all;
    case config::Placement::kGroups:
      return fmt::format("over {} in {}", all, model::counted(step.instances.size(), "group"));
  }
  return "";
}

}  // namespace rackproof::plan
