#include <catch2/catch.hpp>
#include <limits>

#include "reports/json/report_json.hpp"

namespace rackproof::model {
namespace {

std::string why_not_ending(std::string_view text) {
  try {
    ending_from_json(text);
  } catch (const BadReport& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("endings are objects with their kind") {
  CHECK(to_json_line(Ending{ending::TimedOut{30, true, model::ProcessState::kRunning}}) ==
        R"({"after_seconds":30.0,"kind":"timed-out","needed_kill":true,"state":"running"})");
  CHECK(to_json_line(Ending{ending::Completed{0}}) == R"({"exit_code":0,"kind":"completed"})");
  CHECK(to_json_line(Ending{ending::Cancelled{CancelReason::kInterrupted}}) ==
        R"({"by":"interrupted","kind":"cancelled"})");
  CHECK(to_json_line(Ending{ending::Cancelled{{CancelReason::kMemberFailed, "member 1 of 2"}}}) ==
        R"({"by":"member-failed: member 1 of 2","kind":"cancelled"})");
}

TEST_CASE("a wrong ending is refused with its place") {
  CHECK(why_not_ending(R"({"exit_code":0})") == "the document: the key \"kind\" is missing");
  CHECK(why_not_ending(R"({"kind":"vanished"})").starts_with("/kind: expected one of completed, "));
  CHECK(why_not_ending(R"({"kind":7})") == "/kind: expected a text, found 7");
  CHECK(why_not_ending(R"({"kind":"completed"})") ==
        "the document: the key \"exit_code\" is missing");
  CHECK(why_not_ending(R"({"kind":"completed","exit_code":0,"signal":9})") ==
        "the document: unknown key \"signal\", expected only kind, exit_code");
  CHECK(why_not_ending(R"({"kind":"completed","exit_code":2147483648})") ==
        "/exit_code: expected an integer from -2147483648 to 2147483647, found 2147483648");
  CHECK(why_not_ending("[]") == "the document: expected an object, found an array");
}

TEST_CASE("a subject writes what makes up its kind and nothing empty besides") {
  CHECK(to_json_line(Subject{contract::SubjectKind::kNode, "n1", "", "", "", "", {}}) ==
        R"({"host":"n1","kind":"node"})");
  CHECK(to_json_line(Subject{contract::SubjectKind::kDevice, "n1", "GPU-1", "", "", "", {}}) ==
        R"({"device":"GPU-1","host":"n1","kind":"device"})");
  CHECK(to_json_line(Subject{contract::SubjectKind::kLink, "n1", "", "n2", "", "", {}}) ==
        R"({"host":"n1","kind":"link","peer_host":"n2"})");
  CHECK(
      to_json_line(Subject{contract::SubjectKind::kGroup, "", "", "", "", "world", {"n1", "n2"}}) ==
      R"({"group":"world","kind":"group","members":["n1","n2"]})");
  CHECK_THROWS_WITH(subject_from_json(R"({"kind":"device","host":"n1"})"),
                    "the document: the key \"device\" is missing");
}

TEST_CASE("scalars keep their type") {
  Finding finding;
  finding.evidence = {{"b", true}, {"d", 1.0}, {"i", std::int64_t{1}}, {"s", std::string("1")}};
  const std::string line = to_json_line(finding);
  CHECK(line.find(R"("evidence":{"b":true,"d":1.0,"i":1,"s":"1"})") != std::string::npos);
  CHECK(finding_from_json(line).evidence == finding.evidence);
}

TEST_CASE("a double may be written as an integer by hand") {
  const auto back = ending_from_json(R"({"kind":"wedged","after_seconds":3,"state":""})");
  CHECK(back == Ending{ending::Wedged{3.0, {}}});
}

TEST_CASE("a number that is not finite cannot be written") {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    RunInfo run;
    run.seconds = bad;
    CHECK_THROWS_AS(to_json_line(run), std::invalid_argument);
    Cell cell;
    cell.measurements.emplace_back().samples = {1.0, bad};
    CHECK_THROWS_AS(to_json_line(cell), std::invalid_argument);
    Finding finding;
    finding.evidence["x"] = bad;
    CHECK_THROWS_AS(to_json_line(finding), std::invalid_argument);
  }
}

TEST_CASE("bytes that are not UTF-8 are replaced and nothing is lost") {
  RunInfo run;
  run.id =
      "a\xFF"
      "b";
  run.labels = {{"k\xFE", "1"}, {"k\xFF", "2"}};
  const RunInfo back = run_from_json(to_json_line(run));
  CHECK(back.id ==
        "a\xEF\xBF\xBD"
        "b");
  CHECK(back.labels.size() == 2);
  CHECK(to_json_line(back) == to_json_line(run));
}

}  // namespace rackproof::model
