#include "harness/evidence/reasons.hpp"

#include <catch2/catch.hpp>

#include "harness/evidence/context.hpp"
#include "harness/judge/judge.hpp"
#include "reports/catalogue/catalogue.hpp"
#include "reports/model/words.hpp"
#include "tests/unit/judge/builder.hpp"

namespace catalogue = rackproof::catalogue;
namespace contract = rackproof::contract;
namespace ending = rackproof::model::ending;
namespace evidence = rackproof::evidence;
namespace judge = rackproof::judge;
namespace model = rackproof::model;
using namespace rackproof::judge_test;
using rackproof::model::CancelReason;

namespace {

model::Verdict after(const model::Ending& end) {
  model::Attempt one = attempt();
  one.ending = end;
  return evidence::untested_after(one);
}

model::StepInfo step(const std::string& state, const std::string& reason) {
  model::StepInfo result;
  result.id = kStep;
  result.state = contract::enumerator_of<model::StepState>(state).value();
  result.reason = model::reason_of<model::StepReason>(reason);
  return result;
}

std::string id_without(const model::Report& report, const model::StepInfo& info) {
  return evidence::untested_without_attempt(evidence::Context(report), cell(), &info).reason_id;
}

}  // namespace

TEST_CASE("every finding that the judge makes is explained in the catalogue") {
  for (const std::string_view id : judge::kOwnFindings)
    CHECK_FALSE(catalogue::find_entries(id).empty());
}

TEST_CASE("every ending has its reason") {
  const std::vector<std::pair<model::Ending, std::string>> rows = {
      {ending::Completed{0}, "no-result"},
      {ending::Completed{1}, "bench-error"},
      {ending::Completed{2}, "bench-usage"},
      {ending::Completed{3}, "unavailable"},
      {ending::Completed{5}, "device-error"},
      {ending::Completed{6}, "gave-up"},
      {ending::Completed{7}, "bench-error"},
      {ending::Completed{-1}, "bench-error"},
      {ending::Completed{255}, "bench-error"},
      {ending::Signalled{11}, "signalled"},
      {ending::TimedOut{3, true, model::ProcessState::kRunning}, "timed-out"},
      {ending::Cancelled{CancelReason::kInterrupted}, "interrupted"},
      {ending::Cancelled{CancelReason::kTimeBudget}, "time-budget"},
      {ending::Cancelled{CancelReason::kRunEnded}, "cancelled"},
      {ending::Cancelled{{CancelReason::kStoppedByFinding, "gpu-lost"}}, "stopped-by-finding"},
      {ending::Cancelled{CancelReason::kBringUp}, "bring-up"},
      {ending::Cancelled{CancelReason::kMemberFailed}, "cancelled"},
      {ending::Cancelled{CancelReason::kRankLost}, "rank-lost"},
      {ending::Cancelled{CancelReason::kRankGone}, "rank-lost"},
      {ending::Cancelled{{CancelReason::kOther, "somebody"}}, "cancelled"},
      {ending::SpawnFailed{"no such file"}, "spawn-failed"},
      {ending::Leaked{0, "pid 7"}, "leaked"},
      {ending::Truncated{0, "no end"}, "truncated"},
      {ending::Garbled{0, "line 3"}, "garbled"},
      {ending::Wedged{10, model::ProcessState::kWaiting}, "wedged"},
      {ending::RankLost{"no heartbeat"}, "rank-lost"},
  };
  for (const auto& [end, id] : rows) {
    const model::Verdict verdict = after(end);
    INFO(id);
    CHECK(verdict.outcome == model::Outcome::kUntested);
    CHECK(verdict.reason_id == id);
    CHECK(verdict.reason.find("attempt 1 of rank 0 on node1") != std::string::npos);
  }
  CHECK(after(ending::Signalled{11}).reason.find("11") != std::string::npos);
}

TEST_CASE("exit codes of processes that ended by themselves") {
  CHECK(evidence::exit_code_of(ending::Completed{4}) == 4);
  CHECK(evidence::exit_code_of(ending::Leaked{4, ""}) == 4);
  CHECK(evidence::exit_code_of(ending::Truncated{4, ""}) == 4);
  CHECK(evidence::exit_code_of(ending::Garbled{4, ""}) == 4);
  CHECK_FALSE(evidence::exit_code_of(ending::Signalled{4}));
  CHECK_FALSE(evidence::exit_code_of(ending::TimedOut{}));
  CHECK_FALSE(evidence::exit_code_of(ending::Cancelled{}));
  CHECK_FALSE(evidence::exit_code_of(ending::SpawnFailed{}));
  CHECK_FALSE(evidence::exit_code_of(ending::Wedged{}));
  CHECK_FALSE(evidence::exit_code_of(ending::RankLost{}));
}

TEST_CASE("without an attempt the step says why") {
  const model::Report report = empty_report();
  for (const char* state : {"skipped", "not-reached", "stopped"}) {
    CHECK(id_without(report, step(state, "time-budget")) == "time-budget");
    CHECK(id_without(report, step(state, "interrupted: SIGINT")) == "interrupted");
    CHECK(id_without(report, step(state, "stopped-by-earlier-step: gemm")) ==
          "stopped-by-earlier-step");
    CHECK(id_without(report, step(state, "late-rank: rank 3, step left out")) == "late-rank");
    CHECK(id_without(report, step(state, "single-rank")) == "single-rank");
    CHECK(id_without(report, step(state, "needs more than one rank")) == "not-started");
    CHECK(id_without(report, step(state, "rank-lost: rank 2")) == "rank-lost");
    CHECK(id_without(report, step(state, "nobody knows")) == "not-started");
    CHECK(id_without(report, step(state, "")) == "not-started");
  }
  CHECK(id_without(report, step("done", "")) == "not-started");
  const model::Verdict unknown =
      evidence::untested_without_attempt(evidence::Context(report), cell(), nullptr);
  CHECK(unknown.outcome == model::Outcome::kUntested);
  CHECK(unknown.reason_id == "not-started");
  const model::StepInfo skipped = step("skipped", "time-budget of 60 s");
  CHECK(evidence::untested_without_attempt(evidence::Context(report), cell(), &skipped)
            .reason.find("60 s") != std::string::npos);
}

TEST_CASE("without an attempt and a reason, a missing rank of the host is to blame") {
  model::Report report = empty_report();
  model::RankInfo rank;
  rank.rank = 3;
  rank.host = "elsewhere";
  rank.state = model::RankState::kLost;
  report.ranks = {rank};
  CHECK(id_without(report, step("done", "")) == "not-started");
  report.ranks[0].host = kHost;
  CHECK(id_without(report, step("done", "")) == "rank-lost");
  CHECK(id_without(report, step("not-reached", "")) == "rank-lost");
  CHECK(id_without(report, step("skipped", "time-budget")) == "time-budget");
  report.ranks[0].state = model::RankState::kNeverArrived;
  CHECK(id_without(report, step("done", "")) == "rank-lost");
  report.ranks[0].state = model::RankState::kFinished;
  CHECK(id_without(report, step("done", "")) == "not-started");
  report.run.interrupted = true;
  CHECK(id_without(report, step("not-reached", "")) == "interrupted");
  CHECK(id_without(report, step("done", "")) == "not-started");
}

TEST_CASE("a wrong answer is told with its place") {
  const model::Attempt one = attempt();
  const model::CheckResult check = bad_check();
  const model::Verdict verdict = evidence::wrong_answer(&one, &check);
  CHECK(verdict.outcome == model::Outcome::kFail);
  CHECK(verdict.reason_id == "wrong-answer");
  for (const char* part : {"triad", "node1", "3 of 1000", "element 17", "got 2.5", "want 2"}) {
    CHECK(verdict.reason.find(part) != std::string::npos);
  }
  CHECK(evidence::wrong_answer(&one, nullptr).outcome == model::Outcome::kFail);
  CHECK(evidence::wrong_answer(nullptr, &check).reason.find("triad") != std::string::npos);
}

TEST_CASE("a GPU that cannot be measured is the reason of what its host owes") {
  model::Report report = empty_report();
  model::StepInfo step = report.steps.front();
  step.placement = "device";
  report.nodes = {{kHost, {}, {}}};
  const auto unknown = evidence::owed_without_gpu(evidence::Context(report), cell(), &step);
  REQUIRE(unknown.has_value());
  CHECK(unknown->outcome == model::Outcome::kUntested);
  CHECK(unknown->reason.find("is not known") != std::string::npos);

  report.nodes[0].facts["gpu.unmanaged"] = {contract::Scalar(std::string("0000:18:00.0")), "test",
                                            ""};
  const auto unseen = evidence::owed_without_gpu(evidence::Context(report), cell(), &step);
  REQUIRE(unseen.has_value());
  CHECK(unseen->reason.find("0000:18:00.0") != std::string::npos);
  CHECK_FALSE(
      evidence::owed_without_gpu(evidence::Context(report), cell(device(kHost, "GPU-1")), &step)
          .has_value());
  step.placement = "node";
  CHECK_FALSE(evidence::owed_without_gpu(evidence::Context(report), cell(), &step).has_value());

  step.placement = "device";
  report.nodes[0].facts = {{"cpu.model", {contract::Scalar(std::string("any")), "test", ""}}};
  CHECK_FALSE(evidence::owed_without_gpu(evidence::Context(report), cell(), &step).has_value());
}
