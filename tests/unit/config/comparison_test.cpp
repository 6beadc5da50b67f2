#include "harness/config/comparison.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "harness/config/suite.hpp"
#include "tests/unit/config/support.hpp"

namespace rackproof::config {
namespace {

std::string comparison(const std::string& rules) {
  return R"({"schema": "rackproof/comparison/1",
"rules": [)" +
         rules + "]}";
}

const std::string kComparisonRule =
    R"({"fact": "cpu.governor", "of": "node", "must": "agree", "severity": "warning",
"remedy": "set it"})";

std::string why_no_comparison(const std::string& text) {
  const TemporaryFolder folder;
  const std::string file = folder.file("c.json", text);
  const std::string why = complaint([&] { load_comparison(file); });
  return why.starts_with(folder.path()) ? why.substr(folder.path().size() + 1) : why;
}

/// A suite with these findings; what it is refused for, or nothing and the suite.
std::string suite_text(const std::string& findings) {
  return R"({"schema": "rackproof/suite/1", "id": "s", "title": "t", "purpose": "p",
"time_budget": "60 s", "findings": )" +
         findings + R"(,
"steps": [{"id": "a", "title": "t", "bench": "stream", "backend": "host", "placement": "node",
"deadline": "10 s", "expect": [{"metric": "stream.triad"}]}]})";
}

std::string suite_refused(const std::string& findings) {
  const TemporaryFolder folder;
  const std::string file = folder.file("s.json", suite_text(findings));
  const std::string why = complaint([&] { load_suite(file); });
  return why.starts_with(folder.path()) ? why.substr(folder.path().size() + 1) : why;
}

}  // namespace

TEST_CASE("the shipped comparison loads and has both kinds of rules") {
  const ComparisonRules rules = load_comparison(kConfigs + "comparison.json");
  CHECK(rules.size() > 50);
  const auto differ = std::count_if(rules.begin(), rules.end(), [](const ComparisonRule& rule) {
    return rule.must == ComparisonRule::Must::kDiffer;
  });
  CHECK(differ >= 4);
}

TEST_CASE("a comparison that cannot be used is refused with line field and reason") {
  CHECK(why_no_comparison(comparison(kComparisonRule)) == "accepted");
  CHECK(why_no_comparison(comparison("")) ==
        "c.json:2: rules: is empty; expected at least one rule");
  CHECK(why_no_comparison(comparison(kComparisonRule + ",\n" + kComparisonRule))
            .ends_with("rules[1]: a second rule for 'cpu.governor'; expected each fact once"));
  CHECK(why_no_comparison(comparison(R"({"fact": "a", "of": "rack"})")).find("rules[0].of") !=
        std::string::npos);
  const std::string far = R"({"fact": "a", "of": "node", "must": "agree", "tolerance": 2,
"severity": "info", "remedy": "r"})";
  CHECK(
      why_no_comparison(comparison(far)).ends_with("expected a number above 0 and below 1, got 2"));
  const std::string both = R"({"fact": "a", "of": "node", "must": "differ", "tolerance": 0.1,
"severity": "info", "remedy": "r"})";
  CHECK(why_no_comparison(comparison(both)).ends_with("has no meaning for what must differ"));
}

TEST_CASE("a suite suppresses findings with a reason and a last day") {
  const TemporaryFolder folder;
  const Suite suite = load_suite(folder.file("s.json", suite_text(R"({
    "suppress": [{"id": "config-mismatch", "fact": "cpu.*", "reason": "known", "until": "2028-02-29"}],
    "stop": [{"id": "config-mismatch", "severity": "isolate"}]})")));
  REQUIRE(suite.info.suppress.size() == 1);
  CHECK(suite.info.suppress[0].until == "2028-02-29");
  CHECK(suite.info.suppress[0].fact == "cpu.*");
  REQUIRE(suite.stop.size() == 1);
  model::Finding finding;
  finding.id = "config-mismatch";
  finding.severity = model::Severity::kError;
  CHECK_FALSE(stops(suite.stop, finding));
  finding.severity = model::Severity::kIsolate;
  CHECK(stops(suite.stop, finding));
  finding.id = "gpu-missing";
  CHECK_FALSE(stops(suite.stop, finding));
}

TEST_CASE("a suppression without end reason or aim is refused") {
  for (const char* day : {"2026-13-01", "2026-00-10", "2026-04-31", "26-04-30", "2026-4-30",
                          "2026-04-3x", "tomorrow"}) {
    INFO(day);
    CHECK(suite_refused(R"({"suppress": [{"id": "x", "reason": "r", "until": ")" +
                        std::string(day) + "\"}]}")
              .find("findings.suppress[0].until: expected the last day as YYYY-MM-DD") !=
          std::string::npos);
  }
  CHECK(suite_refused(R"({"suppress": [{"id": "x", "until": "2026-01-01"}]})")
            .find("the field 'reason' is missing") != std::string::npos);
  CHECK(suite_refused(R"({"suppress": [{"reason": "r", "until": "2026-01-01"}]})")
            .find("expected one of 'id', 'subject' and 'fact'") != std::string::npos);
}

}  // namespace rackproof::config
