#include "harness/run/coordinator.hpp"

#include <catch2/catch.hpp>
#include <csignal>

#include "tests/unit/run/stage.hpp"

using namespace rackproof;
using namespace rackproof::run_test;
using fakes::Act;
using model::Outcome;

namespace {

// Performances one after the other; the last one goes on.
fakes::Script in_turn(std::vector<fakes::Script> scripts) {
  return [scripts = std::move(scripts), next = std::size_t{0}](const auto& launch) mutable {
    const fakes::Script& script = scripts[std::min(next++, scripts.size() - 1)];
    return script(launch);
  };
}

fakes::Script measures(double value, double spread = 0.01, double seconds = 1) {
  return [=](const warden::Launch& launch) {
    return fakes::good(launch, kMetric, fakes::samples_around(value, spread), seconds);
  };
}

fakes::Performance crashes(const warden::Launch& launch) {
  return Act(launch).hello().killed(SIGSEGV);
}

fakes::Script exits_with(int code) {
  return [code](const warden::Launch& launch) { return Act(launch).hello().end(code).done(code); };
}

fakes::Performance is_wrong(const warden::Launch& launch) {
  return Act(launch).hello().check(false).metric(kMetric, {100, 100}).end(4).done(4);
}

}  // namespace

TEST_CASE("a run alone measures every cell and says how it went") {
  Stage stage;
  stage.request.suite.steps = {step("a"), step("b")};
  const model::Report report = stage.play();
  REQUIRE(report.cells.size() == 2);
  CHECK(report.acceptance == model::Acceptance::kAccepted);
  CHECK(report.counts.pass == 2);
  CHECK(report.cells[0].measurements.size() == 1);
  CHECK(report.attempts.size() == 2);
  CHECK(state(report, "a") == "done");
  CHECK(report.run.completed);
  CHECK(report.run.id == "test-run");
  CHECK(report.run.seconds == Approx(2.1).margin(0.2));
  CHECK(report.platform_of_host.at("node0") == "any");
  CHECK_FALSE(has_finding(report, "platform-unrecognised"));
  CHECK(stage.seen.find("[1/2] a (fake-host on 1 node)") != std::string::npos);
  CHECK(stage.seen.find("[2/2] b") != std::string::npos);
}

TEST_CASE("a number below its limit rejects and is measured once") {
  Stage stage;
  stage.request.suite.steps = {step("a")};
  stage.request.suite.steps[0].attempts = 3;
  stage.bench = measures(50);
  CHECK(stage.play().acceptance == model::Acceptance::kRejected);
  CHECK(stage.launches().size() == 1);
}

TEST_CASE("a crash is tried again, and what came in the end counts") {
  Stage stage;
  stage.request.suite.steps = {step("a")};
  stage.request.suite.steps[0].attempts = 3;
  stage.bench = in_turn({crashes, crashes, measures(100)});
  const model::Report report = stage.play();
  REQUIRE(report.attempts.size() == 3);
  CHECK(model::word(report.attempts[1].ending) == "signalled");
  CHECK(report.attempts[2].number == 3);
  CHECK(verdict(report, "a").outcome == Outcome::kPass);
  CHECK(report.cells[0].measurements.size() == 1);
}

TEST_CASE("attempts are as many as the step allows") {
  Stage stage;
  stage.request.suite.steps = {step("a"), step("b")};
  stage.request.suite.steps[0].attempts = 2;
  stage.bench = [](const warden::Launch& launch) {
    return fakes::head_of(launch).step == "a" ? crashes(launch) : measures(100)(launch);
  };
  const model::Report report = stage.play();
  CHECK(report.attempts.size() == 3);
  CHECK(verdict(report, "a").outcome == Outcome::kUntested);
  CHECK(verdict(report, "b").outcome == Outcome::kPass);
  CHECK(state(report, "a") == "done");
  CHECK(report.acceptance == model::Acceptance::kIncomplete);
}

TEST_CASE("only a fault that may not be there again is tried again") {
  const auto launches = [](fakes::Script first) {
    Stage stage;
    stage.request.suite.steps = {step("a")};
    stage.request.suite.steps[0].attempts = 2;
    stage.bench = in_turn({std::move(first), measures(100)});
    stage.play();
    return stage.launches().size();
  };
  CHECK(launches(exits_with(1)) == 2);
  CHECK(launches(exits_with(5)) == 2);
  CHECK(launches([](const auto& launch) { return Act(launch).hello().done(); }) == 2);
  CHECK(launches([](const auto& launch) { return Act(launch).line("{").done(); }) == 2);
  CHECK(launches([](const auto& launch) { return Act(launch, 1e6).hello().done(); }) == 2);
  CHECK(launches(exits_with(2)) == 1);
  CHECK(launches(exits_with(3)) == 1);
  CHECK(launches(is_wrong) == 1);
}

TEST_CASE("a wrong answer fails, whatever the number") {
  Stage stage;
  stage.request.suite.steps = {step("a")};
  stage.bench = is_wrong;
  const model::Report report = stage.play();
  CHECK(verdict(report, "a").outcome == Outcome::kFail);
  CHECK(verdict(report, "a").reason_id == "wrong-answer");
}

TEST_CASE("a number whose interval holds the limit is measured again") {
  Stage stage;
  stage.request.suite.steps = {step("a")};
  stage.request.suite.steps[0].attempts = 3;
  SECTION("until it is decided") {
    stage.bench = in_turn({measures(91, 0.1), measures(100, 0.001)});
    const model::Report report = stage.play();
    CHECK(report.attempts.size() == 2);
    REQUIRE(report.cells[0].measurements.size() == 2);
    CHECK(verdict(report, "a").outcome == Outcome::kPass);
  }
  SECTION("and no more often than the step allows") {
    stage.bench = measures(91, 0.1);
    CHECK(stage.play().attempts.size() == 3);
  }
}

TEST_CASE("the time budget stops a step that runs and those after it") {
  Stage stage;
  stage.request.suite.steps = {step("a"), step("b"), step("c")};
  stage.request.time_budget_seconds = 15;
  stage.bench = measures(100, 0.01, 10);
  const model::Report report = stage.play();
  CHECK(state(report, "a") == "done");
  CHECK(state(report, "b") == "stopped: time-budget");
  CHECK(state(report, "c") == "not-reached: time-budget");
  REQUIRE(report.attempts.size() == 2);
  CHECK(report.attempts[1].ending ==
        model::Ending(model::ending::Cancelled{model::CancelReason::kTimeBudget}));
  CHECK(report.run.seconds == Approx(15).margin(0.6));
  CHECK_FALSE(report.run.completed);
  CHECK(report.acceptance == model::Acceptance::kIncomplete);
}

TEST_CASE("an interrupt stops the run in order and keeps what was measured") {
  Stage stage;
  stage.request.suite.steps = {step("a"), step("b"), step("c")};
  stage.bench = measures(100, 0.01, 10);
  stage.clock.at(12, [&] { stage.interrupts = 1; });
  const model::Report report = stage.play();
  CHECK(stage.coordinator().interrupted());
  CHECK(report.run.interrupted);
  CHECK_FALSE(report.run.completed);
  CHECK(verdict(report, "a").outcome == Outcome::kPass);
  CHECK(state(report, "b") == "stopped: interrupted");
  CHECK(state(report, "c") == "not-reached: interrupted");
  CHECK(report.run.seconds < 13);
  CHECK(has_finding(report, "interrupted"));
}

TEST_CASE("a crash after an interrupt is not tried again") {
  Stage stage;
  stage.request.suite.steps = {step("a")};
  stage.request.suite.steps[0].attempts = 3;
  stage.bench = crashes;
  stage.clock.at(0.5, [&] { stage.interrupts = 1; });
  stage.play();
  CHECK(stage.launches().size() == 1);
}

TEST_CASE("a step whose failure stops the run stops it, and the run was complete") {
  Stage stage;
  stage.request.suite.steps = {step("a"), step("b")};
  stage.request.suite.steps[0].failure_stops_run = true;
  SECTION("after a crash") {
    stage.bench = crashes;
    const model::Report report = stage.play();
    CHECK(state(report, "b") == "not-reached: stopped-by-earlier-step");
    CHECK(stage.launches().size() == 1);
    CHECK(verdict(report, "b").outcome == Outcome::kUntested);
    CHECK(report.acceptance == model::Acceptance::kIncomplete);
  }
  SECTION("not when it succeeds") { CHECK(state(stage.play(), "b") == "done"); }
  SECTION("not when it succeeds after all") {
    stage.request.suite.steps[0].attempts = 2;
    int tries = 0;
    const fakes::Script well = stage.bench;
    stage.bench = [&](const warden::Launch& launch) {
      return ++tries == 1 ? crashes(launch) : well(launch);
    };
    CHECK(state(stage.play(), "b") == "done");
  }
}

TEST_CASE("a GPU that cannot be measured is a finding") {
  Stage stage;
  stage.request.suite.steps = {step("a")};
  stage.request.required = {"gpu"};
  stage.survey = [](const auto&) {
    model::NodeInventory found;
    found.facts["gpu.silent"] = {contract::Scalar(std::string("3: GPU is lost")), "NVML", ""};
    return fakes::inventory(found);
  };
  const model::Report report = stage.play();
  CHECK(has_finding(report, "gpu-missing", "3: GPU is lost"));
  CHECK(report.run.required == std::vector<std::string>{"gpu"});
  CHECK(report.acceptance == model::Acceptance::kIncomplete);
}

TEST_CASE("two tables that fit equally well, and one named by hand, are said") {
  Stage stage;
  stage.request.suite.steps = {step("a")};
  SECTION("ambiguous") {
    stage.survey = [](const auto&) {
      model::NodeInventory found;
      found.facts["cpu.model"] = {contract::Scalar(std::string("x")), "test", ""};
      return fakes::inventory(found);
    };
    for (const char* id : {"one", "two"}) {
      model::PlatformTable more = table();
      more.id = id;
      more.generic = false;
      more.recognise = {{"cpu.model", {}, "x*", {}, {}}};
      stage.request.tables.push_back(more);
    }
    const model::Report report = stage.play();
    CHECK(has_finding(report, "ambiguous-platform", "one"));
    CHECK(verdict(report, "a").outcome == Outcome::kUnjudged);
  }
  SECTION("forced") {
    stage.request.forced_platform = "any";
    const model::Report report = stage.play();
    CHECK(has_finding(report, "platform-forced", "any"));
    CHECK_FALSE(has_finding(report, "platform-unrecognised"));
    CHECK(report.run.platform_choice == model::PlatformChoice::kForced);
  }
  SECTION("a table that contradicts a host is refused unless somebody insists") {
    model::PlatformTable other = table();
    other.id = "other";
    other.generic = false;
    other.recognise = {{"cpu.model", {}, "y*", {}, {}}};
    stage.request.tables = {other};
    stage.request.forced_platform = "other";
    stage.survey = [](const auto&) {
      model::NodeInventory found;
      found.facts["cpu.model"] = {contract::Scalar(std::string("x")), "test", ""};
      return fakes::inventory(found);
    };
    CHECK_THROWS_WITH(stage.coordinator().prepare(true), Catch::Contains("cpu.model is x") &&
                                                             Catch::Contains("requires y*") &&
                                                             Catch::Contains("--force-platform"));
  }
}

TEST_CASE("a resumed run leaves out what is done, and refuses to become another run") {
  Stage stage;
  stage.request.suite.steps = {step("a"), step("b")};
  stage.request.segment = 2;
  stage.request.done_steps = {"a"};
  SECTION("the same run") {
    stage.request.owed_cells = {"a:node0:fake.rate[]", "b:node0:fake.rate[]"};
    const model::Report report = stage.play();
    REQUIRE(stage.launches().size() == 1);
    CHECK(fakes::head_of(stage.launches()[0]).step == "b");
    CHECK(stage.disk->files.contains("/run/journals/0002-rank-00000.jsonl"));
  }
  SECTION("other cells") {
    stage.request.owed_cells = {"a:node7:fake.rate[]", "b:node0:fake.rate[]"};
    CHECK_THROWS_WITH(stage.play(), Catch::Contains("node0:fake.rate"));
    CHECK(stage.launches().empty());
  }
}

TEST_CASE("a resumed run goes no further than the step that stopped it") {
  Stage stage;
  stage.request.suite.steps = {step("a"), step("b")};
  stage.request.suite.steps[0].failure_stops_run = true;
  stage.request.segment = 2;
  stage.request.done_steps = {"a"};
  SECTION("which failed") {
    stage.request.failed_steps = {"a"};
    CHECK(state(stage.play(), "b") == "not-reached: stopped-by-earlier-step");
    CHECK(stage.launches().empty());
  }
  SECTION("unless it went well") { CHECK(state(stage.play(), "b") == "done"); }
}

TEST_CASE("a journal that cannot be kept ends the run") {
  Stage stage;
  stage.request.suite.steps = {step("a"), step("b")};
  SECTION("before it begins") {
    stage.disk->full = true;
    CHECK_THROWS_AS(stage.play(), warden::WardenError);
    CHECK(stage.launches().empty());
  }
  SECTION("in the middle, keeping what was written") {
    stage.clock.at(1.5, [&] { stage.disk->full = true; });
    CHECK_THROWS_AS(stage.play(), warden::WardenError);
    const model::Report report = stage.assembled();
    CHECK(verdict(report, "a").outcome == Outcome::kPass);
    CHECK(verdict(report, "b").outcome == Outcome::kUntested);
    CHECK(report.acceptance == model::Acceptance::kIncomplete);
  }
}

TEST_CASE("without a record nothing is written, and with an inventory in hand nothing started") {
  Stage stage;
  stage.request.suite.steps = {step("a")};
  stage.request.survey_here = [] { return recognised({}); };
  const plan::Plan& plan = stage.coordinator().prepare(false);
  CHECK(plan.cells.size() == 1);
  CHECK(plan.cells[0].subject.host == "node0");
  CHECK(stage.disk->files.empty());
  CHECK(stage.player(0).warden.launches().empty());
  CHECK(stage.coordinator().account().report.platform_of_host.at("node0") == "any");
}

TEST_CASE("programs are told what they need") {
  Stage stage;
  stage.request.suite.steps = {step("a", config::Placement::kDevice)};
  stage.request.suite.steps[0].arguments = {"--seconds", "1"};
  stage.request.suite.steps[0].environment = {{"A", "b"}};
  stage.survey = [](const auto&) {
    model::NodeInventory found;
    found.devices = {{"GPU-7", 0, {}}};
    return fakes::inventory(found);
  };
  const model::Report report = stage.play();
  REQUIRE(stage.launches().size() == 1);
  const warden::Launch launch = stage.launches()[0];
  CHECK(launch.arguments == std::vector<std::string>{"/bench/fake-host", "--json", "--seconds", "1",
                                                     "--device", "GPU-7"});
  CHECK(launch.environment.at("A") == "b");
  CHECK(launch.environment.at("CUDA_VISIBLE_DEVICES") == "GPU-7");
  CHECK(launch.deadline_seconds == 30);
  CHECK(launch.attempt == "test-run/1/a/0/1");
  CHECK(has_finding(report, "unexpected-metric"));
  const warden::Launch inventory = stage.player(0).warden.launches()[1];
  CHECK(inventory.arguments == std::vector<std::string>{"/bin/rackproof", "inventory", "--record"});
  CHECK(inventory.deadline_seconds > 0);
}
