#include "harness/ledger/fleet_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "harness/ledger/ledger_text.hpp"
#include "harness/ledger/page_parts.hpp"
#include "reports/html/markup.hpp"
#include "reports/model/cell_text.hpp"
#include "reports/model/utc.hpp"
#include "reports/model/words.hpp"

namespace rackproof::ledger {
namespace {

using html::plain;
using model::Acceptance;
using model::counted;

constexpr std::array kGravestFirst = {Acceptance::kRejected, Acceptance::kIncomplete,
                                      Acceptance::kVerified, Acceptance::kAccepted};
// A waiver that ends so soon is to be thought of now.
constexpr double kSoonDays = 14;

/// How many racks have which verdict: of each the gravest of its suites.
std::map<Acceptance, std::size_t> racks_by_verdict(const FleetView& view) {
  std::map<std::string, Acceptance> racks;
  for (const Line& line : view.overview.lines) {
    const Acceptance now = newest(view, line).acceptance;
    Acceptance& known = racks.try_emplace(line.rack, now).first->second;
    if (badness(now) > badness(known)) known = now;
  }
  std::map<Acceptance, std::size_t> counts;
  for (const auto& [rack, acceptance] : racks) ++counts[acceptance];
  return counts;
}

std::size_t racks_of(const std::map<Acceptance, std::size_t>& counts) {
  std::size_t racks = 0;
  for (const auto& [acceptance, count] : counts) racks += count;
  return racks;
}

std::string share_bar(const std::map<Acceptance, std::size_t>& counts) {
  std::string bar;
  std::string words;
  for (const Acceptance acceptance : kGravestFirst) {
    const auto count = counts.find(acceptance);
    if (count == counts.end()) continue;
    const auto look = contract::word(html::outcome_like(acceptance));
    bar += fmt::format("<i class=\"{}\" style=\"flex-grow:{}\"></i>", look, count->second);
    words += fmt::format("<li><i class=\"{}\" aria-hidden=\"true\"></i><b>{}</b> {}</li>", look,
                         count->second, contract::word(acceptance));
  }
  return "<div class=\"share\" aria-hidden=\"true\">" + bar + "</div>\n<ul class=\"key\">" + words +
         "</ul>\n";
}

std::string headline(const std::map<Acceptance, std::size_t>& counts, std::size_t racks) {
  for (const Acceptance acceptance : kGravestFirst) {
    const auto count = counts.find(acceptance);
    if (count == counts.end()) continue;
    if (count->second < racks) {
      return fmt::format("{} of {} {}", count->second, counted(racks, "rack"),
                         contract::word(acceptance));
    }
    return racks == 1 ? fmt::format("1 rack {}", contract::word(acceptance))
                      : fmt::format("All {} racks {}", racks, contract::word(acceptance));
  }
  return "No runs";
}

std::string hero(const FleetView& view, const std::map<Acceptance, std::size_t>& counts) {
  model::Outcome look = model::Outcome::kUntested;
  int worst = -1;
  for (const auto& [acceptance, count] : counts) {
    if (badness(acceptance) <= worst) continue;
    worst = badness(acceptance);
    look = html::outcome_like(acceptance);
  }
  const std::vector<RunRef>& runs = view.overview.runs;
  std::string about = counted(runs.size(), "run") + " " + view.period;
  if (!runs.empty()) {
    about += fmt::format(", {} to {}", minute_of(runs.back().began_utc),
                         minute_of(runs.front().began_utc));
  }
  return fmt::format(
      "<header class=\"verdict {}\"><p class=\"kind\">rackproof fleet</p>\n<h1><span "
      "aria-hidden=\"true\">{}</span> {}</h1>\n{}<p class=\"kind\">By the newest run of each rack "
      "and suite. {}. Written {}.</p></header>\n",
      contract::word(look), html::sign_of(look), headline(counts, racks_of(counts)),
      share_bar(counts), plain(about),
      minute_of(model::utc_text(static_cast<std::int64_t>(view.now) * 1'000'000'000)));
}

std::string tile(const char* to, std::size_t count, bool is_bad, const std::string& words) {
  const std::string body = fmt::format("<b>{}</b><span>{}</span>", count, words);
  const char* look = count > 0 && is_bad ? " bad" : "";
  if (count == 0) return fmt::format("<li><div class=\"tile{}\">{}</div></li>\n", look, body);
  return fmt::format("<li><a class=\"tile{}\" href=\"#{}\">{}</a></li>\n", look, to, body);
}

std::string tiles(const FleetView& view) {
  std::size_t failing = 0;
  for (std::size_t i = 0; i < view.worst.size(); ++i) failing += fails_now(view, i) ? 1 : 0;
  std::size_t changed = 0;
  std::size_t open = 0;
  std::size_t soon = 0;
  for (const Line& line : view.overview.lines) {
    const bool turned =
        line.before && view.overview.runs[*line.before].acceptance != newest(view, line).acceptance;
    if (turned || !line.changes.empty()) ++changed;
    open += line.waivers.size();
    for (const OpenWaiver& waiver : line.waivers) {
      const auto left = days_left(waiver, view.now);
      if (left && *left <= kSoonDays) ++soon;
    }
  }
  return "<ul class=\"tiles\">\n" +
         tile("failing", failing, true,
              failing == 1 ? "part fails in its last run" : "parts fail in their last run") +
         tile("changes", changed, false,
              (changed == 1 ? "rack" : "racks") + std::string(" changed since the run before")) +
         tile("waivers", open, soon > 0,
              (open == 1 ? "open waiver" : "open waivers") +
                  (soon > 0 ? fmt::format(", {} over or ending within {:g} days", soon, kSoonDays)
                            : std::string())) +
         tile("due", view.due.due.size(), false,
              (view.due.due.size() == 1 ? "host" : "hosts") +
                  (" not accepted as a whole within " + plain(view.older_than))) +
         "</ul>\n";
}

}  // namespace

int badness(Acceptance acceptance) {
  const auto at = std::find(kGravestFirst.begin(), kGravestFirst.end(), acceptance);
  return static_cast<int>(kGravestFirst.end() - at) - 1;
}

std::string report_link(const FleetView& view, const std::string& path, const std::string& words) {
  const std::string address = view.address ? view.address(path) : "";
  if (address.empty()) return words;
  return "<a href=\"" + plain(address, 4000) + "\">" + words + "</a>";
}

std::string fleet_page(const FleetView& view) {
  const Days days(view.overview.runs);
  const std::map<Acceptance, std::size_t> counts = racks_by_verdict(view);
  std::string links;
  std::string parts;
  const auto add = [&](const char* name, const std::string& part) {
    if (part.empty()) return;
    links += fmt::format("<a href=\"#{0}\">{0}</a> ", name);
    parts += part;
  };
  add("failing", failing_section(view));
  add("racks", racks_section(view, days));
  add("changes", changes_section(view));
  add("parts", parts_section(view, days));
  add("waivers", waivers_section(view));
  add("due", due_section(view));
  return html::document_with_lists(
      headline(counts, racks_of(counts)) + " - rackproof fleet",
      "<main class=\"fleet\">\n" + hero(view, counts) + tiles(view) +
          "<nav aria-label=\"Parts of this page\">" + links + "</nav>\n" + parts +
          "</main>\n<footer><p>Made of the ledger of these runs. The reports are the truth: each "
          "verdict leads to its own.</p></footer>\n");
}

}  // namespace rackproof::ledger
