#include "harness/cause/causes.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/config/support.hpp"

namespace rackproof::config {
namespace {

std::string cause_table(const std::string& rules) {
  return R"({"schema": "rackproof/causes/1",
"rules": [)" +
         rules + "]}";
}

std::string rule(const std::string& id, const std::string& condition,
                 const std::string& more = R"("say": "s", "why": "w")") {
  return R"({"id": ")" + id + R"(", "of": "device", "when": [)" + condition + "],\n" + more + "}";
}

const std::string kMoved = R"({"series": "gpu.xids", "statistic": "delta", "above": 0})";

std::string why_no_causes(const std::string& text) {
  const TemporaryFolder folder;
  const std::string file = folder.file("c.json", text);
  const std::string why = complaint([&] { cause::load_causes(file); });
  return why.starts_with(folder.path()) ? why.substr(folder.path().size() + 1) : why;
}

std::string why_not_when(const std::string& condition) {
  return why_no_causes(cause_table(rule("a", condition)));
}

std::string why_not_said(const std::string& say) {
  return why_no_causes(cause_table(rule("a", kMoved, R"("why": "w", "say": ")" + say + "\"")));
}

}  // namespace

TEST_CASE("the shipped causes load") {
  const model::CauseTable causes = cause::load_causes(kConfigs + "causes.json");
  CHECK(causes.rules.size() > 30);
  CHECK(causes.digest.size() == 64);
}

TEST_CASE("a table of causes that cannot be used is refused with line field and reason") {
  CHECK(why_no_causes(cause_table(rule("a", kMoved))) == "accepted");
  CHECK(why_no_causes(cause_table("")) == "c.json:2: rules: is empty; expected at least one rule");
  CHECK(why_no_causes(cause_table(rule("a", kMoved) + ",\n" + rule("a", kMoved)))
            .ends_with("c.json:4: rules[1]: a second rule 'a'; expected each id once"));
  CHECK(why_no_causes(cause_table(rule("no-cause-seen", kMoved))).find("rules[0].id: ") !=
        std::string::npos);
  CHECK(why_no_causes(cause_table(rule("a", "")))
            .ends_with("when: is empty; expected at least one condition"));
  CHECK(why_no_causes(cause_table(rule("a", kMoved, R"("say": "s")"))).find("'why'") !=
        std::string::npos);
  CHECK(why_no_causes(
            cause_table(rule("a", kMoved, R"("say": "s", "why": "w", "outcomes": ["pass"])")))
            .ends_with("outcomes[0]: expected one of fail, untested, got 'pass'"));
  CHECK(why_no_causes(cause_table(rule("a", kMoved, R"("say": "s", "why": "w", "metrics": [])")))
            .ends_with("metrics: is empty; expected at least one"));
  CHECK(why_no_causes(cause_table(rule("a", kMoved, R"("say": "s", "why": "w", "unless": ["b"])")))
            .ends_with("unless: there is no other rule 'b' of a device"));
}

TEST_CASE("a condition that means nothing is refused") {
  const auto refused = [](const char* condition, const char* end) {
    INFO(condition);
    CHECK(why_not_when(condition).ends_with(end));
  };
  refused("{}", "expected exactly one of 'series', 'fact', 'finding' and 'event'");
  refused(R"({"series": "a", "fact": "b", "statistic": "max", "above": 1})",
          "expected exactly one of 'series', 'fact', 'finding' and 'event'");
  refused(R"({"series": "a", "statistic": "mean", "above": 1})",
          "expected one of min, median, p95, max, delta, share, missing, got 'mean'");
  refused(R"({"series": "a", "statistic": "max"})",
          "expected 'above' or 'below'; a number explains nothing by being there");
  refused(R"({"series": "a", "statistic": "max", "above": 1, "below": 2})",
          "has both 'above' and 'below'; expected one of them");
  refused(R"({"series": "a", "statistic": "max", "above": 1, "bit": "b"})",
          "bit: has a meaning for a share only");
  refused(R"({"series": "a", "statistic": "share", "above": 1})", "'bit' is missing");
  refused(R"({"series": "a", "statistic": "max", "above": 1, "is": "x"})",
          "is: has no meaning for a number");
  refused(R"({"series": "a", "statistic": "missing", "above": 1, "is": "x"})",
          "above: has no meaning for what is missing");
  refused(R"({"fact": "a.*.*", "is": "x"})", "expected at most one '*' and no '?', got 'a.*.*'");
  refused(R"({"fact": "a", "is": "x", "above": 1})", "above: has no meaning for a text");
  refused(R"({"fact": "a"})",
          "expected 'above' or 'below'; a number explains nothing by being there");
  refused(R"({"fact": "a", "is": "x", "statistic": "max"})",
          "statistic: has a meaning for a series only");
  refused(R"({"finding": "a", "is": "x"})", "is: has no meaning for a finding");
  CHECK(why_not_when(R"({"fact": "a.*", "below": 1, "of": "b.*"})") == "accepted");
  CHECK(why_not_when(R"({"series": "a", "statistic": "missing", "is": "x"})") == "accepted");
  CHECK(why_not_when(R"({"finding": "a", "about": "gpu.*"})") == "accepted");
}

TEST_CASE("a sentence stands on placeholders that are known") {
  CHECK(why_not_said("{value} {limit} {subject} {finding} {time} {gpu.x} {gpu.x:median}") ==
        "accepted");
  CHECK(why_not_said("{valeu}").find("'{valeu}' stands for nothing; expected {value}") !=
        std::string::npos);
  CHECK(why_not_said("{gpu.x:mean}").find("stands for nothing") != std::string::npos);
  CHECK(why_not_said("{value").ends_with("say: has a brace without its other one"));
  CHECK(why_not_said("value}").ends_with("say: has a brace without its other one"));
  CHECK(why_not_said("{{value}}").ends_with("say: has a brace without its other one"));
}

}  // namespace rackproof::config
