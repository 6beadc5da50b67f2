#include <catch2/catch.hpp>
#include <set>

#include "harness/document/schema.hpp"
#include "harness/journal/entry_json.hpp"
#include "tests/unit/run/stage.hpp"

using namespace rackproof;

namespace {

const std::string kSchema =
    std::string(RACKPROOF_SOURCE_DIR) + "/reports/schema/journal.schema.json";

// Gives the kinds of entries that were written.
std::set<std::size_t> check_lines(run_test::Stage& stage, int ranks) {
  std::set<std::size_t> kinds;
  for (int rank = 0; rank < ranks; ++rank) {
    for (const std::string& line : stage.journal_lines(rank)) {
      INFO(line);
      for (const document::SchemaIssue& issue : document::validate(kSchema, line)) {
        FAIL_CHECK(issue.pointer << ": " << issue.text);
      }
      const auto entry = journal::read_entry(line);
      REQUIRE(entry);
      CHECK(journal::to_json(*entry) == line);
      kinds.insert(entry->index());
    }
  }
  return kinds;
}

}  // namespace

TEST_CASE("every line that a run writes is as the schema says, and reads back as it is") {
  run_test::Stage stage(3);
  stage.request.suite.steps = {run_test::step("a"), run_test::ring(), run_test::step("b")};
  stage.request.tables = {run_test::table()};
  model::MetricBound bound;
  bound.metric = run_test::kMetric;
  stage.request.bounds = {bound};
  stage.bench = [](const warden::Launch& launch) {
    const model::Attempt head = fakes::head_of(launch);
    if (head.step == "ring") return fakes::Act(launch, 1).hello().killed(11);
    if (head.rank == 1) return fakes::Act(launch).hello().line("half", false).done(7);
    return fakes::good(launch, run_test::kMetric, fakes::samples_around(100));
  };
  // Rank 2 goes away before the last step.
  stage.player(2).warden.close(model::CloseReason::kRankGone);
  stage.kill(2);
  stage.play();
  const std::set<std::size_t> kinds = check_lines(stage, 3);
  CHECK(kinds.contains(journal::Entry(journal::Begin{}).index()));
  CHECK(kinds.contains(journal::Entry(journal::End{}).index()));
  CHECK(kinds.contains(journal::Entry(journal::Finding{}).index()));
  CHECK(kinds.contains(journal::Entry(journal::Ended{}).index()));
}
