#include "harness/config/suite.hpp"

#include <catch2/catch.hpp>

#include "harness/support/digest.hpp"
#include "tests/unit/config/support.hpp"

using namespace rackproof::config;
namespace contract = rackproof::contract;
namespace document = rackproof::document;
namespace model = rackproof::model;

TEST_CASE("every field of a suite arrives") {
  const std::string path = kData + "valid/suite_full.json";
  const Suite suite = load_suite(path);
  CHECK(suite.info.id == "full");
  CHECK(suite.info.title == "Every field");
  CHECK(suite.info.digest == rackproof::support::sha256_hex(slurp(path)));
  CHECK(suite.info.policy == model::JudgePolicy{true, 8, 0.01, 0.99, model::Straddle::kFail, 0.05,
                                                0.03, model::Disturbed::kIgnore, 0.1,
                                                "two lots of memory"});
  CHECK(suite.quiet_wait_seconds == 120);
  CHECK(suite.purpose == "Shows each field of a suite once.");
  CHECK(suite.time_budget_seconds == 600);
  CHECK(suite.info.valid_seconds == 12 * 7 * 24 * 3600.0);
  REQUIRE(suite.steps.size() == 3);
  const Step& memory = suite.steps[0];
  CHECK(memory.id == "memory");
  CHECK(memory.title == "Memory bandwidth");
  CHECK(memory.bench == "stream");
  CHECK(memory.backend == "host");
  CHECK(memory.arguments == std::vector<std::string>{"--type", "double"});
  CHECK(memory.environment == std::map<std::string, std::string>{{"OMP_NUM_THREADS", "2"}});
  CHECK(memory.placement == Placement::kNode);
  CHECK(memory.needs_device);
  CHECK(memory.deadline_seconds == 90);
  CHECK(memory.takes_seconds == 45);
  CHECK(memory.grace_seconds == 0.5);
  CHECK(memory.attempts == 4);  // one more than the repeats, as without them
  CHECK(memory.repeat == 3);
  CHECK(memory.failure_stops_run);
  CHECK(memory.unavailable_waives);
  CHECK(memory.no_gpu_waives);
}

TEST_CASE("the claims of a suite arrive") {
  const std::vector<model::Claim> claims = load_suite(kData + "valid/suite_full.json").info.claims;
  REQUIRE(claims.size() == 2);
  const contract::Parameters parameters = {{"type", std::string("double")}};
  CHECK(claims[0] ==
        model::Claim{
            "memory", "memory bandwidth", {"memory"}, {}, parameters, "variant", {}, {}, {}});
  CHECK(claims[1] == model::Claim{"pairs",
                                  "pairs of GPUs",
                                  {"pairs", "all-reduce"},
                                  {"pairs.*"},
                                  {},
                                  "",
                                  1,
                                  4,
                                  {"memory"}});
}

TEST_CASE("a group of processes has members and a time to come up") {
  const Suite suite = load_suite(kData + "valid/suite_full.json");
  const Step& pairs = suite.steps.at(2);
  CHECK(pairs.placement == Placement::kGroups);
  CHECK(pairs.members == Members::kDevices);
  CHECK(pairs.bring_up_seconds == 20);
  CHECK_FALSE(pairs.narrow);
  CHECK(pairs.expect.at(0).for_each == "link");
  CHECK(is_process_group(pairs));
  CHECK_FALSE(is_process_group(suite.steps[0]));
  CHECK_FALSE(is_process_group(suite.steps[1]));
  CHECK(suite.steps[1].bring_up_seconds == 0);

  const TemporaryFolder folder;
  const auto bring_up = [&](const std::string& fields) {
    const std::string path =
        folder.file("ring.json", R"({"schema": "rackproof/suite/1", "id": "s", "title": "t",
      "purpose": "p", "time_budget": "1 h",
      "steps": [{"id": "s", "title": "t", "bench": "b", "backend": "nccl", "placement": "world",
                 "when_unavailable": "waive_without_device",
                 )" + fields + R"(, "expect": [{"metric": "m"}]}]})");
    const Step step = load_suite(path).steps.at(0);
    CHECK(step.no_gpu_waives);
    CHECK_FALSE(step.unavailable_waives);
    return std::pair(step.bring_up_seconds, step.members);
  };
  CHECK(bring_up(R"("deadline": "10 min")") == std::pair(60.0, Members::kDevices));
  CHECK(bring_up(R"("deadline": "30 s")") == std::pair(15.0, Members::kDevices));
  CHECK(bring_up(R"("deadline": "30 s", "bring_up": "29 s", "members": "ranks")") ==
        std::pair(29.0, Members::kRanks));
}

TEST_CASE("a group can play a few rounds, and its bench is told so") {
  const TemporaryFolder folder;
  const auto load = [&](const std::string& fields) {
    return load_suite(folder.file("rounds.json", R"({"schema": "rackproof/suite/1", "id": "s",
      "title": "t", "purpose": "p", "time_budget": "1 h",
      "steps": [{"id": "s", "title": "t", "bench": "b", "backend": "nccl", "deadline": "1 min",
                 )" + fields + R"(, "expect": [{"metric": "m"}]}]})"))
        .steps.at(0);
  };
  const Step step = load(R"("placement": "world", "rounds": 15, "arguments": ["--samples", "3"])");
  CHECK(step.rounds == 15);
  CHECK(step.arguments == std::vector<std::string>{"--samples", "3", "--rounds", "15"});
  CHECK(load(R"("placement": "world")").rounds == 0);
  const auto complaint = [&](const std::string& fields) {
    try {
      load(fields);
    } catch (const document::ConfigError& error) {
      return error.field + ": " + error.message;
    }
    return std::string("accepted");
  };
  CHECK(complaint(R"("placement": "node", "rounds": 15)").find("steps[0].rounds: only members") ==
        0);
  CHECK(complaint(R"("placement": "world", "rounds": 2)").find("steps[0].rounds: ") == 0);
  CHECK(complaint(R"("placement": "world", "rounds": 4, "arguments": ["--rounds", "4"])")
            .find("steps[0].rounds: is said in 'arguments' too") == 0);
}

TEST_CASE("values of an expectation are scalars, lists and ranges") {
  const Suite suite = load_suite(kData + "valid/suite_full.json");
  const auto& triads = suite.steps[0].expect;
  REQUIRE(triads.size() == 2);
  CHECK(triads[0].metric == "stream.triad");
  CHECK(triads[0].each.at("variant") == std::vector<contract::Scalar>{"plain", "tuned"});
  CHECK(triads[0].each.at("type") == std::vector<contract::Scalar>{"double"});
  CHECK(triads[0].for_each.empty());
  CHECK(triads[0].required);
  CHECK(triads[1].for_each == "numa");
  CHECK_FALSE(triads[1].required);
  const Expectation& reduce = suite.steps[1].expect.at(0);
  CHECK(reduce.each.at("bytes") == std::vector<contract::Scalar>{std::int64_t{8}, std::int64_t{16},
                                                                 std::int64_t{32},
                                                                 std::int64_t{64}});
  CHECK(reduce.each.at("ranks") == std::vector<contract::Scalar>{"$ranks"});
  CHECK(reduce.each.at("in_place") == std::vector<contract::Scalar>{true, false});
  CHECK(reduce.waived == "the switch is being replaced");
}

TEST_CASE("what a suite leaves out has the documented value") {
  const TemporaryFolder folder;
  const Suite suite = load_suite(folder.file("least.json", R"({
    "schema": "rackproof/suite/1", "id": "least", "title": "t", "purpose": "p", "time_budget": "1 h",
    "steps": [{"id": "s", "title": "t", "bench": "b", "backend": "host", "placement": "device",
               "deadline": "1 h", "expect": [{"metric": "m"}]}]})"));
  const Step& step = suite.steps.at(0);
  CHECK(suite.info.policy == model::JudgePolicy{});
  CHECK(suite.info.policy.disturbed == model::Disturbed::kRepeat);
  CHECK(suite.quiet_wait_seconds == 60);
  CHECK(step.placement == Placement::kDevice);
  CHECK(step.grace_seconds == 5);
  CHECK(step.takes_seconds == 0);
  CHECK(step.attempts == 1);
  CHECK(step.repeat == 1);
  CHECK(suite.info.valid_seconds == 0);
  CHECK_FALSE(step.failure_stops_run);
  CHECK_FALSE(step.unavailable_waives);
  CHECK_FALSE(step.needs_device);
  CHECK_FALSE(step.no_gpu_waives);
  CHECK(step.expect.at(0).each.empty());
}

TEST_CASE("a range ends at the last value that is not above its end") {
  const TemporaryFolder folder;
  const auto values = [&](const std::string& range) {
    const std::string path = folder.file("range.json", R"({
      "schema": "rackproof/suite/1", "id": "r", "title": "t", "purpose": "p", "time_budget": "1 h",
      "steps": [{"id": "s", "title": "t", "bench": "b", "backend": "host", "placement": "node",
                 "deadline": "1 min", "expect": [{"metric": "m", "parameters": {"n": )" +
                                                           range + "}}]}]}");
    std::vector<std::int64_t> numbers;
    const Suite suite = load_suite(path);
    for (const contract::Scalar& value : suite.steps[0].expect[0].each.at("n")) {
      numbers.push_back(std::get<std::int64_t>(value));
    }
    return numbers;
  };
  CHECK(values(R"({"from": 1, "to": 27, "factor": 3})") == std::vector<std::int64_t>{1, 3, 9, 27});
  CHECK(values(R"({"from": 5, "to": 5, "factor": 2})") == std::vector<std::int64_t>{5});
  CHECK(values(R"({"from": 5, "to": 9, "factor": 2})") == std::vector<std::int64_t>{5});
  // Up to the largest integer, without overflow.
  CHECK(values(R"({"from": 1, "to": 9223372036854775807, "factor": 2})").back() == std::int64_t{1}
                                                                                       << 62);
}

TEST_CASE("the cells of NUMA domains are not those of the node") {
  const TemporaryFolder folder;
  const auto load = [&](const std::string& expectations) {
    return complaint([&] {
      load_suite(folder.file("domains.json", R"({
      "schema": "rackproof/suite/1", "id": "d", "title": "t", "purpose": "p", "time_budget": "1 h",
      "steps": [{"id": "s", "title": "t", "bench": "b", "backend": "host", "placement": "node",
                 "deadline": "1 min", "expect": [)" +
                                                 expectations + "]}]}"));
    });
  };
  CHECK(load(R"({"metric": "m", "parameters": {"domain": "node"}},
                {"metric": "m", "for_each": "numa"})") == "accepted");
  CHECK(load(R"({"metric": "m", "for_each": "numa"}, {"metric": "m", "for_each": "numa"})")
            .find("expects the cell 'm domain=numa0' a second time") != std::string::npos);
}

TEST_CASE("a list of metrics is one expectation for each") {
  const TemporaryFolder folder;
  const auto file = [&](const std::string& metrics) {
    return folder.file("metrics.json", R"({
      "schema": "rackproof/suite/1", "id": "m", "title": "t", "purpose": "p", "time_budget": "1 h",
      "steps": [{"id": "s", "title": "t", "bench": "b", "backend": "host", "placement": "node",
                 "deadline": "1 min",
                 "expect": [{"metric": )" + metrics +
                                           R"(, "parameters": {"n": [1, 2]}}]}]})");
  };
  const auto expectations = load_suite(file(R"(["a.x", "a.y"])")).steps[0].expect;
  REQUIRE(expectations.size() == 2);
  CHECK(expectations[0].metric == "a.x");
  CHECK(expectations[1].metric == "a.y");
  CHECK(expectations[1].each == expectations[0].each);
  CHECK(complaint([&] { load_suite(file("[]")); }).find("metric: is an empty list") !=
        std::string::npos);
  CHECK(complaint([&] { load_suite(file(R"(["a", "a"])")); }).find("a second time") !=
        std::string::npos);
}
