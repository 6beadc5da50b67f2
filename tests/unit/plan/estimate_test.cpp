#include "harness/plan/estimate.hpp"

#include <catch2/catch.hpp>

using namespace rackproof;

namespace {

plan::PlacedStep step(const std::string& id, double takes, double deadline,
                      std::size_t instances = 1) {
  plan::PlacedStep placed;
  placed.step.id = id;
  placed.step.takes_seconds = takes;
  placed.step.deadline_seconds = deadline;
  placed.instances.resize(instances);
  return placed;
}

std::string text_of(std::vector<plan::PlacedStep> steps) {
  plan::Plan plan;
  plan.steps = std::move(steps);
  return plan::estimate_text(plan);
}

}  // namespace

TEST_CASE("what steps are expected to take is told by step and in all") {
  CHECK(text_of({step("stream", 30, 600), step("burn", 140, 240, 8)}) ==
        "step stream: about 30 s\n"
        "step burn: about 2 min 20 s\n"
        "time: about 2 min 50 s; what is measured again comes on top\n");
}

TEST_CASE("a step of which nobody says it counts with its deadline, apart") {
  CHECK(text_of({step("stream", 30, 600), step("mine", 0, 60)}) ==
        "step stream: about 30 s\n"
        "step mine: at most 1 min; the suite does not say what it takes\n"
        "time: about 30 s, and at most 1 min for one step of which the suite does not say it; "
        "what is measured again comes on top\n");
  CHECK(
      text_of({step("a", 0, 60), step("b", 0, 90)}).find("time: at most 2 min 30 s for 2 steps") !=
      std::string::npos);
}

TEST_CASE("a step with nothing to start takes no time") {
  CHECK(text_of({step("gpu", 30, 600, 0)}).empty());
  CHECK(text_of({}).empty());
}
