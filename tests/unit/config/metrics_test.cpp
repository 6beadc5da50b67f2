#include "harness/config/bench.hpp"

#include <catch2/catch.hpp>

#include "harness/config/suite.hpp"
#include "harness/document/schema.hpp"
#include "tests/unit/config/support.hpp"

using namespace rackproof::config;
namespace contract = rackproof::contract;
namespace document = rackproof::document;
namespace fs = std::filesystem;
namespace model = rackproof::model;

namespace {

const std::string kShare = std::string(RACKPROOF_BINARY_DIR) + "/share/rackproof/";

std::string source_of(const std::string& bench) {
  return std::string(RACKPROOF_SOURCE_DIR) + "/benches/" + bench + "/bench.json";
}

// Of the source tree: every folder that describes itself.
std::vector<std::string> benches() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(RACKPROOF_SOURCE_DIR "/benches")) {
    const std::string name = entry.path().filename().string();
    if (fs::exists(source_of(name))) names.push_back(name);
  }
  return names;
}

// Whether the kind is what a cell of these parameters would be: each of them known, none missing.
bool describes(const MetricKind& kind, const Step& step, const Expectation& expectation) {
  if (kind.bench != step.bench) return false;
  if (std::find(kind.backends.begin(), kind.backends.end(), step.backend) == kind.backends.end()) {
    return false;
  }
  if (std::find(kind.names.begin(), kind.names.end(), expectation.metric) == kind.names.end()) {
    return false;
  }
  auto each = expectation.each;
  if (expectation.for_each == "numa") each["domain"] = {std::string("numa0")};
  for (const auto& [name, parameter] : kind.parameters) {
    if (!parameter.optional && each.count(name) == 0) return false;
  }
  for (const auto& [name, values] : each) {
    if (kind.parameters.count(name) == 0) return false;
    for (const contract::Scalar& value : values) {
      if (value == contract::Scalar(std::string("$ranks"))) continue;
      if (!takes(kind.parameters.at(name), value)) return false;
    }
  }
  return true;
}

std::vector<Step> shipped_steps() {
  std::vector<Step> steps;
  for (const auto& entry : fs::directory_iterator(kConfigs + "suites")) {
    for (Step& step : load_suite(entry.path().string()).steps) steps.push_back(std::move(step));
  }
  return steps;
}

// One expectation with one value for each parameter at a time: a list of types may need two kinds.
std::vector<Expectation> single(const Expectation& expectation) {
  std::vector<Expectation> all = {expectation};
  for (const auto& [name, values] : expectation.each) {
    std::vector<Expectation> next;
    for (const Expectation& one : all) {
      for (const contract::Scalar& value : values) {
        next.push_back(one);
        next.back().each[name] = {value};
      }
    }
    all = std::move(next);
  }
  return all;
}

}  // namespace

TEST_CASE("each bench says what it prints, and the build tree has it") {
  CHECK(benches().size() >= 7);
  for (const std::string& bench : benches()) {
    INFO(bench);
    const MetricCatalogue catalogue = load_metrics(source_of(bench));
    CHECK_FALSE(catalogue.empty());
    for (const MetricKind& kind : catalogue) CHECK(kind.bench == bench);
    CHECK(load_metrics(kShare + "benches/" + bench + ".json") == catalogue);
    for (const document::SchemaIssue& issue :
         document::validate(kConfigs + "schema/bench.schema.json", slurp(source_of(bench)))) {
      FAIL_CHECK(issue.line << " " << issue.pointer << " " << issue.text);
    }
  }
  CHECK(fs::exists(kShare + "schema/bench.schema.json"));
}

TEST_CASE("how steady a metric is stands beside what it cannot be better than") {
  int sisters = 0;
  for (const model::MetricBound& bound : bounds_of(load_metrics(source_of("stream")))) {
    // Once for each metric: with its range.
    CHECK((bound.spread > 1) == bound.facts.empty());
    CHECK((bound.apart > 1) == bound.facts.empty());
    if (bound.facts.empty()) sisters += static_cast<int>(bound.sisters.size());
  }
  CHECK(sisters == 4 * 4 + 5 * 5);
}

TEST_CASE("the catalogue of all benches is their files together") {
  std::size_t count = 0;
  for (const std::string& bench : benches()) count += load_metrics(source_of(bench)).size();
  CHECK(load_catalogue(kShare + "benches").size() == count);
  CHECK(load_catalogue(kShare + "no-such-folder").empty());
}

TEST_CASE("the catalogue knows each cell that a shipped suite expects") {
  const MetricCatalogue catalogue = load_catalogue(kShare + "benches");
  int checked = 0;
  for (const Step& step : shipped_steps()) {
    for (const Expectation& expectation : step.expect) {
      for (const Expectation& one : single(expectation)) {
        const auto fits = std::count_if(catalogue.begin(), catalogue.end(), [&](const auto& kind) {
          return describes(kind, step, one);
        });
        INFO(step.id << ": " << one.metric);
        for (const auto& [name, values] : one.each) {
          UNSCOPED_INFO(name << "=" << model::to_text(values.front()));
        }
        REQUIRE(fits == 1);
        ++checked;
      }
    }
  }
  CHECK(checked > 500);
}

TEST_CASE("a parameter takes values of its type, its words and patterns of them") {
  using Type = ParameterKind::Type;
  const ParameterKind words{Type::kText, {"node", "numa*"}, false};
  CHECK(takes(words, std::string("node")));
  CHECK(takes(words, std::string("numa7")));
  CHECK(takes(words, std::string("n*e")));
  CHECK_FALSE(takes(words, std::string("socket")));
  CHECK_FALSE(takes(words, std::int64_t{1}));
  CHECK(takes({Type::kText, {}, false}, std::string("anything")));
  CHECK(takes({Type::kInteger, {}, false}, std::int64_t{8192}));
  CHECK(takes({Type::kInteger, {}, false}, 8192.0));
  CHECK_FALSE(takes({Type::kInteger, {}, false}, 0.5));
  CHECK_FALSE(takes({Type::kInteger, {}, false}, std::string("8192")));
  CHECK(takes({Type::kInteger, {}, false}, std::string("81*")));
  CHECK(takes({Type::kNumber, {}, false}, 0.5));
  CHECK_FALSE(takes({Type::kNumber, {}, false}, true));
  CHECK(takes({Type::kBoolean, {}, false}, true));
  CHECK_FALSE(takes({Type::kBoolean, {}, false}, std::int64_t{1}));
}

TEST_CASE("a kind of parameter says what it takes") {
  using Type = ParameterKind::Type;
  CHECK(description({Type::kText, {"sum", "prod"}, false}) == "one of sum, prod");
  CHECK(description({Type::kText, {"once"}, false}) == "once");
  CHECK(description({Type::kText, {}, false}) == "a text");
  CHECK(description({Type::kInteger, {}, false}) == "an integer");
  CHECK(description({Type::kNumber, {}, false}) == "a number");
  CHECK(description({Type::kBoolean, {}, false}) == "true or false");
}
