#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "harness/ledger/ledger_text.hpp"
#include "harness/ledger/page_parts.hpp"
#include "reports/html/markup.hpp"
#include "reports/model/cell_text.hpp"
#include "reports/model/words.hpp"

namespace rackproof::ledger {
namespace {

using html::plain;
using model::Acceptance;
using model::counted;

constexpr std::size_t kRackRows = 1000;
// So many runs lead to their reports; a page with more would be slow to open.
constexpr std::size_t kLinkedRuns = 4000;
constexpr std::size_t kNamesShown = 6;
constexpr std::size_t kChangedRacks = 60;

std::vector<const Line*> worst_lines_first(const FleetView& view) {
  std::vector<const Line*> lines;
  for (const Line& line : view.overview.lines) lines.push_back(&line);
  std::stable_sort(lines.begin(), lines.end(), [&](const Line* a, const Line* b) {
    return badness(newest(view, *a).acceptance) > badness(newest(view, *b).acceptance);
  });
  return lines;
}

/// Runs with the verdict of the newest, one after the other up to it.
std::size_t streak_of(const FleetView& view, const Line& line) {
  std::size_t streak = 0;
  while (streak < line.runs.size() &&
         view.overview.runs[line.runs[streak]].acceptance == newest(view, line).acceptance) {
    ++streak;
  }
  return streak;
}

std::string strip_of(const FleetView& view, const Line& line, const Days& days,
                     std::size_t& linked) {
  std::vector<Mark> marks;
  for (const std::size_t place : line.runs) {
    const RunRef& run = view.overview.runs[place];
    if (!days.has(run.began_seconds)) break;  // newest first
    Mark mark{run.began_seconds, html::outcome_like(run.acceptance)};
    if (linked < kLinkedRuns && view.address) {
      mark.link = plain(view.address(run.path), 4000);
      mark.title = minute_of(run.began_utc) + " " + std::string(contract::word(run.acceptance)) +
                   ", " + run.run;
      if (!mark.link.empty()) ++linked;
    }
    marks.push_back(std::move(mark));
  }
  return days.strip(marks);
}

std::string counts_of_line(const FleetView& view, const Line& line) {
  std::array<std::size_t, 4> counts = {};
  for (const std::size_t place : line.runs) {
    ++counts[static_cast<std::size_t>(badness(view.overview.runs[place].acceptance))];
  }
  std::string text = counted(line.runs.size(), "run");
  constexpr std::array kAll = {Acceptance::kAccepted, Acceptance::kVerified,
                               Acceptance::kIncomplete, Acceptance::kRejected};
  for (const Acceptance acceptance : kAll) {
    const std::size_t count = counts[static_cast<std::size_t>(badness(acceptance))];
    if (count > 0) text += fmt::format(", {} {}", count, contract::word(acceptance));
  }
  return text;
}

std::string rack_row(const FleetView& view, const Line& line, const Days& days,
                     std::size_t& linked) {
  const RunRef& run = newest(view, line);
  const std::size_t streak = streak_of(view, line);
  std::size_t rejected = 0;
  for (const std::size_t place : line.runs) {
    if (view.overview.runs[place].acceptance == Acceptance::kRejected) ++rejected;
  }
  std::string size = counted(line.hosts, "host");
  if (line.gpus > 0) size += ", " + counted(line.gpus, "GPU");
  if (line.left_out_hosts > 0) size += ", " + counted(line.left_out_hosts, "host") + " left out";
  if (!run.platform.empty()) size += ", " + plain(run.platform, 60);
  const std::string since = streak == 1 && line.runs.size() > 1 ? "since this run"
                            : streak == line.runs.size()
                                ? (streak == 1 ? "its only run" : "in all runs")
                                : fmt::format("for {}", counted(streak, "run"));
  return fmt::format(
      "<li class=\"{}\" data-verdict=\"{}\" data-rack=\"{}\" data-began=\"{:.0f}\" "
      "data-rejected=\"{}\"><div class=\"who\"><strong>{}</strong> <span>{}</span><small>{}"
      "</small></div><div class=\"now\">{} <small>{}</small><br><small>{}</small></div><div "
      "class=\"how\">{}<small>{}</small></div></li>\n",
      contract::word(html::outcome_like(run.acceptance)), contract::word(run.acceptance),
      plain(line.rack, 100), run.began_seconds, rejected, plain(line.rack, 100),
      plain(line.suite, 60), size, report_link(view, run.path, html::badge(run.acceptance)), since,
      plain(minute_of(run.began_utc)), strip_of(view, line, days, linked),
      counts_of_line(view, line));
}

const char* words_of_turn(Turn turn) {
  switch (turn) {
    case Turn::kFails:
      return "fails now";
    case Turn::kGone:
      return "gone";
    case Turn::kUndecided:
      return "failed before, not decided now";
    case Turn::kMoved:
      return "moved";
    case Turn::kCame:
      return "new";
    case Turn::kRecovered:
      return "failed before, passes now";
  }
  return "";
}

const char* look_of_turn(Turn turn) {
  switch (turn) {
    case Turn::kFails:
      return "fail";
    case Turn::kGone:
    case Turn::kUndecided:
      return "untested";
    case Turn::kMoved:
    case Turn::kCame:
      return "verified";
    case Turn::kRecovered:
      return "pass";
  }
  return "";
}

std::string name_of_change(const PartChange& change) {
  std::string name = name_of(change.kind, change.place);
  if (change.before) name = name_of(change.kind, *change.before) + " → " + name;
  if (change.with > 0) name += fmt::format(" with {}", counted(change.with, "part"));
  return name;
}

std::string turns_of(const Line& line) {
  std::string text;
  for (std::size_t i = 0; i < line.changes.size();) {
    const Turn turn = line.changes[i].turn;
    std::size_t end = i;
    std::string names;
    for (; end < line.changes.size() && line.changes[end].turn == turn; ++end) {
      if (end - i >= kNamesShown) continue;
      names += (end > i ? ", " : "") + plain(name_of_change(line.changes[end]), 120);
    }
    if (end - i > kNamesShown) names += fmt::format(" and {} more", end - i - kNamesShown);
    text += fmt::format("<p><span class=\"turn {}\">{}</span> {}</p>\n", look_of_turn(turn),
                        words_of_turn(turn), names);
    i = end;
  }
  return text;
}

}  // namespace

std::string racks_section(const FleetView& view, const Days& days) {
  const std::vector<const Line*> lines = worst_lines_first(view);
  if (lines.empty()) return "";
  std::string rows;
  std::size_t linked = 0;
  for (std::size_t i = 0; i < std::min(lines.size(), kRackRows); ++i) {
    rows += rack_row(view, *lines[i], days, linked);
  }
  std::string key;
  for (const Acceptance acceptance : {Acceptance::kRejected, Acceptance::kIncomplete,
                                      Acceptance::kVerified, Acceptance::kAccepted}) {
    key += html::badge(acceptance) + " ";
  }
  std::string body = fmt::format(
      "<p class=\"legend\">Each column of a strip is a day on which something ran{}; graver "
      "verdicts stand higher: {}</p>\n",
      days.is_all() ? "" : fmt::format(", of the last {}", Days::kColumns), key);
  body += "<div class=\"rowhead\" aria-hidden=\"true\">" + days.axis() +
          "</div>\n<ul class=\"rows\" data-orders=\"rack:rack;-began:newest run;-rejected:most "
          "often rejected\">\n" +
          rows + "</ul>\n";
  if (lines.size() > kRackRows) {
    body += fmt::format("<p class=\"more\">and {} more, those with the best verdicts</p>\n",
                        lines.size() - kRackRows);
  }
  return html::list_section("racks", "Racks", "racks and suites", body);
}

std::string changes_section(const FleetView& view) {
  std::string rows;
  std::size_t count = 0;
  for (const Line* line : worst_lines_first(view)) {
    if (!line->before) continue;
    const RunRef& now = newest(view, *line);
    const RunRef& before = view.overview.runs[*line->before];
    if (now.acceptance == before.acceptance && line->changes.empty()) continue;
    if (++count > kChangedRacks) continue;
    rows += fmt::format(
        "<li data-verdict=\"{}\"><p><strong>{}</strong> {} {} <span class=\"read\">then</span>"
        "<span aria-hidden=\"true\">→</span> {} <small>{} → {}</small></p>\n{}</li>\n",
        contract::word(now.acceptance), plain(line->rack, 100), plain(line->suite, 60),
        report_link(view, before.path, html::badge(before.acceptance)),
        report_link(view, now.path, html::badge(now.acceptance)),
        plain(minute_of(before.began_utc)), plain(minute_of(now.began_utc)), turns_of(*line));
  }
  if (count == 0) return "";
  std::string body = "<ul class=\"changed\">\n" + rows + "</ul>\n";
  if (count > kChangedRacks) {
    body += fmt::format("<p class=\"more\">and {} more</p>\n", count - kChangedRacks);
  }
  return html::section("changes", "Since the run before", body);
}

}  // namespace rackproof::ledger
