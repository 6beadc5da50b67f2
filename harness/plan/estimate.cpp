#include "harness/plan/estimate.hpp"

#include <fmt/format.h>

#include "reports/model/quantity.hpp"

namespace rackproof::plan {

std::string estimate_text(const Plan& plan) {
  std::string text;
  double expected = 0;
  double at_most = 0;
  int unknown = 0;
  for (const PlacedStep& placed : plan.steps) {
    if (placed.instances.empty()) continue;
    const config::Step& step = placed.step;
    if (step.takes_seconds > 0) {
      expected += step.takes_seconds;
      text += fmt::format("step {}: about {}\n", step.id, model::duration(step.takes_seconds));
    } else {
      ++unknown;
      at_most += step.deadline_seconds;
      text += fmt::format("step {}: at most {}; the suite does not say what it takes\n", step.id,
                          model::duration(step.deadline_seconds));
    }
  }
  if (text.empty()) return text;
  std::string sum;
  if (expected > 0) sum = "about " + model::duration(expected);
  if (unknown > 0) {
    sum += fmt::format("{}at most {} for {} of which the suite does not say it",
                       sum.empty() ? "" : ", and ", model::duration(at_most),
                       unknown == 1 ? "one step" : fmt::format("{} steps", unknown));
  }
  return text + "time: " + sum + "; what is measured again comes on top\n";
}

}  // namespace rackproof::plan
