#include <catch2/catch.hpp>

#include "harness/ledger/page_parts.hpp"
#include "tests/unit/ledger/view.hpp"

namespace rackproof::ledger {
namespace {

using model::Acceptance;
using namespace ledger_test;

std::string racks_of(const FleetView& view) {
  return racks_section(view, Days(view.overview.runs));
}

TEST_CASE("a rack has its newest verdict, for how long, and how it went") {
  FleetView view = empty_view();
  add_line(view, "good", {run_at_day(3)});
  add_line(
      view, "bad",
      {run_at_day(3, Acceptance::kRejected), run_at_day(2, Acceptance::kRejected), run_at_day(1)});
  add_line(view, "odd", {run_at_day(3, Acceptance::kVerified), run_at_day(2)});
  const std::string text = racks_of(view);
  CHECK(text.find("<strong>bad</strong>") < text.find("<strong>odd</strong>"));
  CHECK(text.find("<strong>odd</strong>") < text.find("<strong>good</strong>"));
  CHECK(has(text, "data-verdict=\"rejected\" data-rack=\"bad\""));
  CHECK(has(text, "<a href=\"night3/report.json\"><span class=\"sign fail\">"));
  CHECK(has(text, "</span> rejected</span></a> <small>for 2 runs</small>"));
  CHECK(has(text, "<small>3 runs, 1 accepted, 2 rejected</small>"));
  CHECK(has(text, "</span> verified</span></a> <small>since this run</small>"));
  CHECK(has(text, "<small>its only run</small>"));
  CHECK(has(text, "<title>2026-03-03 00:00 rejected, night2</title>"));
  CHECK(has(text, "2 hosts, 16 GPUs"));
}

TEST_CASE("of a run that left out hosts that is said") {
  FleetView view = empty_view();
  add_line(view, "part", {run_at_day(3)}).left_out_hosts = 3;
  CHECK(has(racks_of(view), "2 hosts, 16 GPUs, 3 hosts left out</small>"));
}

TEST_CASE("a rack says by which table it was judged") {
  FleetView view = empty_view();
  add_line(view, "one", {run_at_day(3)});
  view.overview.runs.back().platform = "hgx-h200<b>";
  CHECK(has(racks_of(view), "2 hosts, 16 GPUs, hgx-h200&lt;b&gt;</small>"));
}

TEST_CASE("a report that is not there any more has no address") {
  FleetView view = empty_view();
  add_line(view, "good", {run_at_day(3)});
  view.address = [](const std::string&) { return std::string(); };
  CHECK_FALSE(has(racks_of(view), "href"));
  CHECK(has(racks_of(view), "<path class=\"pass\""));
}

TEST_CASE("what changed since the run before is told in words, and a rack as before is not") {
  FleetView view = empty_view();
  add_line(view, "same", {run_at_day(3), run_at_day(2)});
  add_line(view, "new", {run_at_day(3)});
  CHECK(changes_section(view).empty());
  Line& line = add_line(view, "turned", {run_at_day(3, Acceptance::kRejected), run_at_day(2)});
  for (int i = 0; i < 8; ++i) {
    line.changes.push_back(
        {Turn::kFails, PartKind::kGpu, "GPU", {"n1", std::to_string(i), "", ""}});
  }
  line.changes.push_back({Turn::kGone, PartKind::kHost, "n2", {"n2", "", "", ""}, {}, 8});
  line.changes.push_back(
      {Turn::kMoved, PartKind::kGpu, "G", {"n3", "1", "", ""}, Place{"n1", "9", "", ""}});
  const std::string text = changes_section(view);
  CHECK(occurrences(text, "<li") == 1);
  CHECK(has(text, "href=\"night2/report.json\"><span class=\"sign pass\">"));
  CHECK(has(text,
            "fails now</span> n1 GPU 0, n1 GPU 1, n1 GPU 2, n1 GPU 3, n1 GPU 4, n1 GPU 5 and "
            "2 more</p>"));
  CHECK(has(text, "gone</span> n2 with 8 parts</p>"));
  CHECK(has(text, "moved</span> n1 GPU 9 → n3 GPU 1</p>"));
}

}  // namespace
}  // namespace rackproof::ledger
