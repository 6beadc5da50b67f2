#include "harness/ledger/fleet_page.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/ledger/view.hpp"

namespace rackproof::ledger {
namespace {

using model::Acceptance;
using namespace ledger_test;

TEST_CASE("the verdict over a fleet is that of its racks, the gravest first") {
  FleetView view = empty_view();
  CHECK(has(fleet_page(view), "</span> No runs</h1>"));
  add_line(view, "a", {run_at_day(2)});
  CHECK(has(fleet_page(view), "</span> 1 rack accepted</h1>"));
  add_line(view, "b", {run_at_day(2), run_at_day(1, Acceptance::kRejected)});
  CHECK(has(fleet_page(view), "<header class=\"verdict pass\">"));
  CHECK(has(fleet_page(view), "</span> All 2 racks accepted</h1>"));
  // Another suite of a rack: the gravest of its newest verdicts is the rack's.
  add_line(view, "b", {run_at_day(2, Acceptance::kIncomplete)}).suite = "nightly";
  CHECK(has(fleet_page(view), "<header class=\"verdict untested\">"));
  CHECK(has(fleet_page(view), "</span> 1 of 2 racks incomplete</h1>"));
  add_line(view, "c", {run_at_day(2, Acceptance::kRejected)});
  const std::string text = fleet_page(view);
  CHECK(has(text, "<title>1 of 3 racks rejected - rackproof fleet</title>"));
  CHECK(has(text, "<b>1</b> rejected</li><li><i class=\"untested\" aria-hidden=\"true\"></i><b>1"));
  CHECK(
      has(text, "5 runs in the ledger, 2026-03-03 00:00 to 2026-03-03 00:00. Written 2026-03-31"));
}

TEST_CASE("the tiles count what is to be looked at, and lead there") {
  FleetView view = empty_view();
  Line& line = add_line(view, "a", {run_at_day(2), run_at_day(1, Acceptance::kRejected)});
  line.waivers.resize(2);
  line.waivers[0].until = "2026-04-10";
  view.worst = {worst()};
  view.histories.parts = {history()};
  view.due = {1, {{"n1", Due::kNever, {}, {}, {}}}};
  const std::string text = fleet_page(view);
  CHECK(has(text, "<a class=\"tile bad\" href=\"#failing\"><b>1</b><span>part fails in its last"));
  CHECK(has(text, "<a class=\"tile\" href=\"#changes\"><b>1</b><span>rack changed since the run"));
  CHECK(has(text, "<b>2</b><span>open waivers, 1 over or ending within 14 days</span>"));
  CHECK(has(text, "href=\"#due\"><b>1</b><span>host not accepted as a whole within 30d</span>"));
  for (const char* id : {"failing", "racks", "changes", "parts", "waivers", "due"}) {
    CHECK(occurrences(text, "<section id=\"" + std::string(id) + "\"") == 1);
    CHECK(has(text, "<a href=\"#" + std::string(id) + "\">"));
  }
  // What has been replaced fails no more.
  view.histories.parts[0].heir = "GPU-b";
  CHECK(has(fleet_page(view), "<div class=\"tile\"><b>0</b><span>parts fail in their last run"));
}

TEST_CASE("a page about hostile reports holds their text as text") {
  const std::string text = fleet_page(hostile_view());
  CHECK(has(text, "&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;;|`"));
  // The page's own script, and no other.
  CHECK(occurrences(text, "<script") <= 1);
  CHECK_FALSE(has(text, "<script>alert"));
  CHECK_FALSE(has(text, "\x1b"));
  CHECK_FALSE(has(text, "\xE2\x80\xAE"));
  CHECK_FALSE(has(text, "\xff"));
  CHECK_FALSE(has(text, "src="));
  CHECK(has(text, "href=\"../%3Cscript%3Ealert%281%29%3C/script%3E%22%27"));
  // Each address is of the page or of a report.
  CHECK(occurrences(text, "href=\"") ==
        occurrences(text, "href=\"#") + occurrences(text, "href=\"../%3Cscript"));
}

TEST_CASE("a fleet of a thousand racks is a page of bounded weight") {
  FleetView view = empty_view();
  for (int rack = 0; rack < 1500; ++rack) {
    std::vector<RunRef> runs;
    for (int day = 90; day > 0; --day) runs.push_back(run_at_day(day));
    add_line(view, "rack" + std::to_string(rack), runs);
  }
  const std::string text = fleet_page(view);
  CHECK(occurrences(text, "<a href") < 6000);
  CHECK(occurrences(text, "<") - occurrences(text, "</") < 40'000);
  CHECK(text.size() < 5'000'000);
  CHECK(has(text, "and 500 more, those with the best verdicts"));
}

}  // namespace
}  // namespace rackproof::ledger
