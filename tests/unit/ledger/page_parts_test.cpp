#include "harness/ledger/page_parts.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/ledger/view.hpp"

namespace rackproof::ledger {
namespace {

using model::Outcome;
using namespace ledger_test;

FleetView failing_view() {
  FleetView view = empty_view();
  view.worst = {worst()};
  view.histories.parts = {history()};
  return view;
}

std::string parts_of(const FleetView& view) {
  std::vector<RunRef> runs;
  for (int day = 9; day > 5; --day) runs.push_back(run_at_day(day));
  return parts_section(view, Days(runs));
}

TEST_CASE("what fails now is told with since when, why, and its report") {
  const std::string text = failing_section(failing_view());
  CHECK(has(text, "<strong>n1 GPU 0</strong> <span>rack7</span>"));
  CHECK(has(text, "gemm.rate dtype=bf16, <b>25 % short</b>: below the limit"));
  CHECK(has(text, "since 2026-03-09 00:00, 2 runs in a row; failed in 2 of 4 runs"));
  CHECK(has(text, "<a href=\"night1/report.json\">report of 2026-03-01 02:00</a>"));
}

TEST_CASE("what passed in its last run, or was replaced, does not fail now") {
  FleetView view = failing_view();
  view.histories.parts[0].heir = "GPU-b";
  view.histories.parts[0].heir_utc = "2026-03-11T02:00:00.000Z";
  CHECK(failing_section(view).empty());
  CHECK(has(parts_of(view), "GPU-b in its place by 2026-03-11"));
  view = failing_view();
  view.worst[0].last.tally.required = {};
  view.worst[0].last.tally.required.pass = 1;
  CHECK(failing_section(view).empty());
}

TEST_CASE("of many that fail the first are shown and the rest counted") {
  FleetView view = empty_view();
  view.worst.assign(20, worst());
  const std::string text = failing_section(view);
  CHECK(occurrences(text, "<li>") == 12);
  CHECK(has(text, "and 8 more"));
}

TEST_CASE("a part with a history has its strip and what befell it") {
  FleetView view = failing_view();
  std::string text = parts_of(view);
  CHECK(has(text, "n1 GPU 0<br><small>GPU-a</small>"));
  CHECK(has(text, "<data value=\"2\">2</data></td><td class=\"n\"><data value=\"4\">4</data>"));
  CHECK(has(text, "fails since 2026-03-09"));
  CHECK(has(text, "<path class=\"fail\" d=\"M21,0h8v24h-8zM31,0h8v24h-8z\"/>"));
  PartHistory& part = view.histories.parts[0];
  part.runs.erase(part.runs.begin(), part.runs.begin() + 2);
  part.runs.push_back({kFirst, "2026-03-01T02:00:00.000Z", Outcome::kFail});
  part.stays.push_back(part.stays.front());
  part.stays.back().place.host = "n2";
  view.histories.left_out = 3;
  text = parts_of(view);
  CHECK(has(text, "last failed 2026-03-01<br>moved n1 GPU 0 → n2 GPU 0 by 2026-03-01"));
  CHECK(has(text, "and 3 more"));
}

TEST_CASE("of a part that is gone it is not told that it passed") {
  FleetView view = failing_view();
  PartHistory& part = view.histories.parts[0];
  part.runs.erase(part.runs.begin(), part.runs.begin() + 2);
  CHECK(has(parts_of(view), "</span> pass</span></td>"));
  part.lost_utc = "2026-03-09T00:00:00.000Z";
  const std::string text = parts_of(view);
  CHECK_FALSE(has(text, "</span> pass</span></td>"));
  CHECK(has(text, "</span> gone</span></td>"));
  CHECK(has(text, "not seen since 2026-03-08"));
}

TEST_CASE("a waiver is open until its last day is over") {
  OpenWaiver waiver;
  waiver.until = "2026-03-31";
  CHECK(days_left(waiver, kFirst + 29 * kDay) == Approx(2));
  CHECK(*days_left(waiver, kFirst + 30.5 * kDay) > 0);
  CHECK(*days_left(waiver, kFirst + 31.5 * kDay) < 0);
  waiver.until = "";
  CHECK_FALSE(days_left(waiver, kFirst));
  waiver.until = "soon";
  CHECK_FALSE(days_left(waiver, kFirst));
}

TEST_CASE("open waivers are told with who and until when, those that end first first") {
  FleetView view = empty_view();
  Line& line = add_line(view, "rack7", {run_at_day(3)});
  line.waivers = {{"for ever", "", "", "", "m", 1, "n1", 1, 1},
                  {"the fan", "2026-04-02", "J. Doe", "OPS-1", "gemm.rate", 3, "n1/GPU-a", 2, 6},
                  {"the other", "2026-03-20", "K. Roe", "OPS-2", "m", 1, "n1", 1, 1}};
  const std::string text = waivers_section(view);
  CHECK(text.find("K. Roe") < text.find("J. Doe"));
  CHECK(text.find("J. Doe") < text.find("no end: suite or table"));
  CHECK(has(text, "<span class=\"sign fail\">over</span>"));
  CHECK(has(text, ">3 days</data></td><td>J. Doe</td><td>OPS-1</td><td>rack7"));
  CHECK(has(text, "gemm.rate and 2 more of n1/GPU-a and 1 more <small>(6 cells)</small>"));
  CHECK(waivers_section(empty_view()).empty());
}

TEST_CASE("hosts that are due are told with why and what they had last") {
  FleetView view = empty_view();
  view.due = {2,
              {{"n1", Due::kNever, run_at_day(3), {}, {}},
               {"n2", Due::kOld, run_at_day(4), run_at_day(1), run_at_day(1)}}};
  const std::string text = due_section(view);
  CHECK(has(text, "never accepted</td><td>never</td><td><time datetime=\"2026-03-04T00:00:00."));
  CHECK(has(text, "<a href=\"night4/report.json\"><span class=\"sign pass\">"));
  CHECK(has(text, "too old</td><td><time datetime=\"2026-03-02T00:00:00."));
}

}  // namespace
}  // namespace rackproof::ledger
