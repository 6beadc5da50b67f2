#include "harness/resume/retest.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <set>

#include "harness/resume/again.hpp"
#include "reports/model/finding_id.hpp"
#include "reports/model/reason_id.hpp"
#include "reports/model/utc.hpp"

namespace retest_scene {

using namespace rackproof;
using contract::SubjectKind;
using model::Outcome;

constexpr double kDay = 86400;
const double kBegan = model::unix_seconds("2030-01-01T00:00:00.000Z").value();

model::Subject node(const std::string& host) {
  model::Subject subject;
  subject.host = host;
  return subject;
}

model::Subject gpu(const std::string& host, int index) {
  model::Subject subject = node(host);
  subject.kind = SubjectKind::kDevice;
  subject.device = "GPU-" + host + "-" + std::to_string(index);
  return subject;
}

model::Subject link(const model::Subject& a, const model::Subject& b) {
  model::Subject subject = a;
  subject.kind = SubjectKind::kLink;
  subject.peer_host = b.host;
  subject.peer_device = b.device;
  return subject;
}

model::Subject group(const std::string& name, const std::vector<std::string>& members) {
  model::Subject subject;
  subject.kind = SubjectKind::kGroup;
  subject.group = name;
  subject.members = members;
  return subject;
}

/// A run of three hosts with two GPUs each: a step of nodes, one of GPUs, one of the links within
/// each host, one over all hosts and the links between them.
model::Report whole_report() {
  model::Report report;
  report.run.id = "r";
  report.run.began_utc = "2030-01-01T00:00:00.000Z";
  for (const auto& [id, placement] : {std::pair("host", "node"), std::pair("gemm", "device"),
                                      std::pair("copy", "node"), std::pair("world", "world")}) {
    model::StepInfo step;
    step.id = id;
    step.placement = placement;
    step.state = model::StepState::kDone;
    report.steps.push_back(step);
  }
  const auto measured = [&](const std::string& step, const model::Subject& by,
                            const model::Subject& subject) {
    const std::string nonce = step + model::label(by);
    const bool known = std::any_of(report.attempts.begin(), report.attempts.end(),
                                   [&](const auto& one) { return one.nonce == nonce; });
    if (!known) {
      model::Attempt attempt;
      attempt.nonce = nonce;
      attempt.step = step;
      attempt.host = by.host;
      attempt.subject = by;
      attempt.members = by.kind == SubjectKind::kGroup ? 3 : 0;
      report.attempts.push_back(attempt);
    }
    model::Cell cell;
    cell.step = step;
    cell.subject = subject;
    cell.id = step + ":" + model::label(subject);
    cell.verdict.outcome = Outcome::kPass;
    cell.measurements.resize(1);
    cell.measurements[0].attempt = nonce;
    report.cells.push_back(cell);
  };
  const std::vector<std::string> hosts = {"n0", "n1", "n2"};
  const model::Subject world = group("world", hosts);
  measured("world", world, world);
  for (const std::string& host : hosts) {
    measured("host", node(host), node(host));
    for (int index : {0, 1}) measured("gemm", gpu(host, index), gpu(host, index));
    measured("copy", node(host), link(gpu(host, 0), gpu(host, 1)));
    for (const std::string& peer : hosts) {
      if (host < peer) measured("world", world, link(gpu(host, 0), gpu(peer, 0)));
    }
  }
  return report;
}

std::vector<journal::Kept> kept(const model::Report& report, const model::Repair& repair) {
  return resume::kept_after(report, {repair}, kBegan - kDay, kBegan + kDay);
}

/// Step and label of the subject of what is kept.
std::set<std::pair<std::string, std::string>> subjects_in(const std::vector<journal::Kept>& kept) {
  std::set<std::pair<std::string, std::string>> all;
  for (const journal::Kept& one : kept) {
    for (const std::string& subject : one.subjects) all.insert({one.step, subject});
  }
  return all;
}

TEST_CASE("of a repaired host nothing is kept, nor of any link or group with it") {
  const auto all = subjects_in(kept(whole_report(), {"n1", "", "r", "t"}));
  CHECK(all == std::set<std::pair<std::string, std::string>>{{"host", "n0"},
                                                             {"host", "n2"},
                                                             {"gemm", "n0/GPU-n0-0"},
                                                             {"gemm", "n0/GPU-n0-1"},
                                                             {"gemm", "n2/GPU-n2-0"},
                                                             {"gemm", "n2/GPU-n2-1"},
                                                             {"copy", "n0"},
                                                             {"copy", "n2"}});
}

TEST_CASE("of a repaired GPU the others of its host are kept") {
  const auto all = subjects_in(kept(whole_report(), {"n1", "GPU-n1-0", "r", "t"}));
  CHECK(all.contains({"gemm", "n1/GPU-n1-1"}));
  CHECK_FALSE(all.contains({"gemm", "n1/GPU-n1-0"}));
  CHECK_FALSE(all.contains({"host", "n1"}));
  CHECK_FALSE(all.contains({"copy", "n1"}));
  CHECK_FALSE(all.contains({"world", "world (3 hosts)"}));
}

TEST_CASE("a step whose like parts one failed among is measured again as a whole") {
  model::Report report = whole_report();
  for (model::Cell& cell : report.cells) {
    if (cell.subject == gpu("n1", 0)) {
      cell.verdict.outcome = Outcome::kFail;
      cell.verdict.reason_id = model::reason_id::kPeerOutlier;
    }
  }
  for (const auto& [step, subject] : subjects_in(kept(report, {"n1", "GPU-n1-0", "r", "t"})))
    CHECK(step != "gemm");
  model::Report doubtful = whole_report();
  model::Finding finding;
  finding.id = model::finding_id::kPeerUnconfirmed;
  finding.step = "gemm";
  doubtful.findings = {finding};
  for (const auto& [step, subject] : subjects_in(kept(doubtful, {"n1", "GPU-n1-0", "r", "t"})))
    CHECK(step != "gemm");
}

TEST_CASE("what is too old, or of a time that is not known or to come, is not kept") {
  const model::Repair repair{"n1", "", "r", "t"};
  const model::Report report = whole_report();
  CHECK_FALSE(resume::kept_after(report, {repair}, kBegan, kBegan).empty());
  CHECK(resume::kept_after(report, {repair}, kBegan + 1, kBegan + 2).empty());
  CHECK(resume::kept_after(report, {repair}, kBegan - 2, kBegan - 1).empty());
  model::Report unknown = whole_report();
  unknown.run.began_utc = "yesterday";
  CHECK(kept(unknown, repair).empty());
  // Of a run in two parts each has its own age.
  model::Report resumed = whole_report();
  resumed.segments.resize(2);
  resumed.segments[0].segment = 1;
  resumed.segments[0].began_utc = "2029-11-01T00:00:00.000Z";
  resumed.segments[1].segment = 2;
  resumed.segments[1].began_utc = "2030-01-01T00:00:00.000Z";
  for (model::Attempt& attempt : resumed.attempts) attempt.resumed = attempt.step == "gemm" ? 1 : 0;
  for (const auto& [step, subject] : subjects_in(kept(resumed, repair))) CHECK(step == "gemm");
  CHECK_FALSE(kept(resumed, repair).empty());
}

TEST_CASE("nothing that touches what was repaired is kept, and nothing that did not pass") {
  std::mt19937 engine(7);
  const auto below = [&engine](std::size_t most) { return engine() % most; };
  for (int turn = 0; turn < 2000; ++turn) {
    model::Report report = whole_report();
    for (model::Cell& cell : report.cells) {
      if (below(10) != 0) continue;
      const Outcome outcomes[] = {Outcome::kFail, Outcome::kUntested, Outcome::kUnjudged,
                                  Outcome::kWaived, Outcome::kVerified};
      cell.verdict.outcome = outcomes[below(5)];
      if (below(2) == 0) cell.measurements.clear();
    }
    for (model::Attempt& attempt : report.attempts) {
      if (below(12) == 0) attempt.ending = model::ending::Signalled{11};
    }
    for (model::StepInfo& step : report.steps) {
      if (below(8) == 0) step.state = model::StepState::kStopped;
    }
    const std::string host = "n" + std::to_string(below(3));
    const model::Repair repair{host, below(2) == 0 ? "" : "GPU-" + host + "-1", "r", "t"};
    const auto lines = kept(report, repair);
    const auto all = subjects_in(lines);
    std::set<std::string> done;
    for (const journal::Kept& one : lines) {
      if (one.done) done.insert(one.step);
    }
    for (const model::Cell& cell : report.cells) {
      const bool passes = cell.verdict.outcome == Outcome::kPass ||
                          cell.verdict.outcome == Outcome::kVerified ||
                          (cell.verdict.outcome == Outcome::kWaived && cell.measurements.empty());
      const bool touches = resume::is_repaired(cell.subject, {repair});
      if (passes && !touches) continue;
      CHECK_FALSE(done.contains(cell.step));
      for (const model::Attempt& attempt : report.attempts) {
        if (attempt.step != cell.step || !resume::measures(attempt.subject, cell.subject)) continue;
        CHECK_FALSE(all.contains({attempt.step, model::label(attempt.subject)}));
      }
    }
    for (const model::Attempt& attempt : report.attempts) {
      if (!all.contains({attempt.step, model::label(attempt.subject)})) continue;
      CHECK(std::holds_alternative<model::ending::Completed>(attempt.ending));
      CHECK_FALSE(resume::is_repaired(attempt.subject, {repair}));
    }
  }
}

TEST_CASE("a wrong answer that no repair is about is named") {
  model::Report report = whole_report();
  const model::Repair repair{"n1", "GPU-n1-0", "r", "t"};
  CHECK(resume::wrong_elsewhere(report, {repair}).empty());
  for (model::Cell& cell : report.cells) {
    if (cell.subject != gpu("n1", 0) && cell.subject != gpu("n2", 1)) continue;
    cell.verdict.outcome = Outcome::kFail;
    cell.verdict.reason_id = model::reason_id::kHardwareFault;
  }
  CHECK(resume::wrong_elsewhere(report, {repair}) == std::vector<std::string>{"n2/GPU-n2-1"});
  model::CheckResult check;
  check.passed = false;
  for (model::Attempt& attempt : report.attempts) {
    if (attempt.subject.host == "n0" && attempt.step == "host") attempt.checks = {check};
    if (attempt.step == "world") attempt.checks = {check};
  }
  CHECK(resume::wrong_elsewhere(report, {repair}) == std::vector<std::string>{"n0", "n2/GPU-n2-1"});
  // So does a part of a group that only hung, unless what was repaired was in it.
  model::Attempt part;
  part.step = "world";
  part.narrows = true;
  part.checks = {check};
  part.subject.kind = contract::SubjectKind::kGroup;
  part.subject.group = "world, members 0 and 2";
  part.subject.members = {"n0", "n2"};
  report.attempts.push_back(part);
  part.subject.group = "world, members 0 and 1";
  part.subject.members = {"n0", "n1"};
  report.attempts.push_back(part);
  CHECK(resume::wrong_elsewhere(report, {repair}) ==
        std::vector<std::string>{"n0", "n2/GPU-n2-1", "world, members 0 and 2 (2 hosts)"});
}

TEST_CASE("an attempt that measured a cell which failed is not kept, whatever it is called") {
  model::Report report = whole_report();
  for (model::Cell& cell : report.cells) {
    if (cell.step != "copy" || cell.subject.host != "n2") continue;
    cell.verdict.outcome = Outcome::kFail;
    cell.subject = link(gpu("elsewhere", 0), gpu("elsewhere", 1));
  }
  const auto all = subjects_in(kept(report, {"n1", "", "r", "t"}));
  CHECK(all.contains({"copy", "n0"}));
  CHECK_FALSE(all.contains({"copy", "n2"}));
}

TEST_CASE("a run after a repair goes on from what is kept, under its own name") {
  const model::Report report = whole_report();
  model::Amends amends;
  amends.repairs = {{"n1", "", "r", "t"}};
  resume::Request request;
  request.run_id = "new";
  resume::retest_from(report, amends, {{"host", true, {"n0"}}, {"gemm", false, {"n0/GPU-n0-0"}}},
                      request);
  CHECK(request.run_id == "new");
  CHECK(request.done_steps == std::set<std::string>{"host"});
  CHECK(request.done_subjects.contains({"gemm", "n0/GPU-n0-0"}));
  CHECK(request.done_subjects.size() == 2);
  CHECK(request.repairs == amends.repairs);
  REQUIRE(request.amendment);
  CHECK(request.amendment->kept.size() == 2);
}

}  // namespace retest_scene
