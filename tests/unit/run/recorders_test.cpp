#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/unit/run/stage.hpp"

namespace rackproof::run_test {
namespace {

std::vector<warden::Launch> recorders(Stage& stage) {
  std::vector<warden::Launch> all = stage.launches();
  std::erase_if(all, [](const auto& one) { return fakes::head_of(one).bench != "recorder"; });
  return all;
}

// Benches work, recorders do `record`.
fakes::Script with_recorder(fakes::Script record) {
  return [record](const warden::Launch& launch) {
    if (fakes::head_of(launch).bench == "recorder") return record(launch);
    return fakes::good(launch, kMetric, fakes::samples_around(100));
  };
}

fakes::Performance until_cancelled(const warden::Launch& launch) {
  return fakes::Act(launch, 1e6).done();
}

bool has_line(Stage& stage, int rank, const std::string& text) {
  const auto lines = stage.journal_lines(rank);
  return std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
    return line.find("recorder") != std::string::npos && line.find(text) != std::string::npos;
  });
}

}  // namespace

TEST_CASE("each host has one recorder for the whole run, which the run ends") {
  Stage stage(4, 2);
  stage.request.record = true;
  stage.request.suite.steps = {step("a"), step("b")};
  stage.bench = with_recorder(until_cancelled);
  const model::Report report = stage.play();
  const auto launches = recorders(stage);
  REQUIRE(launches.size() == 2);
  CHECK(launches[0].arguments[1] == "record");
  CHECK(launches[0].arguments[3] == "/run/journals/0001-rank-00000.recording");
  CHECK(launches[1].arguments[3] == "/run/journals/0001-rank-00002.recording");
  for (const int rank : {0, 2}) CHECK(has_line(stage, rank, "the end of the run"));
  CHECK(report.run.completed);
  CHECK(state(report, "b") == "done");
  REQUIRE(report.recordings.size() == 2);
  CHECK(report.recordings[1].file == "journals/0001-rank-00002.recording");
  CHECK_FALSE(has_finding(report, "recording-ends"));
}

TEST_CASE("a recorder that cannot work changes no verdict") {
  Stage stage;
  stage.request.record = true;
  stage.request.suite.steps = {step("a")};
  stage.bench =
      with_recorder([](const warden::Launch& launch) { return fakes::Act(launch, 0.1).done(2); });
  const model::Report report = stage.play();
  CHECK(report.acceptance == model::Acceptance::kAccepted);
  CHECK(has_finding(report, "not-recorded"));
}

TEST_CASE("a recorder that does not heed its end holds the run up for seconds only") {
  Stage stage;
  stage.request.record = true;
  stage.request.suite.steps = {step("a")};
  stage.bench = with_recorder([](const warden::Launch& launch) {
    fakes::Performance performance = until_cancelled(launch);
    performance.ignores_term = true;
    return performance;
  });
  const double began = stage.clock.now();
  const model::Report report = stage.play();
  CHECK(report.run.completed);
  CHECK(stage.clock.now() - began < 60);
}

TEST_CASE("without being asked nobody records") {
  Stage stage;
  stage.request.suite.steps = {step("a")};
  stage.play();
  CHECK(recorders(stage).empty());
}

}  // namespace rackproof::run_test
