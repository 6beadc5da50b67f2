#include "harness/ledger/ledger_text.hpp"

#include <catch2/catch.hpp>

#include <sstream>

#include "reports/model/printable.hpp"
#include "tests/unit/ledger/answers.hpp"

namespace rackproof::ledger {
namespace {

using Catch::Contains;
using namespace ledger_test;

const terminal::Style kPlain;

TEST_CASE("a part is told with its places, runs, failures, values and waivers") {
  const std::string text = part_text({gpu()}, kPlain);
  CHECK_THAT(text, Contains("n1 GPU 0 (GPU-a, S/N 165)"));
  CHECK_THAT(text, Contains("rack7") && Contains("0000:10:00.0"));
  CHECK_THAT(text, Contains("1 run, failed in 1"));
  CHECK_THAT(text, Contains("step gemm: below-limit: below the limit"));
  CHECK_THAT(text, Contains("60 TFLOP/s") && Contains(">= 80 TFLOP/s"));
  CHECK_THAT(text, Contains("isolate hardware-event: Xid 79"));
  CHECK_THAT(text, Contains("waived until 2026-12-31"));
}

TEST_CASE("long lists are cut and counted") {
  PartAnswer part = gpu();
  part.runs.resize(14, sight());
  part.failures.resize(13, failure_in());
  const std::string text = part_text({part}, kPlain);
  CHECK_THAT(text, Contains("and 4 more") && Contains("and 3 more"));
}

TEST_CASE("the worst are a table and a sentence for each") {
  const std::string text = worst_text({worst(), worst()}, 1, "in the last 30d", kPlain);
  CHECK_THAT(text, Contains("2 parts failed in the last 30d"));
  CHECK_THAT(text, Contains("25 %") && Contains("below-limit: below the limit"));
  CHECK_THAT(text, Contains("and 1 more"));
  CHECK(worst_text({}, 9, "in the last 30d", kPlain) == "no part failed in the last 30d\n");
}

TEST_CASE("hosts that are due are told with their last runs") {
  DueAnswer due;
  due.hosts = 18;
  due.due = {{"n1", Due::kOld, run_ref(), run_ref(), run_ref()}, {"n2", Due::kNever, {}, {}, {}}};
  const std::string text = due_text(due, "30d", kPlain);
  CHECK_THAT(text, Contains("2 of 18 hosts have no accepted whole run within 30d"));
  CHECK_THAT(text, Contains("too old") && Contains("2026-03-01 02:00"));
  CHECK_THAT(text, Contains("never accepted"));
}

TEST_CASE("failures are told by kind and metric") {
  FailuresAnswer answer;
  answer.runs = 7;
  answer.rejected = 3;
  answer.groups = {{"gpu", "gemm.rate", "below-limit", 12, 2, 3, 0.25, run_ref().began_utc},
                   {"gpu", "", "hardware-event", 1, 1, 1, std::nullopt, run_ref().began_utc}};
  const std::string text = failures_text(answer, "since 2026-01-01", kPlain);
  CHECK_THAT(text, Contains("7 runs since 2026-01-01, 3 of them rejected"));
  CHECK_THAT(text, Contains("gemm.rate") && Contains("(finding)"));
}

TEST_CASE("no line is wider than the screen") {
  terminal::Style narrow;
  narrow.width = 60;
  const std::string text = part_text({gpu()}, narrow) + worst_text({worst()}, 9, "30d", narrow);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) CHECK(model::character_count(line) <= 60);
}

TEST_CASE("control characters of a report do not reach the screen") {
  PartAnswer part = gpu();
  part.failures[0].reason = "\x1b[31m";
  part.code = "GPU\x1b";
  CHECK(part_text({part}, kPlain).find('\x1b') == std::string::npos);
}

}  // namespace
}  // namespace rackproof::ledger
