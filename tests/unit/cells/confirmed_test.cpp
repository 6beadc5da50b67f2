#include "harness/cells/confirmed.hpp"

#include <catch2/catch.hpp>

#include "harness/cells/cell.hpp"
#include "harness/judge/judge.hpp"
#include "tests/unit/judge/builder.hpp"

namespace cells = rackproof::cells;
namespace contract = rackproof::contract;
namespace evidence = rackproof::evidence;
namespace model = rackproof::model;
using model::Outcome;
using namespace rackproof::judge_test;

namespace {

/// What counts of the confirmations of the only cell.
std::vector<double> counted(const model::Report& report) {
  const evidence::Context context(report);
  evidence::Courses courses(context);
  return cells::judge_cell(courses, report.cells.front()).again;
}

model::Report measured_again() {
  model::Report report = one_cell(95);
  confirm(report, 2);
  return report;
}

}  // namespace

TEST_CASE(
    "later values are taken by the statistic of the verdict, and the verdict is not of them") {
  model::Report report = measured_again();
  for (model::Measurement& one : report.cells[0].confirmations) {
    one.value = 50;
    for (double& sample : one.samples) sample = 50;
  }
  CHECK(counted(report) == std::vector<double>{50, 50});
  CHECK(judged(report).outcome == Outcome::kPass);
  CHECK(*judged(report).observed == Approx(95));
}

TEST_CASE("a later value that proves nothing does not count") {
  const auto count_with = [](const auto& change) {
    model::Report report = measured_again();
    change(report.cells[0].confirmations[0], report.attempts[1]);
    return counted(report).size();
  };
  CHECK(count_with([](model::Measurement&, model::Attempt&) {}) == 2);
  CHECK(count_with([](model::Measurement& one, model::Attempt&) { one.check.compared = 0; }) == 1);
  CHECK(count_with([](model::Measurement& one, model::Attempt&) { one.check.name = ""; }) == 1);
  CHECK(count_with([](model::Measurement& one, model::Attempt&) { one.value = 0; }) == 1);
  CHECK(count_with([](model::Measurement& one, model::Attempt&) { one.samples[3] = -1; }) == 1);
  CHECK(count_with([](model::Measurement& one, model::Attempt&) { one.unit = "s"; }) == 1);
  CHECK(count_with([](model::Measurement& one, model::Attempt&) {
          one.better = contract::Better::kLess;
        }) == 1);
  CHECK(count_with([](model::Measurement& one, model::Attempt&) {
          one.samples = {1, 1, 1, 95, 95, 95, 95, 95, 99};
        }) == 1);
  CHECK(count_with([](model::Measurement& one, model::Attempt&) { one.attempt = "none"; }) == 1);
  CHECK(count_with([](model::Measurement&, model::Attempt& made) { made.confirms = false; }) == 1);
  CHECK(count_with([](model::Measurement&, model::Attempt& made) { made.load = taken(0.5); }) == 1);
}

TEST_CASE("a measurement of an attempt that confirms is none of the cell's own") {
  model::Report report = one_cell(95);
  report.attempts[0].confirms = true;
  CHECK(judged(report).outcome == Outcome::kUntested);
}

TEST_CASE("a wrong answer in a later measurement fails the cell") {
  model::Report report = measured_again();
  report.cells[0].confirmations[1].check = bad_check();
  CHECK(judged(report).outcome == Outcome::kFail);
  CHECK(judged(report).reason_id == "wrong-answer");

  report = measured_again();
  report.attempts[2].checks = {bad_check("other")};
  CHECK(judged(report).outcome == Outcome::kFail);
}

TEST_CASE("an attempt that confirms and does not end well leaves its cell untested") {
  model::Report report = measured_again();
  report.attempts[2].ending = model::ending::Signalled{11};
  CHECK(judged(report).outcome == Outcome::kUntested);
}

TEST_CASE("a later measurement does not mend an attempt that did not end well") {
  model::Report report = one_cell(95);
  model::Attempt crashed = attempt(2);
  crashed.ending = model::ending::Signalled{11};
  report.attempts.push_back(crashed);
  model::Attempt again = attempt(3);
  again.confirms = true;
  report.attempts.push_back(again);
  report.cells[0].confirmations = {measurement(again.nonce, 95)};
  CHECK(judged(report).outcome == Outcome::kUntested);
}
