#include "harness/ledger/ledger_json.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/unit/ledger/answers.hpp"

namespace rackproof::ledger {
namespace {

using namespace ledger_test;
using nlohmann::json;

TEST_CASE("each document says what it is and what was asked") {
  const auto answer = [](const std::string& text) {
    const json document = json::parse(text);
    CHECK(document.at("format") == "rackproof-fleet");
    CHECK(document.at("version") == "1.0");
    return document.at("answer").get<std::string>();
  };
  CHECK(answer(added_json({}, "f")) == "add");
  CHECK(answer(part_json({})) == "show");
  CHECK(answer(worst_json({})) == "worst");
  CHECK(answer(due_json({})) == "due");
  CHECK(answer(failures_json({})) == "failures");
}

TEST_CASE("a part has everything in base units and what is not known is left out") {
  const json part = json::parse(part_json({gpu()})).at("parts").at(0);
  CHECK(part.at("kind") == "gpu");
  CHECK(part.at("id") == "GPU-a");
  CHECK(part.at("places").at(0).at("part") == "n1 GPU 0");
  CHECK(part.at("places").at(0).at("serial") == "165");
  CHECK(part.at("runs").at(0).at("outcome") == "fail");
  CHECK(part.at("runs").at(0).at("verdict") == "rejected");
  const json& failure = part.at("failures").at(0);
  CHECK(failure.at("observed") == 60e12);
  CHECK(failure.at("limit_low") == 80e12);
  CHECK_FALSE(failure.contains("limit_high"));
  CHECK(failure.at("shortfall") == 0.25);
  CHECK(failure.at("run").at("report") == "/reports/night1/report.json");
  CHECK(part.at("waivers").at(0).at("approved_by") == "J. Doe");
  CHECK_FALSE(part.at("waivers").at(0).contains("ticket"));
  CHECK(part.at("findings").at(0).at("severity") == "isolate");
}

TEST_CASE("a host that never ran accepted has no such run") {
  DueAnswer due;
  due.hosts = 3;
  due.due = {{"n1", Due::kNever, run_ref(), {}, {}}};
  const json hosts = json::parse(due_json(due)).at("hosts");
  CHECK(hosts.at("known") == 3);
  CHECK(hosts.at("due").at(0).at("why") == "never-accepted");
  CHECK(hosts.at("due").at(0).at("last").at("run") == "night1");
  CHECK_FALSE(hosts.at("due").at(0).contains("whole"));
}

TEST_CASE("bytes that are no text do not break a document") {
  PartAnswer part = gpu();
  part.failures[0].reason = "\xff\xfe";
  CHECK_NOTHROW(json::parse(part_json({part})));
}

}  // namespace
}  // namespace rackproof::ledger
