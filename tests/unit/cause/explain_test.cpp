#include "harness/cause/explain.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/cause/scene.hpp"

namespace rackproof::cause {
namespace {

model::CauseCondition share(const std::string& bit, double above) {
  model::CauseCondition condition;
  condition.series = "gpu.throttle";
  condition.statistic = "share";
  condition.bit = bit;
  condition.above = above;
  return condition;
}

model::CauseCondition moved(const std::string& series) {
  model::CauseCondition condition;
  condition.series = series;
  condition.statistic = "delta";
  condition.above = 0;
  return condition;
}

model::CauseRule power_cap() {
  return rule("power-cap", "device", share("power-cap", 0.05), "cap active {value} of the time");
}

using Causes = std::vector<model::Cause>;

const Causes kSilent = {{"no-cause-seen", "", "no cause seen"}};
const Causes kDark = {{"not-recorded", "", "not recorded"}};

}  // namespace

TEST_CASE("the device that was held back is named and no other") {
  Stage stage;
  stage.report.cause_table.rules = {power_cap()};
  stage.tried("gemm", "n1", "n1-0").recorded = {throttle("n1-0", "idle", 0.5)};
  stage.tried("gemm", "n1", "n1-1").recorded = {throttle("n1-1", "power-cap", 0.93)};
  explain(stage.report);
  CHECK(stage.cell_of("gemm", "n1/n1-1").causes ==
        Causes{{"power-cap", "n1/n1-1", "cap active 93 % of the time"}});
  CHECK(stage.cell_of("gemm", "n1/n1-0").causes == kSilent);
  CHECK(stage.cell_of("gemm", "n2/n2-0").causes == kDark);
  CHECK(stage.cell_of("stream", "n1").causes == kDark);
}

TEST_CASE("only what failed or came to nothing is explained, and anew each time") {
  Stage stage;
  stage.report.cause_table.rules = {power_cap()};
  for (model::Attempt& attempt : stage.report.attempts) {
    attempt.recorded = {throttle("n1-0", "power-cap", 0.5)};
  }
  model::Cell& cell = stage.cell_of("gemm", "n1/n1-0");
  for (const auto outcome :
       {model::Outcome::kPass, model::Outcome::kUnjudged, model::Outcome::kWaived}) {
    cell.causes = {{"stale", "", "stale"}};
    cell.verdict.outcome = outcome;
    explain(stage.report);
    CHECK(cell.causes.empty());
  }
  cell.verdict.outcome = model::Outcome::kUntested;
  explain(stage.report);
  REQUIRE(cell.causes.size() == 1);
  CHECK(cell.causes[0].rule == "power-cap");
  const model::Report before = stage.report;
  explain(stage.report);
  CHECK(stage.report == before);
  stage.report.cause_table = {};
  explain(stage.report);
  CHECK(cell.causes.empty());
}

TEST_CASE("a cell that nobody tried has no causes") {
  Stage stage;
  stage.report.cause_table.rules = {power_cap()};
  stage.report.attempts.clear();
  for (model::Cell& cell : stage.report.cells) cell.verdict.outcome = model::Outcome::kUntested;
  explain(stage.report);
  for (const model::Cell& cell : stage.report.cells) CHECK(cell.causes.empty());
}

TEST_CASE("of a group the member it fits best is named and the others counted") {
  Stage stage;
  stage.report.cause_table.rules = {power_cap()};
  const std::vector<std::pair<std::string, double>> all = {
      {"n1-0", 0.2}, {"n1-1", 0.0}, {"n2-0", 0.9}, {"n2-1", 0.4}};
  for (const auto& [device, part] : all) {
    stage.tried("world", device.substr(0, 2), device).recorded = {
        throttle(device, "power-cap", part)};
  }
  model::Cell& cell = stage.cell_of("world", model::label(Stage::world()));
  explain(stage.report);
  CHECK(cell.causes ==
        Causes{{"power-cap", "n2/n2-0", "cap active 90 % of the time (and on 2 more)"}});
  for (model::Attempt& attempt : stage.report.attempts) {
    if (attempt.step == "world") attempt.recorded.front().shares.clear();
  }
  stage.tried("world", "n2", "n2-1").recorded.clear();
  explain(stage.report);
  CHECK(cell.causes == Causes{{"no-cause-seen", "", "no cause seen; not recorded: n2"}});
}

TEST_CASE("rules speak in the order of the table and only where they apply") {
  Stage stage;
  model::CauseRule errors = rule("nic", "node", moved("nic.*_errors"), "{value} on {subject}");
  model::CauseRule other = errors;
  other.id = "other-backend";
  other.backends = {"mpi", "nccl"};
  model::CauseRule metric = errors;
  metric.id = "other-metric";
  metric.metrics = {"copy.*", "pairs.*"};
  model::CauseRule outcome = errors;
  outcome.id = "other-outcome";
  outcome.outcomes = {"untested"};
  model::CauseRule mine = errors;
  mine.id = "mine";
  mine.metrics = {"copy.*", "stream.*"};
  mine.backends = {"host"};
  mine.outcomes = {"fail"};
  stage.report.cause_table.rules = {mine, other, metric, outcome, errors};
  stage.tried("stream", "n1").recorded = {counter("nic.send_errors", "eth0", 3)};
  explain(stage.report);
  CHECK(stage.cell_of("stream", "n1").causes ==
        Causes{{"mine", "n1 eth0", "3 on eth0"}, {"nic", "n1 eth0", "3 on eth0"}});
}

TEST_CASE("a rule yields to one that says it better of the same subject") {
  Stage stage;
  model::CauseRule lowered = power_cap();
  lowered.id = "lowered";
  model::CauseCondition limit;
  limit.fact = "gpu.power_limit_watts";
  limit.below = 0.99;
  limit.of = "gpu.power_limit_default_watts";
  lowered.when.push_back(limit);
  model::CauseRule plain = power_cap();
  plain.unless = {"lowered"};
  stage.report.cause_table.rules = {lowered, plain};
  for (std::size_t i = 0; i < 2; ++i) {
    stage.device(0, i).facts["gpu.power_limit_default_watts"] = known(700.0);
    stage.device(0, i).facts["gpu.power_limit_watts"] = known(i == 0 ? 600.0 : 700.0);
    const std::string uuid = "n1-" + std::to_string(i);
    stage.tried("gemm", "n1", uuid).recorded = {throttle(uuid, "power-cap", 0.5)};
  }
  explain(stage.report);
  REQUIRE(stage.cell_of("gemm", "n1/n1-0").causes.size() == 1);
  CHECK(stage.cell_of("gemm", "n1/n1-0").causes[0].rule == "lowered");
  REQUIRE(stage.cell_of("gemm", "n1/n1-1").causes.size() == 1);
  CHECK(stage.cell_of("gemm", "n1/n1-1").causes[0].rule == "power-cap");
}

TEST_CASE("all conditions of a rule must hold in one attempt") {
  Stage stage;
  model::CauseRule both = power_cap();
  both.when.push_back(moved("gpu.pcie_replays"));
  stage.report.cause_table.rules = {both};
  model::Attempt& first = stage.tried("gemm", "n1", "n1-0");
  first.recorded = {throttle("n1-0", "power-cap", 0.5)};
  model::Attempt second = first;
  second.number = 2;
  second.recorded = {counter("gpu.pcie_replays", "n1-0", 4)};
  stage.report.attempts.push_back(second);
  explain(stage.report);
  CHECK(stage.cell_of("gemm", "n1/n1-0").causes == kSilent);
  stage.report.attempts.back().recorded.push_back(throttle("n1-0", "power-cap", 0.25));
  explain(stage.report);
  REQUIRE(stage.cell_of("gemm", "n1/n1-0").causes.size() == 1);
  CHECK(stage.cell_of("gemm", "n1/n1-0").causes[0].text == "cap active 25 % of the time");
}

TEST_CASE("facts and findings explain without a recording") {
  Stage stage;
  model::CauseCondition mismatch;
  mismatch.finding = "config-mismatch";
  stage.report.cause_table.rules = {rule("node", "node", mismatch, "unlike: {finding}"),
                                    rule("device", "device", mismatch, "unlike: {finding}")};
  model::Finding finding;
  finding.id = "config-mismatch";
  finding.subject = "n1, n2/n2-1";
  finding.text = "other";
  stage.report.findings = {finding};
  explain(stage.report);
  CHECK(stage.cell_of("stream", "n1").causes == Causes{{"node", "n1", "unlike: other"}});
  CHECK(stage.cell_of("stream", "n2").causes == kDark);
  CHECK(stage.cell_of("gemm", "n2/n2-1").causes == Causes{{"device", "n2/n2-1", "unlike: other"}});
  CHECK(stage.cell_of("gemm", "n2/n2-0").causes == kDark);
}

TEST_CASE("a finding that holds as well where the same passed explains nothing") {
  Stage stage;
  model::CauseCondition unmet;
  unmet.finding = "expectation-unmet";
  stage.report.cause_table.rules = {rule("node", "node", unmet, "not as expected: {finding}")};
  const auto find = [&](const std::string& host, const std::string& fact) {
    model::Finding finding;
    finding.id = "expectation-unmet";
    finding.subject = host;
    finding.text = fact + " of " + host;
    finding.evidence["fact"] = fact;
    stage.report.findings.push_back(finding);
  };
  find("n1", "limits.memlock");
  find("n2", "limits.memlock");
  model::Cell& failed = stage.cell_of("stream", "n1");
  explain(stage.report);
  CHECK(failed.causes == Causes{{"node", "n1", "not as expected: limits.memlock of n1"}});

  stage.cell_of("stream", "n2").verdict.outcome = model::Outcome::kPass;
  explain(stage.report);
  CHECK(failed.causes == kDark);
  // Other sizes are other measurements.
  stage.cell_of("stream", "n2").parameters["bytes"] = std::int64_t{8};
  explain(stage.report);
  CHECK(failed.causes.at(0).rule == "node");
  stage.cell_of("stream", "n2").parameters.clear();

  // Another matter of the same host still counts.
  find("n1", "cpu.governor");
  explain(stage.report);
  CHECK(failed.causes == Causes{{"node", "n1", "not as expected: cpu.governor of n1"}});
}

TEST_CASE("a node's finding is not why one of its links is slow") {
  Stage stage;
  model::CauseCondition unmet;
  unmet.finding = "expectation-unmet";
  stage.report.cause_table.rules = {rule("node", "node", unmet, "not as expected: {finding}")};
  model::Finding finding;
  finding.id = "expectation-unmet";
  finding.subject = "n1";
  finding.evidence["fact"] = "limits.memlock";
  stage.report.findings = {finding};
  for (const char* peer : {"n2-0", "n2-1"}) {
    model::Cell link;
    link.step = "world";
    link.metric = "pairs.bandwidth";
    link.subject = {contract::SubjectKind::kLink, "n1", "n1-0", "n2", peer, "", {}};
    link.verdict.outcome = model::Outcome::kFail;
    stage.report.cells.push_back(link);
  }
  explain(stage.report);
  CHECK(stage.report.cells.back().causes.at(0).rule == "node");
  (stage.report.cells.end() - 2)->verdict.outcome = model::Outcome::kPass;
  explain(stage.report);
  CHECK(stage.report.cells.back().causes == kDark);
}

TEST_CASE("why a host was not recorded is said with it") {
  Stage stage;
  stage.report.cause_table.rules = {power_cap()};
  model::RecordingInfo info;
  info.host = "n2";
  info.problem = "no room on the disk";
  model::RecordingInfo good;
  good.host = "n1";
  stage.report.recordings = {info, good};
  explain(stage.report);
  CHECK(stage.cell_of("stream", "n2").causes ==
        Causes{{"not-recorded", "", "not recorded: no room on the disk"}});
  // A recording that has nothing of the device tells nothing of it.
  stage.tried("gemm", "n1", "n1-0").recorded = {counter("nic.receive_errors", "eth0", 1)};
  explain(stage.report);
  CHECK(stage.cell_of("gemm", "n1/n1-0").causes ==
        Causes{{"not-recorded", "", "not recorded: no sample was taken in that time"}});
}

TEST_CASE("a link has the causes of both ends") {
  Stage stage;
  stage.report.cause_table.rules = {power_cap()};
  model::Cell link;
  link.step = "world";
  link.metric = "pairs.bandwidth";
  link.subject = {contract::SubjectKind::kLink, "n1", "n1-0", "n2", "n2-1", "", {}};
  link.verdict.outcome = model::Outcome::kFail;
  stage.report.cells.push_back(link);
  stage.tried("world", "n1", "n1-1").recorded = {throttle("n1-1", "power-cap", 0.9)};
  stage.tried("world", "n2", "n2-1").recorded = {throttle("n2-1", "power-cap", 0.3)};
  explain(stage.report);
  REQUIRE(stage.report.cells.back().causes.size() == 1);
  CHECK(stage.report.cells.back().causes[0].subject == "n2/n2-1");
}

}  // namespace rackproof::cause
