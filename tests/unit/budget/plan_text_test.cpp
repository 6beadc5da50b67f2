#include "harness/budget/plan_text.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/unit/budget/request.hpp"

namespace rackproof::budget {
namespace {

TEST_CASE("a plan is told with its steps, what is left out and what is missed") {
  const Request request = budget_test::request_of(130);
  terminal::Style style;
  style.width = 100;
  const std::string text = plan_text(request, make_plan(request), style);
  INFO(text);
  CHECK(text.starts_with(
      "2 of the 5 steps of four in 2 min 10 s on 2 hosts with 4 GPUs each: about 1 min 30 s"));
  CHECK(text.find("\nSteps\n") < text.find("\nLeft out\n"));
  CHECK(text.find("no time") != std::string::npos);
  CHECK(text.find("finds none of these faults") != std::string::npos);
  CHECK(text.find("by the whole suite") != std::string::npos);
  CHECK(text.find("chances of finding a fault: assumed") != std::string::npos);
}

TEST_CASE("a step of which only the deadline is known is said to be one") {
  Request request = budget_test::request_of(1000);
  request.suite.steps[0].takes_seconds = 0;
  const std::string text = plan_text(request, make_plan(request), {});
  CHECK(text.find("up to 5 min") != std::string::npos);
  CHECK(text.find("Of 1 step only the deadline is known") != std::string::npos);
}

TEST_CASE("the document has each step and each fault") {
  const Request request = budget_test::request_of(130);
  const auto document = nlohmann::json::parse(plan_json(request, make_plan(request)));
  CHECK(document["format"] == "rackproof-budget");
  CHECK(document["steps"].size() == 5);
  CHECK(document["steps"][0]["state"] == "chosen");
  CHECK(document["steps"][0]["known_from"] == "suite");
  CHECK(document["faults"].size() == 4);
  CHECK(document["missed"]["low"] <= document["missed"]["high"]);
}

}  // namespace
}  // namespace rackproof::budget
