#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/unit/run/stage.hpp"

using namespace rackproof;
using namespace rackproof::run_test;

TEST_CASE("what was measured well in a step that was not done is not measured again") {
  Stage stage(2, 1);
  stage.request.suite.steps = {step("a"), step("b")};
  stage.request.segment = 2;
  stage.request.done_subjects = {{"a", "node0"}};
  const model::Report report = stage.play();
  std::vector<std::string> measured;
  for (const auto& launch : stage.launches()) {
    const model::Attempt head = fakes::head_of(launch);
    measured.push_back(head.step + " " + head.host);
  }
  std::sort(measured.begin(), measured.end());
  CHECK(measured == std::vector<std::string>{"a node1", "b node0", "b node1"});
  CHECK(state(report, "a") == "done");
}
