#include "harness/judge/shortfall.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "harness/judge/judge.hpp"
#include "reports/model/words.hpp"
#include "tests/unit/judge/builder.hpp"

namespace contract = rackproof::contract;
namespace judge = rackproof::judge;
namespace model = rackproof::model;
using model::Acceptance;
using namespace rackproof::judge_test;

namespace {

/// An accepted run on a host with two GPUs, one of which has a cell that passes.
model::Report with_gpus() {
  model::Report report = one_cell();
  report.nodes[0].devices = {{"GPU-1", 0, {}}, {"GPU-2", 1, {}}};
  return report;
}

model::Report judged_whole(model::Report report) {
  judge::judge(report);
  return report;
}

bool has(const model::Report& report, const std::string& id) {
  return std::any_of(report.findings.begin(), report.findings.end(),
                     [&id](const auto& finding) { return finding.id == id; });
}

/// "" when it is accepted, else the reason of a run that is incomplete.
std::string shortfall_of(const model::Report& given) {
  const model::Report report = judged_whole(given);
  if (report.acceptance == Acceptance::kAccepted) return "";
  CHECK(report.acceptance == Acceptance::kIncomplete);
  return report.acceptance_reason;
}

model::SegmentInfo segment(int number, const std::string& digest) {
  model::SegmentInfo one;
  one.segment = number;
  one.tool.version = "1";
  one.tool.commit = "c";
  one.tool.bench_sha256 = {{"stream-host", digest}, {"gemm-host", "same"}};
  one.suite_digest = "s";
  one.platforms = {{"box", "t"}};
  one.platform_of_host = {{kHost, "box"}};
  return one;
}

}  // namespace

TEST_CASE("less than was meant to be there is incomplete, and that is said first") {
  model::Report report = one_cell();
  CHECK(shortfall_of(report).empty());
  CHECK(model::scope_of(report) == "1 host, 0 GPUs");
  report.run.extent.hosts = 1;
  CHECK(shortfall_of(report).empty());
  CHECK(model::scope_of(report) == "1 of 1 host, 0 GPUs");
  report.run.extent.hosts = 18;
  CHECK(shortfall_of(report) == "1 of 18 hosts that --expect expects is there");
  CHECK(model::scope_of(report) == "1 of 18 hosts, 0 GPUs");
  CHECK(has(judged_whole(report), "not-all-there"));
  report.run.extent = {};
  report.suite.extent.gpus = 72;
  CHECK(shortfall_of(report) ==
        "0 of 72 GPUs that suite " + report.suite.id + " expects are there");
  // More than was meant is not what was meant either.
  report.suite.extent = {};
  report.run.extent.gpus = 1;
  report.nodes[0].devices = {{"GPU-1", 0, {}}, {"GPU-2", 1, {}}};
  CHECK(shortfall_of(report).starts_with("2 of 1 GPUs that --expect expects are there"));
}

TEST_CASE("a GPU that was meant to be there must pass something") {
  model::Report report = with_gpus();
  CHECK(shortfall_of(report).empty());
  report.run.extent.gpus = 2;
  CHECK(shortfall_of(report) == "no cell about node1/GPU-1 passes, which is expected");
}

TEST_CASE("a list of assets is held against hosts and GPUs by name, serial number or UUID") {
  model::Report report = with_gpus();
  report.nodes[0].devices[0].facts["gpu.serial"] = {contract::Scalar(std::string("S1")), "NVML",
                                                    ""};
  report.run.extent.assets = {{kHost, {"S1", "GPU-2"}, ""}, {"node2", {}, ""}};
  CHECK(shortfall_of(report).starts_with("1 of 2 hosts of the list of assets are missing: node2"));
  report.run.extent.assets = {{"node2", {}, ""}};
  CHECK(shortfall_of(report).find("the list of assets does not have node1") != std::string::npos);
  report.run.extent.assets = {{kHost, {"S1", "S3"}, ""}};
  const std::string why = shortfall_of(report);
  CHECK(why.find("node1 lacks GPU S3 of the list of assets") != std::string::npos);
  CHECK(why.find("node1 has GPU GPU-2, which the list") != std::string::npos);
}

TEST_CASE("a host that was swapped has another serial number than the list of assets") {
  model::Report report = with_gpus();
  report.run.extent.assets = {{kHost, {}, "C1"}};
  CHECK(shortfall_of(report) == "the serial number of node1, C1 in the list of assets, is unknown");
  report.nodes[0].facts["machine.serial"] = {{}, "", "Permission denied"};
  CHECK(shortfall_of(report) ==
        "the serial number of node1, C1 in the list of assets, is unknown: Permission denied");
  report.nodes[0].facts["machine.serial"] = {contract::Scalar(std::string("C2")), "DMI", ""};
  CHECK(shortfall_of(report) == "node1 has the serial number C2, and the list of assets C1");
  report.nodes[0].facts["machine.serial"].value = std::string("C1");
  CHECK(shortfall_of(report).empty());
}

TEST_CASE("a table counts in whole machines") {
  model::Report report = one_cell();
  report.platforms[0].extent.hosts = 2;
  CHECK(shortfall_of(report) == "1 of 2 hosts that a whole machine of table box expects is there");
  for (const char* host : {"node2", "node3", "node4"}) {
    report.nodes.push_back({host, {}, {}});
    report.platform_of_host[host] = kPlatform;
  }
  CHECK(shortfall_of(report).empty());
}

TEST_CASE("a run of a selection is never accepted") {
  for (const auto& [state, reason] :
       {std::pair(model::StepState::kLeftOut, ""),
        std::pair(model::StepState::kSkipped, "left out by the selection")}) {
    model::Report report = one_cell();
    model::StepInfo step;
    step.id = "gemm";
    step.state = state;
    step.reason = model::reason_of<model::StepReason>(reason);
    report.steps.push_back(step);
    const std::string all = std::to_string(report.steps.size());
    CHECK(shortfall_of(report) == "1 of " + all + " steps of the suite were left out: gemm");
    CHECK(has(judged_whole(report), "partial-selection"));
    CHECK(model::scope_of(report).ends_with(" of " + all + " steps"));
    // What fails is told as a failure all the same.
    report.cells[0].measurements[0].samples.assign(10, 1.0);
    report.cells[0].measurements[0].value = 1;
    CHECK(judged_whole(report).acceptance == Acceptance::kRejected);
  }
  model::Report report = one_cell();
  model::StepInfo step;
  step.state = model::StepState::kSkipped;
  step.reason = {model::StepReason::kOther, "no host has a device"};
  report.steps.push_back(step);
  CHECK(shortfall_of(report).empty());
}

TEST_CASE("a run of some hosts is never accepted, and says nothing of what is in the others") {
  model::Report report = one_cell();
  report.run.left_out_hosts = {"node2", "node3"};
  const std::string left_out = "2 of 3 hosts of the job were left out: node2, node3";
  CHECK(shortfall_of(report) == left_out);
  CHECK(has(judged_whole(report), "partial-selection"));
  CHECK(model::scope_of(report) == "1 of 3 hosts, 0 GPUs");
  report.run.extent.hosts = 3;
  report.run.extent.gpus = 12;
  report.platforms[0].extent.hosts = 2;
  CHECK(shortfall_of(report) == left_out);
  report.run.extent.hosts = 18;
  CHECK(shortfall_of(report) == "3 of 18 hosts that --expect expects are there; " + left_out);
  CHECK(model::scope_of(report) == "1 of 18 hosts, 0 of 12 GPUs");
  report.run.extent = {};
  report.run.extent.assets = {{kHost, {}, ""}, {"node2", {"GPU-1"}, "S"}, {"node4", {}, ""}};
  CHECK(shortfall_of(report) ==
        "1 of 3 hosts of the list of assets are missing: node4; the list of assets does not have "
        "node3; " +
            left_out);
  report.cells[0].measurements[0].samples.assign(10, 1.0);
  report.cells[0].measurements[0].value = 1;
  CHECK(judged_whole(report).acceptance == Acceptance::kRejected);
}

TEST_CASE("a run of which a step was kept to some hosts is never accepted") {
  model::Report report = one_cell();
  report.steps[0].only_hosts = {kHost};
  CHECK(shortfall_of(report) ==
        "1 of 1 steps of the suite was run on some of the hosts alone: " + report.steps[0].id);
  CHECK(has(judged_whole(report), "partial-selection"));
}

TEST_CASE("what nobody watched is not accepted where the suite demands it") {
  model::Report report = with_gpus();
  CHECK(shortfall_of(report).empty());
  report.suite.policy.recorded = model::Recorded::kWithGpus;
  CHECK(shortfall_of(report) == "nobody watched the hardware of node1: it was not recorded");
  CHECK(has(judged_whole(report), "unwatched"));
  report.nodes[0].devices.clear();
  CHECK(shortfall_of(report).empty());
  report.suite.policy.recorded = model::Recorded::kAlways;
  CHECK_FALSE(shortfall_of(report).empty());
  model::RecordingInfo recording;
  recording.host = kHost;
  recording.closed = true;
  report.recordings = {recording};
  CHECK(shortfall_of(report).empty());
  report.recordings[0].gap = true;
  report.recordings[0].ends_utc = "2026-01-01T00:00:00.000Z";
  CHECK(shortfall_of(report).ends_with("its recording ends at 2026-01-01T00:00:00.000Z"));
  report.recordings[0].gap = false;
  report.recordings[0].blind = {"GPU-1"};
  CHECK(shortfall_of(report).ends_with("could tell of errors of GPU-1"));
  report.recordings[0].blind.clear();
  report.recordings[0].problem = "there is no such file here";
  CHECK(shortfall_of(report).ends_with("there is no such file here"));
  // Each part of a resumed run in which the host was measured.
  report.recordings[0].problem.clear();
  report.attempts.push_back(report.attempts[0]);
  report.attempts[1].nonce = "later";
  report.attempts[1].resumed = 1;
  CHECK(shortfall_of(report).ends_with("it was not recorded"));
}

TEST_CASE("a resumed run that went on with other programs says so") {
  model::Report report = one_cell();
  report.segments = {segment(1, "aa"), segment(2, "aa")};
  CHECK_FALSE(has(judged_whole(report), "other-programs"));
  report.segments[1].tool.bench_sha256["stream-host"] = "bb";
  report.segments[1].platforms["box"] = "u";
  report.segments[1].tool.commit = "d";
  const model::Report told = judged_whole(report);
  REQUIRE(has(told, "other-programs"));
  const auto finding = std::find_if(told.findings.begin(), told.findings.end(),
                                    [](const auto& one) { return one.id == "other-programs"; });
  CHECK(finding->text ==
        "part 2 of the run was made with others than part 1: rackproof 1 d, before 1 c, "
        "stream-host bb, before aa, table box");
  CHECK(told.acceptance == Acceptance::kAccepted);
}
