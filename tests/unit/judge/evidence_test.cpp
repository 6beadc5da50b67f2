#include "harness/judge/evidence.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/judge/builder.hpp"

namespace judge = rackproof::judge;
namespace model = rackproof::model;
namespace ending = rackproof::model::ending;
using namespace rackproof::judge_test;

namespace {

struct Seen {
  std::size_t clean = 0;
  std::string culprit;
  std::string wrong;  ///< reason, when a wrong answer was found
};

Seen look(const model::Report& report) {
  const judge::Context context(report);
  const model::Cell& one = report.cells.at(0);
  const judge::Evidence evidence = judge::gather(context, one);
  const auto wrong = judge::find_wrong_answer(context, one, evidence);
  return {evidence.clean.size(), evidence.culprit == nullptr ? "" : evidence.culprit->nonce,
          wrong ? wrong->reason : ""};
}

/// A second attempt of the cell with this ending, and a measurement of it when asked for.
void add_attempt(model::Report& report, const model::Ending& end, bool measured = true) {
  const int number = static_cast<int>(report.attempts.size()) + 1;
  report.attempts.push_back(attempt(number));
  report.attempts.back().ending = end;
  if (measured) report.cells[0].measurements.push_back(measurement(report.attempts.back().nonce));
}

}  // namespace

TEST_CASE("a transcript is whole after exit 0, or exit 4 with its failed check named") {
  model::Attempt one = attempt();
  CHECK(judge::is_whole(one));
  one.ending = ending::Completed{4};
  CHECK_FALSE(judge::is_whole(one));
  one.checks.push_back(bad_check("copy"));
  CHECK(judge::is_whole(one));
  for (const int code : {1, 2, 3, 5, 77}) {
    one.ending = ending::Completed{code};
    CHECK_FALSE(judge::is_whole(one));
  }
  one.ending = ending::Leaked{0, ""};
  CHECK_FALSE(judge::is_whole(one));
}

TEST_CASE("a check that passed and yet counts wrong elements failed") {
  model::CheckResult check = good_check();
  CHECK_FALSE(judge::is_failed(check));
  check.wrong = 1;
  CHECK(judge::is_failed(check));
}

TEST_CASE("a good attempt leaves clean evidence") {
  const Seen seen = look(one_cell());
  CHECK(seen.clean == 1);
  CHECK(seen.culprit.empty());
  CHECK(seen.wrong.empty());
}

TEST_CASE("a measurement that no attempt of its step said is not evidence") {
  model::Report report = one_cell();
  report.cells[0].measurements[0].attempt = "stale";
  CHECK(look(report).clean == 0);
  report = one_cell();
  report.attempts[0].step = "gemm";
  CHECK(look(report).clean == 0);
  report = one_cell();
  report.attempts.push_back(attempt(1));
  CHECK(look(report).clean == 0);
}

TEST_CASE("a number of an attempt that did not end well waits for a later one") {
  model::Report report = one_cell();
  report.attempts[0].ending = ending::Signalled{11};
  Seen seen = look(report);
  CHECK(seen.clean == 0);
  CHECK(seen.culprit == "a1");
  add_attempt(report, ending::Completed{0});
  seen = look(report);
  CHECK(seen.clean == 1);
  CHECK(seen.culprit.empty());
}

TEST_CASE("a good number does not outlive a later bad ending, unless we cancelled it ourselves") {
  model::Report report = one_cell();
  add_attempt(report, ending::Wedged{}, false);
  CHECK(look(report).culprit == "a2");
  report.attempts[1].ending = ending::Cancelled{"time budget"};
  const Seen seen = look(report);
  CHECK(seen.culprit.empty());
  CHECK(seen.clean == 1);
}

TEST_CASE("a cancelled attempt with nothing before it leaves nothing") {
  model::Report report = one_cell();
  report.attempts[0].ending = ending::Cancelled{"interrupt"};
  const Seen seen = look(report);
  CHECK(seen.culprit == "a1");
  CHECK(seen.clean == 0);
}

TEST_CASE("one process of a group spoils the round, and is named before those cancelled for it") {
  model::Report report = one_cell();
  report.cells[0].subject = group("world", {"node1", "node2", "node3"});
  report.attempts = {attempt(1), attempt(1, "node2"), attempt(1, "node3")};
  CHECK(look(report).clean == 1);
  report.attempts[0].ending = ending::Cancelled{"rank 1 failed"};
  report.attempts[1].ending = ending::Cancelled{"rank 2 failed"};
  report.attempts[2].ending = ending::Signalled{9};
  const Seen seen = look(report);
  CHECK(seen.clean == 0);
  CHECK(seen.culprit == "node3a1");
}

TEST_CASE("after a resume the later attempt of the same number replaces the lost one") {
  model::Report report = one_cell();
  report.attempts[0].ending = ending::RankLost{"killed"};
  report.cells[0].measurements.clear();
  CHECK(look(report).culprit == "a1");
  model::Attempt again = attempt(1);
  again.nonce = "segment2";
  report.attempts.push_back(again);
  report.cells[0].measurements = {measurement("segment2")};
  const Seen seen = look(report);
  CHECK(seen.culprit.empty());
  CHECK(seen.clean == 1);
}

TEST_CASE("a failed check fails the cell that names it, whatever comes later") {
  model::Report report = one_cell();
  report.attempts[0].checks = {bad_check()};
  report.attempts[0].ending = ending::Completed{4};
  report.cells[0].measurements.clear();
  add_attempt(report, ending::Completed{0});
  CHECK(look(report).wrong.find("element 17") != std::string::npos);
}

TEST_CASE("a measurement with a failed check fails, even when the attempt does not list it") {
  model::Report report = one_cell();
  report.cells[0].measurements[0].check = bad_check();
  CHECK(look(report).wrong.find("element 17") != std::string::npos);
  report.attempts.clear();
  CHECK(look(report).wrong.find("element 17") != std::string::npos);
}

TEST_CASE("a failed check of another cell leaves a proven number alone") {
  model::Report report = one_cell();
  report.attempts[0].checks.push_back(bad_check("copy"));
  report.attempts[0].ending = ending::Completed{4};
  const Seen seen = look(report);
  CHECK(seen.wrong.empty());
  CHECK(seen.culprit.empty());
  CHECK(seen.clean == 1);
}

TEST_CASE("a cell without a number in the round of a failed check fails with it") {
  model::Report report = one_cell();
  report.attempts[0].checks.push_back(bad_check("copy"));
  report.attempts[0].ending =
      GENERATE(model::Ending(ending::Completed{4}), model::Ending(ending::Completed{0}),
               model::Ending(ending::Signalled{11}));
  report.cells[0].measurements.clear();
  CHECK(look(report).wrong.find("check copy failed") != std::string::npos);
}

TEST_CASE("exit 4 without a named check makes every number of it wrong") {
  model::Report report = one_cell();
  report.attempts[0].ending =
      GENERATE(model::Ending(ending::Completed{4}), model::Ending(ending::Leaked{4, ""}),
               model::Ending(ending::Truncated{4, ""}), model::Ending(ending::Garbled{4, ""}));
  CHECK(look(report).wrong.find("exit code") != std::string::npos);
}

TEST_CASE("a wrong answer at another subject or step is not this cell's") {
  model::Report report = one_cell();
  report.attempts.push_back(attempt(1, "node2"));
  report.attempts[1].checks = {bad_check()};
  report.attempts.push_back(attempt(3));
  report.attempts[2].step = "gemm";
  report.attempts[2].checks = {bad_check()};
  CHECK(look(report).wrong.empty());
}

TEST_CASE("in a group the check of one rank covers what another rank measured") {
  model::Report report = one_cell();
  report.cells[0].subject = group("world", {"node1", "node2"});
  report.attempts.push_back(attempt(1, "node2"));
  report.attempts[1].checks = {bad_check("other")};
  CHECK(look(report).wrong.empty());
  report.attempts[1].checks = {bad_check("triad")};
  CHECK_FALSE(look(report).wrong.empty());
}
