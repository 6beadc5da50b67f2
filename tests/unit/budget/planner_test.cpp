#include "harness/budget/planner.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <stdexcept>

#include "harness/budget/choose.hpp"
#include "reports/model/glob.hpp"
#include "tests/unit/budget/request.hpp"

namespace rackproof::budget {
namespace {

using budget_test::request_of;

std::string states(const Plan& plan) {
  std::string text;
  for (const PlannedStep& step : plan.steps) {
    text += (text.empty() ? "" : " ") + std::string(contract::word(step.chosen));
  }
  return text;
}

std::string refusal(const Request& request) {
  try {
    make_plan(request);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "planned";
}

TEST_CASE("the steps that find most in the time are in the plan, the others say why they are not") {
  const Plan plan = make_plan(request_of(130));
  CHECK(states(plan) == "chosen chosen no-time no-time finds-nothing");
  CHECK(plan.usual_seconds == 90);
  CHECK(plan.longest_seconds == 90);
  CHECK(states(make_plan(request_of(1000))) == "chosen chosen chosen chosen finds-nothing");
  const PlannedStep& burn = plan.steps[1];
  CHECK(burn.program == "burn-cuda");
  const double gpus = 8 * (1 - std::exp(-0.001 * 30));
  CHECK(burn.alone == Approx(0.8 * gpus / plan.expected));
  CHECK(burn.adds == Approx(burn.alone));
  // A second step of the program finds less: half of the chance, of what is left.
  CHECK(plan.steps[2].adds == Approx(0.4 * 0.2 * gpus / plan.expected));
}

TEST_CASE("a plan says what it misses of each kind, and what the whole suite does") {
  const Plan plan = make_plan(request_of(130));
  REQUIRE(plan.faults.size() == 4);
  double missed = 0;
  double by_all = 0;
  for (const PlannedFault& fault : plan.faults) {
    missed += fault.missed;
    by_all += fault.missed_by_all;
    if (fault.id == "disk") CHECK(fault.missed == fault.expected);
    if (fault.id == "cable") CHECK(fault.missed == fault.expected);
    if (fault.id == "cable") CHECK(fault.missed_by_all == Approx(0.2 * fault.expected));
    if (fault.id == "gpu") CHECK(fault.missed == Approx(0.2 * fault.expected));
  }
  CHECK(std::is_sorted(plan.faults.begin(), plan.faults.end(),
                       [](const auto& a, const auto& b) { return a.missed > b.missed; }));
  CHECK(plan.missed.usual == Approx(missed / plan.expected));
  CHECK(plan.missed_by_all.usual == Approx(by_all / plan.expected));
  CHECK(plan.missed.low < plan.missed.usual);
  CHECK(plan.missed.usual < plan.missed.high);
  CHECK(plan.fewest_missed <= plan.missed.usual);
}

TEST_CASE("without GPUs their steps are nothing, and on one host no network is tested") {
  Request request = request_of(1000);
  request.machine.gpus = 0;
  request.machine.nics = 1;
  CHECK(states(make_plan(request)) == "chosen no-gpus no-gpus no-gpus finds-nothing");
  request = request_of(1000);
  request.machine.hosts = 1;
  CHECK(states(make_plan(request)) == "chosen chosen chosen finds-nothing finds-nothing");
  request.suite.steps[3].placement = config::Placement::kGroups;
  request.machine.hosts = 2;
  CHECK(states(make_plan(request)) == "chosen chosen chosen finds-nothing finds-nothing");
}

TEST_CASE("demanded steps are in the plan whatever they find") {
  Request request = request_of(130);
  request.must = {"rings", "o*"};
  CHECK(states(make_plan(request)) == "no-time no-time no-time demanded demanded");
  request.seconds = 131;
  CHECK(states(make_plan(request)) == "chosen no-time no-time demanded demanded");
  request.seconds = 60;
  CHECK(refusal(request) == "the steps that are demanded take 1 min 41 s, and there are 1 min");
  request.must = {"gone"};
  CHECK(refusal(request) == "no step of the suite four is 'gone'");
  CHECK(refusal(request_of(0.5)) == "no step of the suite four that finds a fault fits into 0.5 s");
}

TEST_CASE("what a run takes beside its steps is taken from the time") {
  Request request = request_of(130);
  request.runs = {{2, {{"memory", 20.0}}, 75}};
  const Plan plan = make_plan(request);
  CHECK(states(plan) == "chosen no-time no-time no-time finds-nothing");
  CHECK(plan.usual_seconds == 95);
  CHECK(plan.by_reports == 1);
  CHECK(plan.by_deadline == 0);
}

/// One machine: how many of its faults a plan misses. Each fault is looked for by each program in
/// the plan: the first step of it finds it with the program's chance, each further one with a part
/// of that.
std::pair<int, int> one_machine(const Request& request, const Plan& plan, std::mt19937_64& random) {
  std::uniform_real_distribution<double> chance(0, 1);
  int there = 0;
  int missed = 0;
  for (const budget::Fault& fault : request.faults.faults) {
    const double rate = fault.count / (request.faults.parts.at(fault.part) * request.faults.days);
    const auto parts = static_cast<int>(parts_of(request.machine, fault.part));
    for (int part = 0; part < parts; ++part) {
      if (std::exponential_distribution<double>(rate)(random) > request.machine.age_days) continue;
      ++there;
      std::map<std::string, int> looked;
      bool found = false;
      for (const PlannedStep& step : plan.steps) {
        if (!is_in(step.chosen)) continue;
        for (const budget::FoundBy& by : fault.found_by) {
          if (!model::glob_match(by.program, step.program)) continue;
          const bool again = looked[step.program]++ > 0;
          found |= chance(random) < by.chance.usual * (again ? request.faults.again.usual : 1);
        }
      }
      missed += found ? 0 : 1;
    }
  }
  return {there, missed};
}

TEST_CASE("machines with drawn faults miss as many as is predicted") {
  std::mt19937_64 random(11);
  for (const double seconds : {40.0, 130.0, 200.0, 1000.0}) {
    Request request = request_of(seconds);
    request.machine.age_days = 100;
    const Plan plan = make_plan(request);
    const double predicted = plan.missed.usual * plan.expected;
    double observed = 0;
    double there = 0;
    constexpr int kMachines = 20'000;
    for (int i = 0; i < kMachines; ++i) {
      const auto [faults, missed] = one_machine(request, plan, random);
      there += faults;
      observed += missed;
    }
    INFO(seconds << " s: predicted " << predicted << ", observed " << observed / kMachines);
    CHECK(there / kMachines == Approx(plan.expected).epsilon(0.05));
    CHECK(observed / kMachines / predicted < 1.25);
    CHECK(predicted / (observed / kMachines) < 1.25);
  }
}

}  // namespace
}  // namespace rackproof::budget
