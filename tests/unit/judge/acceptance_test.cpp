#include "harness/judge/acceptance.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/judge/builder.hpp"

namespace cells = rackproof::cells;
namespace contract = rackproof::contract;
namespace judge = rackproof::judge;
namespace model = rackproof::model;
using model::Acceptance;
using model::Outcome;
using namespace rackproof::judge_test;

namespace {

struct Row {
  Outcome outcome;
  bool required = true;
};

/// From the verdicts in the report.
void conclude(model::Report& report) {
  cells::JudgedCells judged;
  for (std::size_t i = 0; i < report.cells.size(); ++i) {
    cells::CellSummary summary;
    summary.outcome = report.cells[i].verdict.outcome;
    summary.required = report.cells[i].required;
    summary.limited = summary.outcome == Outcome::kPass;
    judged.add(summary, report.cells[i].subject);
  }
  judge::conclude(report, judged, [&report](std::size_t place) -> const model::Cell& {
    return report.cells[place];
  });
}

model::Report concluded(const std::vector<Row>& rows, bool completed = true,
                        bool interrupted = false) {
  model::Report report = empty_report();
  report.run.completed = completed;
  report.run.interrupted = interrupted;
  for (const Row& row : rows) {
    report.cells.push_back(cell(node("n" + std::to_string(report.cells.size()))));
    report.cells.back().required = row.required;
    report.cells.back().verdict.outcome = row.outcome;
    report.cells.back().verdict.reason_id = "some-reason";
  }
  conclude(report);
  return report;
}

Acceptance acceptance(const std::vector<Row>& rows) { return concluded(rows).acceptance; }

}  // namespace

TEST_CASE("what was only verified is counted apart") {
  const model::Report report =
      concluded({{Outcome::kPass}, {Outcome::kVerified}, {Outcome::kVerified}, {Outcome::kWaived}});
  CHECK(report.required_counts == model::Counts{1, 2, 0, 0, 0, 1});
  CHECK(report.acceptance_reason ==
        "1 of 4 required cells pass, 2 verified without a speed limit, 1 waived");
  const model::Report verified = concluded({{Outcome::kVerified}});
  CHECK(verified.acceptance == Acceptance::kVerified);
  CHECK(verified.acceptance_reason ==
        "1 result is correct; no speed limit for anything that was measured. To accept: learn a "
        "table from accepted nodes, or name one with --platform");
}

TEST_CASE("what is accepted for a time says until when") {
  model::Report report = concluded({{Outcome::kPass}});
  report.run.began_utc = "2026-11-27T20:00:00.000Z";
  report.suite.valid_seconds = 90 * 24 * 3600.0;
  conclude(report);
  CHECK(report.acceptance_reason == "the one required cell passes; valid until 2027-02-25");
  report.cells[0].verdict.outcome = Outcome::kFail;
  conclude(report);
  CHECK(report.acceptance_reason.find("valid until") == std::string::npos);
}

TEST_CASE("accepted takes every required cell, and one pass") {
  CHECK(acceptance({{Outcome::kPass}}) == Acceptance::kAccepted);
  CHECK(acceptance({{Outcome::kPass}, {Outcome::kWaived}}) == Acceptance::kAccepted);
  CHECK(acceptance({{Outcome::kPass}, {Outcome::kUntested}}) == Acceptance::kIncomplete);
  CHECK(acceptance({{Outcome::kPass}, {Outcome::kUnjudged}}) == Acceptance::kIncomplete);
  CHECK(acceptance({{Outcome::kPass}, {Outcome::kFail}}) == Acceptance::kRejected);
  CHECK(acceptance({{Outcome::kUntested}, {Outcome::kFail}}) == Acceptance::kRejected);
}

namespace {

/// A run that requires GPUs, on a host with one that passes.
model::Report with_gpu() {
  model::Report report = empty_report();
  report.run.required = {"gpu"};
  report.nodes[0].devices = {{"GPU-1", 0, {}}};
  report.cells = {cell(device(kHost, "GPU-1"))};
  report.cells[0].verdict.outcome = Outcome::kPass;
  return report;
}

/// "" when it is accepted, else the reason.
std::string refusal(model::Report report) {
  conclude(report);
  CHECK(report.acceptance != Acceptance::kRejected);
  return report.acceptance == Acceptance::kAccepted ? "" : report.acceptance_reason;
}

}  // namespace

TEST_CASE("required GPUs must be there, all of them, and each must pass") {
  CHECK(refusal(with_gpu()).empty());
  model::Report report = with_gpu();
  report.cells[0] = cell();
  report.cells[0].verdict.outcome = Outcome::kPass;
  CHECK(refusal(report) == "gpu is required: no cell about node1/GPU-1 passes");
  report.nodes[0].devices.clear();
  report.nodes[0].facts["gpu.nvml_count"] = {std::nullopt, "NVML", "libnvidia-ml.so.1: not found"};
  CHECK(refusal(report) == "gpu is required: node1 has none (libnvidia-ml.so.1: not found)");
  report.run.required.clear();
  CHECK(refusal(report).empty());

  report = with_gpu();
  report.nodes[0].devices.push_back({"GPU-2", 1, {}});
  CHECK(refusal(report) == "gpu is required: no cell about node1/GPU-2 passes");
  report = with_gpu();
  report.nodes.push_back({"node2", {}, {}});
  CHECK(refusal(report) == "gpu is required: node2 has none");
  for (const char* fact : {"gpu.silent", "gpu.unmanaged"}) {
    report = with_gpu();
    report.nodes[0].facts[fact] = {contract::Scalar(std::string("3: GPU is lost")), "NVML", ""};
    CHECK(refusal(report).find("3: GPU is lost") != std::string::npos);
  }
  report = with_gpu();
  report.nodes.clear();
  CHECK_FALSE(refusal(report).empty());
  report = with_gpu();
  report.run.required = {"tpu"};
  CHECK(refusal(report).find("tpu") != std::string::npos);
}

TEST_CASE("a failed cell rejects whatever is required") {
  model::Report report = with_gpu();
  report.nodes.push_back({"node2", {}, {}});
  report.cells[0].verdict.outcome = Outcome::kFail;
  conclude(report);
  CHECK(report.acceptance == Acceptance::kRejected);
}

TEST_CASE("nothing proven is never accepted") {
  CHECK(acceptance({}) == Acceptance::kIncomplete);
  CHECK(acceptance({{Outcome::kWaived}}) == Acceptance::kIncomplete);
  CHECK(acceptance({{Outcome::kPass, false}}) == Acceptance::kIncomplete);
  CHECK(acceptance({{Outcome::kPass, false}, {Outcome::kWaived}}) == Acceptance::kIncomplete);
}

TEST_CASE("cells that are not required do not decide") {
  for (const Outcome other : {Outcome::kFail, Outcome::kUntested, Outcome::kUnjudged}) {
    CHECK(acceptance({{Outcome::kPass}, {other, false}}) == Acceptance::kAccepted);
  }
}

TEST_CASE("an interrupted or shortened run is never accepted, and can be rejected") {
  CHECK(concluded({{Outcome::kPass}}, true, true).acceptance == Acceptance::kIncomplete);
  CHECK(concluded({{Outcome::kPass}}, false, false).acceptance == Acceptance::kIncomplete);
  CHECK(concluded({{Outcome::kFail}}, false, true).acceptance == Acceptance::kRejected);
  CHECK(concluded({{Outcome::kPass}}, true, true).acceptance_reason.find("interrupted") !=
        std::string::npos);
  CHECK_FALSE(concluded({{Outcome::kPass}}, false, false).acceptance_reason.empty());
}

TEST_CASE("counts of all cells and of the required ones") {
  const model::Report report = concluded({{Outcome::kPass},
                                          {Outcome::kPass, false},
                                          {Outcome::kFail},
                                          {Outcome::kUnjudged},
                                          {Outcome::kUntested},
                                          {Outcome::kUntested, false},
                                          {Outcome::kWaived}});
  CHECK(report.counts == model::Counts{2, 0, 1, 1, 2, 1});
  CHECK(report.required_counts == model::Counts{1, 0, 1, 1, 1, 1});
}

TEST_CASE("the reason names the first culprits and says how many more") {
  const std::string reason = concluded({{Outcome::kFail},
                                        {Outcome::kPass},
                                        {Outcome::kFail},
                                        {Outcome::kFail},
                                        {Outcome::kFail},
                                        {Outcome::kFail}})
                                 .acceptance_reason;
  for (const char* part : {"5 of 6", "n0", "n2", "n3", "some-reason", "2 more"}) {
    INFO(reason);
    CHECK(reason.find(part) != std::string::npos);
  }
  CHECK(reason.find("n4") == std::string::npos);
}

TEST_CASE(
    "the reason of an open group names who spoiled it last, and of a wrong answer its place") {
  model::Report report = empty_report();
  report.run.completed = true;
  model::Subject world;
  world.kind = contract::SubjectKind::kGroup;
  world.group = "world";
  world.members = {"a", "b"};
  report.cells = {cell(world)};
  report.cells[0].required = true;
  report.cells[0].verdict.outcome = Outcome::kUntested;
  report.cells[0].verdict.reason_id = "timed-out";
  for (const char* who : {"member 1 of 2", "member 0 of 2"}) {
    model::Finding finding;
    finding.id = "group-failed";
    finding.step = report.cells[0].step;
    finding.subject = model::label(world);
    finding.text = who;
    report.findings.push_back(finding);
  }
  report.findings.push_back(report.findings.front());
  report.findings.back().step = "another step";
  conclude(report);
  const std::string open = "step " + report.cells[0].step + ", " + model::label(world);
  REQUIRE(report.acceptance == Acceptance::kIncomplete);
  REQUIRE(report.acceptance_reason.rfind(open + ": member 0 of 2; 1 of 1", 0) == 0);

  // Nobody spoiled what has a result.
  report.cells[0].verdict.outcome = Outcome::kUnjudged;
  conclude(report);
  REQUIRE(report.acceptance_reason.rfind("1 of 1", 0) == 0);

  report.cells[0].verdict.outcome = Outcome::kFail;
  report.cells[0].verdict.reason_id = "wrong-answer";
  model::Measurement measurement;
  measurement.check.first_wrong_where = "rank 1, element 7";
  report.cells[0].measurements = {measurement};
  conclude(report);
  const auto says = [&report](const char* what) {
    return report.acceptance_reason.find(what) != std::string::npos;
  };
  REQUIRE(says("; first wrong at rank 1, element 7. 1 of 1 required cells failed"));

  // Its member is named where it is known.
  for (int member = 0; member < 2; ++member) {
    model::Attempt attempt;
    attempt.nonce = std::to_string(member);
    attempt.step = report.cells[0].step;
    attempt.subject = world;
    attempt.member = member;
    attempt.members = 2;
    attempt.host = world.members[static_cast<std::size_t>(member)];
    report.attempts.push_back(attempt);
  }
  report.cells[0].measurements[0].attempt = "0";
  report.cells[0].measurements[0].check.first_wrong_rank = 1;
  conclude(report);
  REQUIRE(says("element 7 (member 1 of 2: b). 1 of 1"));
  report.cells[0].measurements[0].check.first_wrong_rank = 2;
  conclude(report);
  REQUIRE(says("element 7. 1 of 1"));
}

TEST_CASE("a run that groups of two platforms leave open names the hosts that differ") {
  model::Report report = empty_report();
  report.cells = {cell(node())};
  report.cells[0].verdict.outcome = Outcome::kUnjudged;
  report.cells[0].verdict.reason_id = "mixed-platforms";
  model::Finding odd;
  odd.id = "mixed-platforms";
  odd.subject = "node7";
  odd.text = "table b fits it, while table a fits 3 of 4 hosts";
  report.findings = {odd};
  conclude(report);
  CHECK(report.acceptance == Acceptance::kIncomplete);
  CHECK(report.acceptance_reason.starts_with("node7: table b fits it"));
}

TEST_CASE("the reason of a rejection names first whom most of the failed cells are about") {
  model::Report report = empty_report();
  for (const auto& subject : {group("world", {kHost}), device(kHost, "GPU-1"),
                              device(kHost, "GPU-2"), device(kHost, "GPU-2")}) {
    report.cells.push_back(cell(subject));
    report.cells.back().verdict.outcome = Outcome::kFail;
    report.cells.back().verdict.reason_id = "below-limit";
  }
  conclude(report);
  CHECK(report.acceptance_reason.starts_with("node1/GPU-2: 2 out of limits, the worst "));
  CHECK(report.acceptance_reason.ends_with(
      ". 4 of 4 required cells failed; what to do: rackproof explain below-limit"));
}

TEST_CASE("a run that left a host out is not accepted, and says which") {
  model::Report report = empty_report();
  report.cells = {cell()};
  report.cells.back().verdict.outcome = Outcome::kPass;
  report.findings.push_back({"host-set-aside", model::Severity::kError, "node9", "lost", "", {}});
  conclude(report);
  CHECK(report.acceptance == Acceptance::kIncomplete);
  CHECK(report.acceptance_reason == "node9 was set aside: lost");
}

TEST_CASE("a host that nobody knows owes what nobody knows") {
  model::Report report = empty_report();
  report.run.completed = true;
  report.cells.push_back(cell(node("n0")));
  report.cells.back().verdict.outcome = Outcome::kPass;
  report.nodes.emplace_back();
  report.nodes.back().host = "n0";
  conclude(report);
  CHECK(report.acceptance == Acceptance::kAccepted);
  report.findings.emplace_back();
  report.findings.back().id = "inventory-failed";
  report.findings.back().subject = "n0";
  report.findings.back().text = "it said nothing";
  conclude(report);
  CHECK(report.acceptance == Acceptance::kIncomplete);
  CHECK(report.acceptance_reason == "n0: it said nothing");
  // It could be taken when the run was resumed.
  report.nodes.back().facts["cpu.model"] = {contract::Scalar(std::string("any")), "", ""};
  conclude(report);
  CHECK(report.acceptance == Acceptance::kAccepted);
}
