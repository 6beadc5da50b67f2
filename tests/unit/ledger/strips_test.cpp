#include "harness/ledger/strips.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/ledger/view.hpp"

namespace rackproof::ledger {
namespace {

using model::Outcome;
using namespace ledger_test;

TEST_CASE("the columns of strips are the days on which something ran") {
  const Days days({run_at_day(1), run_at_day(9), run_at_day(9.5), run_at_day(40)});
  CHECK(days.columns() == 3);
  CHECK(days.is_all());
  CHECK(days.has(kFirst + 9.9 * kDay));
  CHECK_FALSE(days.has(kFirst + 10 * kDay));
  CHECK(has(days.axis(), "<span>2026-03-02</span><span>2026-04-10</span>"));
  CHECK(Days({}).axis().empty());
}

TEST_CASE("of many days the last are drawn, and that is said") {
  std::vector<RunRef> runs;
  for (int day = 100; day > 0; --day) runs.push_back(run_at_day(day));
  const Days days(runs);
  CHECK(days.columns() == Days::kColumns);
  CHECK_FALSE(days.is_all());
  CHECK(days.has(kFirst + 100 * kDay));
  CHECK_FALSE(days.has(kFirst + 10 * kDay));
}

TEST_CASE("what is graver stands higher, and runs of one day stand side by side") {
  const Days days({run_at_day(1), run_at_day(2)});
  const std::string strip = days.strip({{kFirst + 2.5 * kDay, Outcome::kPass},
                                        {kFirst + 2.1 * kDay, Outcome::kFail},
                                        {kFirst + 1 * kDay, std::nullopt}});
  CHECK(has(strip, "<path class=\"fail\" d=\"M11,0h4v24h-4z\"/>"));
  CHECK(has(strip, "<path class=\"pass\" d=\"M15,14h4v10h-4z\"/>"));
  CHECK(has(strip, "<path class=\"none\" d=\"M1,21h8v3h-8z\"/>"));
}

TEST_CASE("a run of which the report is known leads to it") {
  const Days days({run_at_day(1)});
  const std::string strip =
      days.strip({{kFirst + kDay, Outcome::kFail, "a/report.json", rendered::kHostile}});
  CHECK(has(strip, "<a href=\"a/report.json\" tabindex=\"-1\"><path class=\"fail\""));
  CHECK(has(strip, "<title>&lt;script&gt;alert(1)"));
}

TEST_CASE("times that no calendar has are drawn all the same") {
  RunRef odd = run_ref();
  odd.began_seconds = 1e300;
  CHECK(Days({odd, run_at_day(1)}).columns() == 2);
}

}  // namespace
}  // namespace rackproof::ledger
