#include "harness/config/suite_plan.hpp"

#include <catch2/catch.hpp>

#include "harness/config/suite.hpp"
#include "tests/unit/config/support.hpp"

namespace rackproof::config {
namespace {

std::string plan_with(const std::string& name, const std::string& value) {
  const std::pair<std::string, std::string> fields[] = {
      {"of", "\"whole\""},
      {"of_digest", "\"" + std::string(64, 'a') + "\""},
      {"of_steps", "2"},
      {"left_out", "[\"burn\"]"},
      {"budget", "\"20 min\""},
      {"usual", "\"900 s\""},
      {"missed", "0.25"},
      {"missed_by_all", "0.1"},
      {"basis", "\"b\""},
      {"faults", R"([{"id": "f", "title": "t", "expected": 0.5, "missed": 0.25}])"}};
  std::string text;
  for (const auto& [field, usual] : fields) {
    text += (text.empty() ? "{\"" : ", \"") + field + "\": " + (field == name ? value : usual);
  }
  return R"({"schema": "rackproof/suite/1", "id": "s", "title": "t", "purpose": "p",
    "time_budget": "1 h", "plan": )" +
         text + R"(}, "steps": [{"id": "s", "title": "t", "bench": "b", "backend": "host",
    "placement": "node", "deadline": "10 s", "expect": [{"metric": "m"}]}]})";
}

std::string why_not(const std::string& name, const std::string& value) {
  const TemporaryFolder folder;
  return complaint([&] { load_suite(folder.file("s.json", plan_with(name, value))); });
}

TEST_CASE("every field of a plan arrives") {
  const TemporaryFolder folder;
  const Suite suite = load_suite(folder.file("s.json", plan_with("", "")));
  REQUIRE(suite.info.plan);
  CHECK(*suite.info.plan == model::SuitePlan{"whole",
                                             std::string(64, 'a'),
                                             2,
                                             {"burn"},
                                             1200,
                                             900,
                                             0.25,
                                             0.1,
                                             "b",
                                             {{"f", "t", 0.5, 0.25}}});
}

TEST_CASE("a plan that contradicts itself is refused") {
  CHECK(why_not("of_steps", "3")
            .ends_with("plan.of_steps: is 3, and there are 1 steps here and 1 that were left out"));
  CHECK(why_not("missed", "1.5").ends_with("plan.missed: expected a share from 0 to 1, got 1.5"));
  CHECK(why_not("of_digest", "\"ab\"").ends_with("expected a SHA-256 in hexadecimal"));
  CHECK(why_not("faults", R"([{"id": "f", "title": "t", "expected": 0.5, "missed": 0.75}])")
            .ends_with("missed: is 0.75, more than the 0.5 that are expected"));
  CHECK(why_not("faults", R"([{"id": "f", "title": "t", "expected": -1, "missed": 0}])")
            .ends_with("expected: expected no less than 0, got -1"));
}

}  // namespace
}  // namespace rackproof::config
