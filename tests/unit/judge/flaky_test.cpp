#include "harness/judge/flaky.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/judge/builder.hpp"

namespace ending = rackproof::model::ending;
namespace judge = rackproof::judge;
namespace model = rackproof::model;
using namespace rackproof::judge_test;

namespace {

std::size_t findings_after(const std::vector<model::Ending>& endings) {
  model::Report report = empty_report();
  for (const model::Ending& end : endings) {
    report.attempts.push_back(attempt(static_cast<int>(report.attempts.size()) + 1));
    report.attempts.back().ending = end;
  }
  return judge::find_flaky(report).size();
}

}  // namespace

TEST_CASE("a process that ended badly once and well once is flaky") {
  CHECK(findings_after({ending::Signalled{11}, ending::Completed{0}}) == 1);
  CHECK(findings_after({ending::Completed{0}, ending::TimedOut{}}) == 1);
  CHECK(findings_after({ending::Completed{5}, ending::Completed{5}, ending::Completed{0}}) == 1);
}

TEST_CASE("always good, always bad, cancelled and unavailable are not") {
  CHECK(findings_after({}) == 0);
  CHECK(findings_after({ending::Completed{0}, ending::Completed{0}}) == 0);
  CHECK(findings_after({ending::Signalled{11}, ending::Wedged{}}) == 0);
  CHECK(findings_after(
            {ending::Cancelled{model::CancelReason::kInterrupted}, ending::Completed{0}}) == 0);
  CHECK(findings_after({ending::Completed{3}, ending::Completed{0}}) == 0);
}

TEST_CASE("the finding names the step, the subject and how it ended") {
  model::Report report = empty_report();
  report.attempts = {attempt(1), attempt(2), attempt(1, "node2"), attempt(3)};
  report.attempts[0].ending = ending::Signalled{11};
  report.attempts[3].ending = ending::Wedged{};
  report.attempts[2].ending = ending::Signalled{11};
  const auto findings = judge::find_flaky(report);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].subject == "node1");
  CHECK(findings[0].step == kStep);
  CHECK(findings[0].text.find("2 of 3") != std::string::npos);
  CHECK(findings[0].text.find(model::sentence(ending::Signalled{11})) != std::string::npos);
}

TEST_CASE("findings come in the order of the steps") {
  model::Report report = empty_report();
  report.steps.push_back(report.steps[0]);
  report.steps[1].id = "a-later-step";
  for (const char* step : {"a-later-step", kStep}) {
    report.attempts.push_back(attempt(1));
    report.attempts.back().step = step;
    report.attempts.back().ending = ending::Wedged{};
    report.attempts.push_back(attempt(2));
    report.attempts.back().step = step;
  }
  const auto findings = judge::find_flaky(report);
  REQUIRE(findings.size() == 2);
  CHECK(findings[0].step == kStep);
  CHECK(findings[1].step == "a-later-step");
}
