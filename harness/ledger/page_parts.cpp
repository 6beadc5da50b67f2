#include "harness/ledger/page_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "harness/ledger/ledger_text.hpp"
#include "reports/html/markup.hpp"
#include "reports/model/cell_text.hpp"
#include "reports/model/utc.hpp"
#include "reports/model/words.hpp"

namespace rackproof::ledger {
namespace {

using html::plain;
using model::counted;
using model::Outcome;

constexpr std::size_t kFailingShown = 12;
constexpr std::size_t kWaiverRows = 200;
constexpr std::size_t kDueRows = 200;
constexpr double kSecondsOfDay = 86400;

std::string date_of_utc(const std::string& utc) { return plain(utc.substr(0, 10)); }

/// A cell of a table that is put in order by a number.
std::string number_entry(double key, const std::string& text) {
  return fmt::format("<data value=\"{:.6g}\">{}</data>", key, text);
}

std::string time_entry(const std::string& utc) {
  return fmt::format("<time datetime=\"{}\">{}</time>", plain(utc, 40), plain(minute_of(utc), 40));
}

bool failed_last(const Worst& part) { return outcome_of(part.last.tally) == Outcome::kFail; }

/// Its last tested runs, one after the other, in which it failed.
struct Failing {
  std::size_t runs = 0;
  std::string since_utc;
};

Failing failing_of(const PartHistory& history) {
  Failing failing;
  for (const PartRun& run : history.runs) {
    if (!run.outcome) continue;
    if (*run.outcome != Outcome::kFail) break;
    ++failing.runs;
    failing.since_utc = run.began_utc;
  }
  return failing;
}

std::string since_when(const PartHistory& history) {
  const Failing failing = failing_of(history);
  return fmt::format("since {}, {} in a row", plain(minute_of(failing.since_utc)),
                     counted(failing.runs, "run"));
}

std::string why_of(const Worst& part) {
  if (part.worst) {
    const Quantity& what = part.worst->cell.quantity;
    std::string text = plain(what.metric + " " + what.parameters, 160);
    if (part.worst->shortfall) {
      text += fmt::format(", <b>{:.2g} % short</b>", *part.worst->shortfall * 100);
    }
    return text + ": " + plain(part.worst->reason, 300);
  }
  return part.finding ? plain(part.finding->id + ": " + part.finding->text, 300) : "";
}

std::string failing_card(const FleetView& view, std::size_t place) {
  const Worst& part = view.worst[place];
  const RunRef& run = part.last.run;
  const auto& histories = view.histories.parts;
  return fmt::format(
      "<li><p><strong>{}</strong>{}</p><p>{}</p><p class=\"legend\">{}failed in {} of {}; {}</p>"
      "</li>\n",
      plain(name_of(part.kind, part.last.place), 120),
      run.rack.empty() ? "" : " <span>" + plain(run.rack, 80) + "</span>", why_of(part),
      place < histories.size() ? since_when(histories[place]) + "; " : "", part.failed,
      counted(part.runs, "run"),
      report_link(view, run.path, "report of " + plain(minute_of(run.began_utc))));
}

/// What befell a part: since when it fails or does not, where it went, and what took its place.
std::string events_of(const PartHistory& history) {
  std::string text;
  if (const Failing failing = failing_of(history); failing.runs > 0) {
    text += "fails since " + date_of_utc(failing.since_utc) + "<br>";
  } else {
    const auto failed = std::find_if(history.runs.begin(), history.runs.end(),
                                     [](const auto& run) { return run.outcome == Outcome::kFail; });
    if (failed != history.runs.end()) {
      text += "last failed " + date_of_utc(failed->began_utc) + "<br>";
    }
  }
  constexpr std::size_t kMoves = 4;
  const std::size_t first = history.stays.size() > kMoves ? history.stays.size() - kMoves : 1;
  for (std::size_t i = first; i < history.stays.size(); ++i) {
    text += fmt::format("moved {} → {} by {}<br>",
                        plain(name_of(history.kind, history.stays[i - 1].place), 80),
                        plain(name_of(history.kind, history.stays[i].place), 80),
                        date_of_utc(history.stays[i].first_utc));
  }
  if (!history.lost_utc.empty()) {
    text += "not seen since " + date_of_utc(history.runs.front().began_utc) + "<br>";
  }
  if (!history.heir.empty()) {
    text += fmt::format("{} in its place by {}<br>", plain(history.heir, 80),
                        date_of_utc(history.heir_utc));
  }
  if (text.ends_with("<br>")) text.resize(text.size() - 4);
  return text;
}

/// What is known of it now: of a part that its host is without, nothing.
std::string state_of(const PartHistory& history) {
  if (!history.lost_utc.empty()) {
    return "<span class=\"sign untested\"><span aria-hidden=\"true\">–</span> gone</span>";
  }
  for (const PartRun& run : history.runs) {
    if (run.outcome) return html::badge(*run.outcome);
  }
  return "not tested";
}

std::string part_strip(const PartHistory& history, const Days& days) {
  std::vector<Mark> marks;
  for (const PartRun& run : history.runs) {
    if (!days.has(run.began_seconds)) break;
    marks.push_back({run.began_seconds, run.outcome});
  }
  return days.strip(marks);
}

std::string left_text(const std::optional<double>& left) {
  if (!left) return "";
  if (*left < 0) return "<span class=\"sign fail\">over</span>";
  const auto count = static_cast<std::size_t>(std::min(std::floor(*left), 1e6));
  return counted(count, "day");
}

struct WaiverRow {
  const Line* line = nullptr;
  const OpenWaiver* waiver = nullptr;
};

std::string what_is_waived(const OpenWaiver& waiver) {
  std::string text = plain(waiver.metric, 80);
  if (waiver.metrics > 1) text += fmt::format(" and {} more", waiver.metrics - 1);
  text += " of " + plain(waiver.subject, 80);
  if (waiver.subjects > 1) text += fmt::format(" and {} more", waiver.subjects - 1);
  return text + fmt::format(" <small>({})</small>", counted(waiver.cells, "cell"));
}

}  // namespace

std::optional<double> days_left(const OpenWaiver& waiver, double now) {
  const auto day = model::unix_seconds(waiver.until + "T00:00:00Z");
  if (!day) return std::nullopt;
  // Its last day counts.
  return (*day + kSecondsOfDay - now) / kSecondsOfDay;
}

bool fails_now(const FleetView& view, std::size_t place) {
  const auto& histories = view.histories.parts;
  return failed_last(view.worst[place]) &&
         (place >= histories.size() || histories[place].heir.empty());
}

std::string failing_section(const FleetView& view) {
  std::string cards;
  std::size_t count = 0;
  for (std::size_t i = 0; i < view.worst.size(); ++i) {
    if (!fails_now(view, i) || ++count > kFailingShown) continue;
    cards += failing_card(view, i);
  }
  if (count == 0) return "";
  std::string body = "<ol class=\"cards\">\n" + cards + "</ol>\n";
  if (count > kFailingShown) {
    body += fmt::format("<p class=\"more\">and {} more: parts</p>\n", count - kFailingShown);
  }
  return html::section("failing", "Worst now", body);
}

std::string parts_section(const FleetView& view, const Days& days) {
  if (view.histories.parts.empty()) return "";
  html::Table table("Parts that failed, went away or moved " + plain(view.period) +
                        ", the worst first; click a heading to sort",
                    {"part", "now", "failed#", "of runs#", "over the days", "what befell it"});
  for (const PartHistory& history : view.histories.parts) {
    if (history.stays.empty()) continue;
    const std::size_t failed = history.worst ? history.worst->failed : 0;
    const auto tested = static_cast<std::size_t>(
        std::count_if(history.runs.begin(), history.runs.end(),
                      [](const PartRun& run) { return run.outcome.has_value(); }));
    const std::string code =
        history.kind == PartKind::kHost ? "" : "<br><small>" + plain(history.code, 60) + "</small>";
    table.row({plain(name_of(history.kind, history.stays.back().place), 80) + code,
               state_of(history), number_entry(static_cast<double>(failed), std::to_string(failed)),
               number_entry(static_cast<double>(tested), std::to_string(tested)),
               part_strip(history, days), events_of(history)});
  }
  return html::list_section("parts", "Parts with a history", "parts",
                            table.take(view.histories.left_out));
}

std::string waivers_section(const FleetView& view) {
  std::vector<WaiverRow> rows;
  for (const Line& line : view.overview.lines) {
    for (const OpenWaiver& waiver : line.waivers) rows.push_back({&line, &waiver});
  }
  if (rows.empty()) return "";
  std::stable_sort(rows.begin(), rows.end(), [](const WaiverRow& a, const WaiverRow& b) {
    return std::tuple(a.waiver->until.empty(), a.waiver->until) <
           std::tuple(b.waiver->until.empty(), b.waiver->until);
  });
  html::Table table("What is waived in the newest run of each rack and suite",
                    {"until", "left#", "by", "ticket", "rack", "what", "reason"});
  for (std::size_t i = 0; i < std::min(rows.size(), kWaiverRows); ++i) {
    const OpenWaiver& waiver = *rows[i].waiver;
    const auto left = days_left(waiver, view.now);
    table.row(
        {waiver.until.empty() ? "no end: suite or table" : plain(waiver.until, 40),
         number_entry(left.value_or(1e6), left_text(left)), plain(waiver.approved_by, 80),
         plain(waiver.ticket, 80),
         plain(rows[i].line->rack, 80) + " <small>" + plain(rows[i].line->suite, 60) + "</small>",
         what_is_waived(waiver), plain(waiver.reason, 200)});
  }
  return html::list_section("waivers", "Open waivers", "waivers",
                            table.take(rows.size() - std::min(rows.size(), kWaiverRows)));
}

std::string due_section(const FleetView& view) {
  const std::vector<DueHost>& due = view.due.due;
  if (due.empty()) return "";
  html::Table table("Hosts without an accepted run of all steps within " + plain(view.older_than),
                    {"host", "rack", "why", "last accepted as a whole", "last run"});
  for (std::size_t i = 0; i < std::min(due.size(), kDueRows); ++i) {
    const DueHost& one = due[i];
    std::string last = "never";
    if (one.last) {
      last = time_entry(one.last->began_utc) + " " +
             report_link(view, one.last->path, html::badge(one.last->acceptance));
    }
    table.row({plain(one.host, 80), one.last ? plain(one.last->rack, 80) : "", due_word(one.why),
               one.whole ? time_entry(one.whole->evidence_utc) : "never", last});
  }
  return html::list_section("due", "Hosts that are due", "hosts",
                            table.take(due.size() - std::min(due.size(), kDueRows)));
}

}  // namespace rackproof::ledger
