#include "harness/job/failed.hpp"

#include <catch2/catch.hpp>
#include <fstream>

#include "harness/support/errors.hpp"
#include "reports/json/report_json.hpp"
#include "tests/unit/folder.hpp"

namespace rackproof::job {
namespace {

/// A run of the suite "nightly" on two hosts, of which one failed in the second of two steps.
model::Report report_with_a_failure() {
  model::Report report;
  report.run.id = "r1";
  report.suite.id = "nightly";
  report.suite.digest = std::string(64, 'a');
  for (const char* id : {"stream", "gemm"}) {
    model::StepInfo& step = report.steps.emplace_back();
    step.id = step.bench = id;
    step.backend = "host";
    step.placement = "node";
    step.state = model::StepState::kDone;
    for (const char* host : {"a", "b"}) {
      model::Cell& cell = report.cells.emplace_back();
      cell.id = step.id + host;
      cell.step = id;
      cell.subject.host = host;
      cell.metric = "rate";
      cell.verdict.outcome = model::Outcome::kPass;
    }
  }
  report.cells.back().verdict.outcome = model::Outcome::kFail;
  return report;
}

resume::Request request_of_suite(const std::string& id, char digest) {
  resume::Request request;
  request.suite.info.id = id;
  request.suite.info.digest = std::string(64, digest);
  for (const char* step : {"stream", "gemm"}) request.suite.steps.emplace_back().id = step;
  return request;
}

std::string file_of(const test::Folder& folder, const model::Report& report) {
  std::string file = folder.path() + "/failed.json";
  std::ofstream(file) << model::to_json(report);
  return file;
}

std::string refusal_of_failed(const std::string& file, resume::Request request) {
  try {
    select_failed(file, {}, request);
  } catch (const support::UsageError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a run of what failed is kept to its steps and hosts") {
  const test::Folder folder;
  const std::string file = file_of(folder, report_with_a_failure());
  resume::Request request = request_of_suite("nightly", 'a');
  select_failed(file, {}, request);
  CHECK(request.selection.left_out == std::set<std::string>{"stream"});
  CHECK(request.selection.only_on ==
        std::map<std::string, std::vector<std::string>>{{"gemm", {"b"}}});
  CHECK(request.only_hosts == std::vector<std::string>{"b"});
  CHECK(request.nothing_owed.empty());
}

TEST_CASE("where everything passed nothing is owed") {
  const test::Folder folder;
  model::Report report = report_with_a_failure();
  report.cells.back().verdict.outcome = model::Outcome::kVerified;
  resume::Request request = request_of_suite("nightly", 'a');
  select_failed(file_of(folder, report), {}, request);
  CHECK(request.nothing_owed.starts_with("nothing to run: in "));
  CHECK(request.selection.left_out.empty());
}

TEST_CASE("what failed in another suite, or without a plan, is no selection") {
  const test::Folder folder;
  model::Report report = report_with_a_failure();
  const std::string file = file_of(folder, report);
  CHECK(refusal_of_failed(file, request_of_suite("weekly", 'b'))
            .ends_with("of suite nightly, and this one is of suite weekly"));
  CHECK(refusal_of_failed(file, request_of_suite("nightly", 'b'))
            .ends_with("of suite nightly of sha256 aaaaaaaaaaaa, and this one is of suite nightly "
                       "of sha256 bbbbbbbbbbbb"));
  report.cells.clear();
  CHECK(refusal_of_failed(file_of(folder, report), request_of_suite("nightly", 'a'))
            .ends_with("it has no cells, as that run ended before its plan was whole"));
}

}  // namespace rackproof::job
