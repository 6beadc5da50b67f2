#include "harness/budget/shorter_suite.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/support/files.hpp"
#include "tests/unit/folder.hpp"

namespace rackproof::budget {
namespace {

const std::string kRoot = RACKPROOF_SOURCE_DIR;
const std::string kAcceptance = kRoot + "/configs/suites/acceptance.json";

Request acceptance_in(double minutes, int gpus = 4) {
  Request request;
  request.suite = config::load_suite(kAcceptance);
  request.faults = budget::load_faults(kRoot + "/configs/faults.json");
  request.machine = {18, gpus, std::max(gpus, 1), 30};
  request.seconds = minutes * 60;
  return request;
}

config::Suite written(const Request& request) {
  const test::Folder folder;
  const std::string file = folder.path() + "/short.json";
  std::ofstream(file) << shorter_suite(support::read_file(kAcceptance), request,
                                       make_plan(request));
  return config::load_suite(file);
}

bool has_step(const config::Suite& suite, const std::string& id) {
  return std::any_of(suite.steps.begin(), suite.steps.end(),
                     [&](const config::Step& step) { return step.id == id; });
}

TEST_CASE("plans of the shipped suite are suites, for every time and machine") {
  for (const int gpus : {0, 1, 8}) {
    for (const double minutes : {0.5, 1.0, 2.0, 5.0, 20.0, 60.0, 1000.0}) {
      const Request request = acceptance_in(minutes, gpus);
      const config::Suite suite = written(request);
      REQUIRE(suite.info.plan);
      const model::SuitePlan& plan = *suite.info.plan;
      CHECK(plan.of == "acceptance");
      CHECK(plan.of_digest == request.suite.info.digest);
      CHECK(plan.of_steps == static_cast<int>(request.suite.steps.size()));
      CHECK(plan.budget_seconds == Approx(minutes * 60));
      CHECK(plan.usual_seconds <= plan.budget_seconds + 1e-6);
      CHECK(plan.missed >= plan.missed_by_all);
      CHECK(suite.info.policy == request.suite.info.policy);
      CHECK(suite.info.id != request.suite.info.id);
      for (const model::Claim& claim : suite.info.claims) {
        for (const std::string& step : claim.steps) CHECK(has_step(suite, step));
      }
    }
  }
}

TEST_CASE("more time never misses more") {
  double before = 1;
  for (const double minutes : {1.0, 2.0, 3.0, 5.0, 8.0, 13.0, 21.0, 34.0, 55.0, 1000.0}) {
    const double missed = make_plan(acceptance_in(minutes)).missed.usual;
    // The choice is not always the best one.
    CHECK(missed <= before * 1.05);
    before = missed;
  }
}

TEST_CASE("a claim that stood in for one that is left out is not made where there are GPUs") {
  const auto claims_of = [](const Request& request) {
    std::set<std::string> ids;
    for (const model::Claim& claim : written(request).info.claims) ids.insert(claim.id);
    return ids;
  };
  // Without GPUs MPI is what connects the hosts.
  Request request = acceptance_in(2, 0);
  request.must = {"collectives"};
  CHECK(claims_of(request).contains("mpi"));
  request = acceptance_in(1, 4);
  request.must = {"collectives"};
  REQUIRE_FALSE(has_step(written(request), "stream-gpu"));
  CHECK_FALSE(claims_of(request).contains("mpi"));
  request = acceptance_in(5, 4);
  request.must = {"collectives", "stream-gpu"};
  CHECK(claims_of(request).contains("mpi"));
  CHECK(claims_of(request).contains("gpu-memory"));
}

TEST_CASE(
    "what reports say of a step's time goes into the suite, and its attempts fit the budget") {
  Request request = acceptance_in(1);
  request.runs = {{18, {{"stream-gpu", 12.5}}, 0}};
  const config::Suite suite = written(request);
  REQUIRE(has_step(suite, "stream-gpu"));
  for (const config::Step& step : suite.steps) {
    if (step.id == "stream-gpu") CHECK(step.takes_seconds == 12.5);
    CHECK(step.deadline_seconds * step.attempts <= suite.time_budget_seconds);
  }
  CHECK(suite.info.plan->basis.find("by 1 report") != std::string::npos);
}

TEST_CASE("the id of a plan is a name, however long that of the suite is") {
  Request request = acceptance_in(20);
  CHECK(shorter_id(request) == "acceptance-20min");
  request.seconds = 90;
  CHECK(shorter_id(request) == "acceptance-1.5min");
  request.suite.info.id = std::string(64, 'x');
  CHECK(shorter_id(request).size() == 64);
}

}  // namespace
}  // namespace rackproof::budget
