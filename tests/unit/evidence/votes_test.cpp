#include "harness/evidence/votes.hpp"

#include <catch2/catch.hpp>

#include "harness/judge/judge.hpp"
#include "tests/unit/judge/builder.hpp"

namespace contract = rackproof::contract;
namespace ending = rackproof::model::ending;
namespace judge = rackproof::judge;
namespace model = rackproof::model;
using namespace rackproof::judge_test;
using model::Outcome;

namespace {

/// A device of kHost for each digest, with a cell that its check proves.
model::Report devices(const std::vector<std::string>& digests) {
  model::Report report = empty_report();
  report.platforms[0].baselines = {baseline()};
  for (std::size_t i = 0; i < digests.size(); ++i) {
    const std::string uuid = "GPU-" + std::to_string(i);
    model::DeviceFacts facts{uuid, static_cast<std::int64_t>(i), {}};
    facts.facts["gpu.name"] = {contract::Scalar(std::string("H200")), "test", ""};
    report.nodes[0].devices.push_back(facts);
    model::Attempt one = attempt();
    one.nonce = uuid;
    one.subject = device(kHost, uuid);
    one.arguments = {"--seconds", "1", "--device", uuid};
    one.device = uuid;
    one.checks[0].digest = digests[i];
    report.attempts.push_back(one);
    report.cells.push_back(cell(one.subject));
    model::Measurement measured = measurement(uuid);
    measured.subject = one.subject;
    report.cells.back().measurements = {measured};
  }
  return report;
}

std::string outcomes(model::Report report) {
  judge::judge(report);
  std::string out;
  for (const model::Cell& one : report.cells) {
    switch (one.verdict.outcome) {
      case Outcome::kPass:
        out += 'p';
        break;
      case Outcome::kVerified:
        out += 'v';
        break;
      case Outcome::kFail:
        out += 'F';
        break;
      case Outcome::kUntested:
        out += 'u';
        break;
      case Outcome::kUnjudged:
        out += 'j';
        break;
      case Outcome::kWaived:
        out += 'w';
        break;
    }
  }
  return out;
}

std::vector<std::string> findings(model::Report report) {
  judge::judge(report);
  std::vector<std::string> out;
  for (const model::Finding& one : report.findings) out.push_back(one.id + " " + one.subject);
  return out;
}

}  // namespace

TEST_CASE("equal digests change nothing, and one alone is no vote") {
  CHECK(outcomes(devices({"aa", "aa", "aa", "aa"})) == "pppp");
  CHECK(findings(devices({"aa", "aa"})).empty());
  CHECK(outcomes(devices({"aa"})) == "p");
  CHECK(outcomes(devices({"", "", ""})) == "ppp");
  CHECK(outcomes(devices({"aa", "", ""})) == "ppp");
}

TEST_CASE("a minority fails and is named") {
  const model::Report report = devices({"aa", "aa", "ab", "aa"});
  CHECK(outcomes(report) == "ppFp");
  CHECK(findings(report) == std::vector<std::string>{"digest-mismatch node1/GPU-2"});
  model::Report judged_report = report;
  judge::judge(judged_report);
  const model::Verdict& verdict = judged_report.cells[2].verdict;
  CHECK(verdict.reason_id == "digest-mismatch");
  CHECK(verdict.reason.find("node1/GPU-2") != std::string::npos);
  CHECK(verdict.reason.find("3 of 4 H200") != std::string::npos);
  CHECK(judged_report.acceptance == model::Acceptance::kRejected);
  CHECK(outcomes(devices({"aa", "ab", "aa"})) == "pFp");
  CHECK(outcomes(devices({"aa", "ab", "ac", "aa", "aa"})) == "pFFpp");
}

TEST_CASE("where nobody can tell which is right none passes") {
  CHECK(outcomes(devices({"aa", "ab"})) == "uu");
  CHECK(outcomes(devices({"aa", "aa", "ab", "ab"})) == "uuuu");
  CHECK(outcomes(devices({"aa", "ab", "ac"})) == "uuu");
  const model::Report two = devices({"aa", "ab"});
  CHECK(findings(two) == std::vector<std::string>{"digest-undecided node1/GPU-0, node1/GPU-1"});
  model::Report report = two;
  judge::judge(report);
  CHECK(report.cells[0].verdict.reason_id == "digest-undecided");
  CHECK(report.acceptance == model::Acceptance::kIncomplete);
}

TEST_CASE("a device that differs from itself fails whatever the others say") {
  model::Report report = devices({"aa"});
  model::Attempt again = report.attempts[0];
  again.number = 2;
  again.nonce = "again";
  again.checks[0].digest = "ab";
  report.attempts.push_back(again);
  CHECK(outcomes(report) == "F");
  CHECK(findings(report).at(0) == "digest-mismatch node1/GPU-0");
}

TEST_CASE("only what must be equal is compared") {
  const auto with = [](auto change) {
    model::Report report = devices({"aa", "aa", "ab", "aa"});
    change(report);
    return outcomes(report);
  };
  CHECK(with([](model::Report& report) {
          report.nodes[0].devices[2].facts["gpu.name"].value =
              contract::Scalar(std::string("A100"));
        }) == "pppp");
  CHECK(with([](model::Report& report) { report.nodes[0].devices[2].facts.clear(); }) == "pppp");
  CHECK(with([](model::Report& report) { report.attempts[2].libraries["cublas"] = "12.9"; }) ==
        "pppp");
  CHECK(with([](model::Report& report) { report.attempts[2].version = "2"; }) == "pppp");
  CHECK(with([](model::Report& report) { report.attempts[2].arguments[1] = "2"; }) == "pppp");
  CHECK(with([](model::Report& report) { report.attempts[2].checks[0].name = "other"; }) == "pppp");
  CHECK(with([](model::Report& report) { report.attempts[0].libraries["cublas"] = "12.9"; }) ==
        "ppFp");
}

TEST_CASE("a digest of a failed check or of a broken transcript has no vote") {
  model::Report report = devices({"aa", "aa", "aa", "ab"});
  report.attempts[3].ending = ending::Signalled{11};
  CHECK(outcomes(report) == "pppu");
  report = devices({"aa", "aa", "ab"});
  report.attempts[2].checks[0].passed = false;
  report.attempts[2].ending = ending::Completed{4};
  report.cells[2].measurements[0].check = report.attempts[2].checks[0];
  CHECK(outcomes(report) == "ppF");
  CHECK(findings(report).empty());
}

TEST_CASE("cells of another check of the same device stand") {
  model::Report report = devices({"aa", "aa", "ab"});
  model::Cell other = report.cells[2];
  other.metric = "stream.copy";
  other.id += "/copy";
  report.platforms[0].baselines[0].metric = "stream.*";
  other.measurements[0].metric = other.metric;
  other.measurements[0].check = good_check("copy");
  report.attempts[2].checks.push_back(good_check("copy"));
  report.cells.push_back(other);
  CHECK(outcomes(report) == "ppFp");
  // A digest of a check that proves no number condemns all that the process did.
  for (model::Attempt& one : report.attempts) {
    one.checks.push_back(good_check("whole"));
    one.checks.back().digest = std::exchange(one.checks[0].digest, "");
  }
  CHECK(outcomes(report) == "ppFF");
}

TEST_CASE("a waiver does not excuse a cell whose own check was outvoted") {
  model::Report report = devices({"aa", "aa", "ab"});
  report.cells[2].waived = "known";
  CHECK(outcomes(report) == "ppF");
  CHECK(findings(report).size() == 1);
  report = devices({"aa", "ab", "ac"});
  report.cells[2].waived = "known";
  CHECK(outcomes(report) == "uuw");
  // A digest of a check that proves no number.
  report = devices({"aa", "aa", "ab"});
  report.cells[2].waived = "known";
  for (model::Attempt& one : report.attempts) {
    one.checks.push_back(good_check("whole"));
    one.checks.back().digest = std::exchange(one.checks[0].digest, "");
  }
  CHECK(outcomes(report) == "ppw");
  CHECK(findings(report).size() == 1);
}

TEST_CASE("hosts vote by the model of their processors, and members of a group one by one") {
  model::Report report = one_cell();
  report.attempts.clear();
  report.cells[0].subject = group("world", {"node1", "node2", "node3"});
  report.nodes.clear();
  for (int member = 0; member < 3; ++member) {
    const std::string host = "node" + std::to_string(member + 1);
    report.nodes.push_back({host, {}, {}});
    report.nodes.back().facts["cpu.model"] = {contract::Scalar(std::string("x")), "test", ""};
    report.platform_of_host[host] = kPlatform;
    model::Attempt one = attempt(1, host);
    one.subject = report.cells[0].subject;
    one.member = member;
    one.members = 3;
    one.arguments = {"--rank", std::to_string(member)};
    one.checks[0].digest = "aa";
    report.attempts.push_back(one);
  }
  CHECK(outcomes(report) == "p");
  report.attempts[2].checks[0].digest = "ab";
  CHECK(outcomes(report) == "F");
  CHECK(findings(report).at(0).find("node3 (member 2 of world") != std::string::npos);
}

TEST_CASE("judging again replaces the findings of the vote") {
  model::Report report = devices({"aa", "aa", "ab"});
  judge::judge(report);
  const model::Report once = report;
  judge::judge(report);
  CHECK(report == once);
}

TEST_CASE("devices of another name are no peers") {
  model::Report report = devices({"", "", "", "", ""});
  report.suite.policy.peer_outlier_fails = true;
  report.platforms[0].baselines[0].tolerance_below = 0.5;
  for (std::size_t i = 0; i < report.cells.size(); ++i) {
    report.cells[i].measurements[0] = measurement(report.attempts[i].nonce, i == 4 ? 60 : 100);
    report.cells[i].measurements[0].subject = report.cells[i].subject;
  }
  confirm(report);
  CHECK(outcomes(report) == "ppppF");
  report.nodes[0].devices[4].facts["gpu.name"].value = contract::Scalar(std::string("A100"));
  CHECK(outcomes(report) == "ppppp");
}

TEST_CASE(
    "no waiver excuses a digest that was outvoted, or two of which nobody knows the right one") {
  model::CellWaiver waiver;
  waiver.subject = kHost;
  waiver.until = "2099-12-31";
  for (const auto& [digests, wanted] : {std::pair{std::vector<std::string>{"a", "b"}, "uu"},
                                        {std::vector<std::string>{"a", "a", "b"}, "ppF"}}) {
    model::Report report = devices(digests);
    report.run.waivers = {waiver};
    CHECK(outcomes(report) == wanted);
  }
}
