#include "harness/compare/trend_page.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/compare/fleet.hpp"

namespace rackproof::compare {
namespace {

using compare_test::Fleet;

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

// Nights of a fleet, the later ones of `later`.
Runs runs_of(const Fleet& first, const Fleet& later, std::uint32_t count,
             std::uint32_t changed_at) {
  Runs runs;
  for (std::uint32_t night = 0; night < count; ++night) {
    runs.samples.push_back(compare_test::sample_of(night < changed_at ? first : later, night));
    runs.samples.back().run = "night" + std::to_string(night);
  }
  return runs;
}

std::string page_of(const Runs& runs) {
  return trend_page(runs, trend(runs.samples, {}), [](const std::string&) { return ""; });
}

const Fleet kBefore{.devices = 8, .quantities = 2, .noise = 0.004};
const Fleet kAfter{.devices = 8,
                   .quantities = 2,
                   .noise = 0.004,
                   .factor = 0.9,
                   .changed = 8,
                   .changed_driver = "560.10"};

}  // namespace

TEST_CASE("the page of a change names the runs, what changed there and the series") {
  const std::string text = page_of(runs_of(kBefore, kAfter, 40, 20));
  CHECK(holds(text, "<header class=\"verdict fail\">"));
  CHECK(holds(text, "<h1>1 worse</h1>"));
  CHECK(holds(text, "<title>1 worse - rackproof trend</title>"));
  CHECK(holds(text, "1 change, between night19 and night20"));
  CHECK(holds(text, "<li>gpu.driver: 550.54 -&gt; 560.10</li>"));
  CHECK(holds(text, "8 subjects with it"));
  CHECK(occurrences(text, "<section id=\"worse\"") == 1);
  CHECK_FALSE(holds(text, "<section id=\"better\""));
  CHECK_FALSE(holds(text, "<section id=\"alarms\""));
  // Of each quantity, and once more of the change.
  CHECK(occurrences(text, "<svg class=\"series\"") == 3);
  CHECK(occurrences(text, "as before") == 1);
}

TEST_CASE("a drop of the last night is an alarm at its part") {
  const Fleet dropped{.devices = 8, .quantities = 2, .noise = 0.004, .factor = 0.5, .changed = 1};
  const std::string text = page_of(runs_of(kBefore, dropped, 30, 29));
  CHECK(holds(text, "<h1>1 alarm</h1>"));
  CHECK(holds(text, "node1/GPU0: 1 alarm"));
  CHECK(holds(text, "alarm</span> <small>1 subject</small>"));
}

TEST_CASE("no change is only well where all series could be compared") {
  const Runs well = runs_of(kBefore, kBefore, 30, 0);
  CHECK(holds(page_of(well), "<header class=\"verdict pass\">"));
  CHECK(holds(page_of(well), "<h1>No change</h1>"));
  Runs few = runs_of(kBefore, kBefore, 6, 0);
  CHECK(holds(page_of(few), "<header class=\"verdict untested\">"));
  CHECK(holds(page_of(few), "<h1>Too few runs to compare</h1>"));
  Runs unread = well;
  unread.unfit = 1;
  unread.skipped = {"a/report.json: not JSON"};
  CHECK(holds(page_of(unread), "<header class=\"verdict untested\">"));
  CHECK(holds(page_of(unread), "<li>a/report.json: not JSON</li>"));
  Runs gone = well;
  gone.samples.back().numbers.erase(gone.samples.back().numbers.begin());
  CHECK(holds(page_of(gone), "No change in what can be compared"));
  CHECK(holds(page_of(gone), "not in the last run</span>"));
  CHECK(holds(page_of({}), "<header class=\"verdict untested\">"));
}

TEST_CASE("a report's name leads to it, and foreign text is text") {
  Runs runs = runs_of(kBefore, kAfter, 40, 20);
  const std::string evil = "\"><script>alert(1)</script>";
  for (Sample& run : runs.samples) {
    run.name += evil;
    run.run += evil;
    run.suite = evil;
    run.began_utc = evil;
  }
  runs.skipped = {evil};
  const Trend result = trend(runs.samples, {});
  const std::string text =
      trend_page(runs, result, [&](const std::string&) { return "a/report.html" + evil; });
  CHECK_FALSE(holds(text, evil));
  CHECK(occurrences(text, "<a href=\"a/report.html&quot;") == 40);
}

TEST_CASE("lists of a page are bounded and say what they leave out") {
  Runs runs;
  for (int night = 0; night < 600; ++night) {
    Sample run;
    run.run = "n" + std::to_string(night);
    for (int i = 0; i < (night == 0 ? 400 : 1); ++i) {
      run.numbers[{"s", "m" + std::to_string(i), "", "s", contract::SubjectKind::kNode}].of["n0"] =
          1;
      run.facts_of["n0"];
    }
    runs.samples.push_back(run);
  }
  const std::string text = page_of(runs);
  CHECK(occurrences(text, "<p class=\"more\">and 100 more</p>") == 2);
  CHECK(holds(text, "Quantities (400)"));
  CHECK(holds(text, "Runs (600)"));
}

}  // namespace rackproof::compare
