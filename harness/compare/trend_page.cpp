#include "harness/compare/trend_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "harness/compare/comparison_words.hpp"
#include "harness/compare/trend_chart.hpp"
#include "harness/compare/turns.hpp"
#include "harness/stats/robust.hpp"
#include "reports/html/markup.hpp"
#include "reports/model/cell_text.hpp"
#include "reports/model/quantity.hpp"
#include "reports/model/utc.hpp"

namespace rackproof::compare {
namespace {

using html::plain;
using model::counted;

constexpr std::size_t kAlarmsDrawn = 100;
constexpr std::size_t kChangesDrawn = 200;  // for the worse, and for the better
constexpr std::size_t kQuantitiesDrawn = 300;
constexpr std::size_t kRunsShown = 500;
constexpr int kWide = 320;
constexpr int kHigh = 64;
constexpr int kSparkWide = 180;
constexpr int kSparkHigh = 28;

std::string whose(const std::string& subject) {
  return subject.empty() ? "median of all" : plain(subject, 120);
}

std::string with_it(std::size_t subjects) {
  return subjects == 0 ? "" : "<br><small>" + counted(subjects, "subject") + " with it</small>";
}

std::string what(const Key& key) {
  return plain(key.metric, 120) + (key.parameters.empty() ? "" : " " + plain(key.parameters, 200)) +
         "<br><small>step " + plain(key.step, 80) + "</small>";
}

std::string in_unit(double value, const Key& key) {
  return plain(model::quantity(value, key.unit), 60);
}

/// Alarms of one subject stand together: it is one part that dropped. The largest drop first.
std::vector<std::vector<const Alarm*>> by_subject(const Trend& result) {
  std::map<std::string, std::size_t> place_of;
  std::vector<std::vector<const Alarm*>> all;
  for (const Alarm& one : result.alarms) {
    const auto [place, fresh] = place_of.try_emplace(one.subject, all.size());
    if (fresh) all.emplace_back();
    all[place->second].push_back(&one);
  }
  return all;
}

std::string alarms_section(const Runs& runs, const Trend& result) {
  if (result.alarms.empty()) return "";
  html::Table table("Far below the nights before, in the last run; the largest drop first",
                    {"quantity", "shift#", "before#", "last run#", "over the runs"});
  std::size_t shown = 0;
  for (const auto& alarms : by_subject(result)) {
    if (shown >= kAlarmsDrawn) break;
    table.group(
        fmt::format("{}: {}", whose(alarms.front()->subject), counted(alarms.size(), "alarm")));
    for (const Alarm* one : alarms) {
      if (++shown > kAlarmsDrawn) break;
      Drawn drawn{values_over(runs.samples, one->key, one->subject), one->key.unit};
      drawn.before = one->before;
      table.row({what(one->key) + with_it(one->subjects), percent(one->shift),
                 in_unit(one->before, one->key), in_unit(one->now, one->key),
                 chart_of(drawn, kWide, kHigh)});
    }
  }
  return html::section(
      "alarms", fmt::format("Alarms ({})", result.alarms.size()),
      table.take(result.alarms.size() - std::min(result.alarms.size(), kAlarmsDrawn)));
}

std::string change_row_facts(const Turn& turn, const Change& change) {
  std::string text;
  for (const std::string& fact : own_facts(turn, change)) {
    text += "<br><small>changed there: " + plain(fact, 200) + "</small>";
  }
  return text;
}

std::string turn_head(const Runs& runs, const Turn& turn) {
  std::string text = fmt::format(
      "<h3>{}, between {} and {}</h3>\n", counted(turn.changes.size(), "change"),
      plain(run_text(runs.samples[turn.before]), 120), plain(run_text(runs.samples[turn.at]), 120));
  if (turn.facts.empty()) return text;
  text += "<p>Changed there, and not necessarily the cause:</p>\n<ul>\n";
  for (const std::string& fact : turn.facts) text += "<li>" + plain(fact, 300) + "</li>\n";
  return text + "</ul>\n";
}

std::string turn_part(const Runs& runs, const Turn& turn, std::size_t most) {
  html::Table table(fmt::format("What became {} there, the largest change first",
                                turn.worse ? "worse" : "better"),
                    {"quantity", "shift#", "before#", "after#", "since", "over the runs"});
  const std::size_t shown = std::min(turn.changes.size(), most);
  for (std::size_t i = 0; i < shown; ++i) {
    const Change& change = *turn.changes[i];
    Drawn drawn{values_over(runs.samples, change.key, change.subject), change.key.unit};
    drawn.at = change.at;
    drawn.before = change.before;
    drawn.after = change.after;
    table.row({what(change.key) + "<br><small>" + whose(change.subject) + "</small>" +
                   with_it(change.subjects) + change_row_facts(turn, change),
               percent(change.shift), in_unit(change.before, change.key),
               in_unit(change.after, change.key), change.last ? "still so" : "changed again",
               chart_of(drawn, kWide, kHigh)});
  }
  return turn_head(runs, turn) + table.take(turn.changes.size() - shown);
}

std::string changes_section(const Runs& runs, const std::vector<Turn>& turns, bool worse) {
  std::string body;
  std::size_t count = 0;
  for (const Turn& turn : turns) {
    if (turn.worse != worse) continue;
    if (count < kChangesDrawn) body += turn_part(runs, turn, kChangesDrawn - count);
    count += turn.changes.size();
  }
  const char* word = worse ? "Worse" : "Better";
  return html::section(worse ? "worse" : "better", fmt::format("{} ({})", word, count), body);
}

/// Of a quantity itself, and of single subjects of it.
struct Hits {
  bool whole = false;
  std::size_t subjects = 0;

  bool any() const { return whole || subjects > 0; }
  void add(const std::string& subject) { subject.empty() ? void(whole = true) : void(++subjects); }
};

/// A quantity over all runs, and what the trend says of it.
struct Watched {
  Key key;
  Drawn drawn;
  std::optional<double> last;  ///< nothing: not in the last run
  double level = 0;            ///< median since the last change, without the last run
  Hits alarms;
  Hits worse;  ///< changes that are still so
  Hits better;

  double shift() const { return last && level > 0 ? *last / level - 1 : 0; }
  /// The order of the list, and the word in it.
  int grade() const {
    return alarms.any() ? 0 : worse.any() ? 1 : !last ? 2 : better.any() ? 3 : 4;
  }
};

std::string state_of(const Watched& one) {
  const auto sign = [](const char* look, const char* word, const Hits& hits) {
    return fmt::format("<span class=\"sign {}\">{}</span>{}", look, word,
                       hits.whole || hits.subjects == 0
                           ? ""
                           : " <small>" + counted(hits.subjects, "subject") + "</small>");
  };
  switch (one.grade()) {
    case 0:
      return sign("fail", "alarm", one.alarms);
    case 1:
      return sign("fail", "worse", one.worse);
    case 2:
      return sign("untested", "not in the last run", {});
    case 3:
      return sign("pass", "better", one.better);
    default:
      return "as before";
  }
}

void add_level(Watched& one) {
  const auto& values = one.drawn.values;
  if (!values.empty()) one.last = values.back();
  std::vector<double> level;
  for (std::size_t i = one.drawn.at.value_or(0); i + 1 < values.size(); ++i) {
    if (values[i]) level.push_back(*values[i]);
  }
  if (level.empty()) return;
  one.level = stats::median(std::move(level));
  (one.drawn.at ? one.drawn.after : one.drawn.before) = one.level;
}

std::vector<Watched> watched(const Runs& runs, const Trend& result) {
  std::map<Key, Watched> all;
  for (const Sample& run : runs.samples) {
    for (const auto& [key, numbers] : run.numbers) all.try_emplace(key);
  }
  for (const Alarm& alarm : result.alarms) all.at(alarm.key).alarms.add(alarm.subject);
  for (const Change& change : result.changes) {
    Watched& one = all.at(change.key);
    if (change.last) (change.worse ? one.worse : one.better).add(change.subject);
    // Of the median itself, or of the only subject, which is the same.
    const bool whole =
        change.subject.empty() || runs.samples[change.at].numbers.at(change.key).of.size() == 1;
    if (!whole || change.at < one.drawn.at.value_or(0)) continue;
    one.drawn.at = change.at;
    one.drawn.before = change.before;
  }
  std::vector<Watched> list;
  for (auto& [key, one] : all) {
    one.key = key;
    one.drawn.values = values_over(runs.samples, key, "");
    one.drawn.unit = key.unit;
    add_level(one);
    list.push_back(std::move(one));
  }
  std::stable_sort(list.begin(), list.end(), [](const Watched& a, const Watched& b) {
    return a.grade() != b.grade() ? a.grade() < b.grade()
                                  : std::fabs(a.shift()) > std::fabs(b.shift());
  });
  return list;
}

/// An entry of a table that is put in order by a number.
std::string ordered(double key, const std::string& text) {
  return fmt::format("<data value=\"{:.6g}\">{}</data>", key, text);
}

std::string quantities_section(const Runs& runs, const Trend& result) {
  const std::vector<Watched> list = watched(runs, result);
  if (list.empty()) return "";
  html::Table table(
      "The median over all subjects in each run; click a heading to sort",
      {"quantity", "now", "last run#", "level before#", "last against it#", "over the runs"});
  const std::size_t shown = std::min(list.size(), kQuantitiesDrawn);
  for (std::size_t i = 0; i < shown; ++i) {
    const Watched& one = list[i];
    const auto value = [&one](double number) { return ordered(number, in_unit(number, one.key)); };
    const bool both = one.last && one.level > 0;
    table.row({what(one.key), state_of(one), one.last ? value(*one.last) : "",
               one.level > 0 ? value(one.level) : "",
               both ? ordered(one.shift(), percent(one.shift())) : "",
               chart_of(one.drawn, kSparkWide, kSparkHigh)});
  }
  return html::list_section("quantities", fmt::format("Quantities ({})", list.size()), "quantities",
                            table.take(list.size() - shown));
}

std::string runs_section(const Runs& runs,
                         const std::function<std::string(const std::string&)>& address) {
  if (runs.samples.empty()) return "";
  html::Table table("The latest first", {"began", "run", "suite", "verdict", "numbers#", "report"});
  const std::size_t count = runs.samples.size();
  const std::size_t shown = std::min(count, kRunsShown);
  for (std::size_t i = 0; i < shown; ++i) {
    const Sample& run = runs.samples[count - 1 - i];
    const std::string link = address(run.name);
    const std::string name = plain(run.name, 120);
    table.row({plain(model::minute_of(run.began_utc), 40), plain(run.run, 120),
               plain(run.suite, 60), html::badge(run.acceptance),
               std::to_string(run.numbers.size()),
               link.empty() ? name : "<a href=\"" + plain(link, 2000) + "\">" + name + "</a>"});
  }
  return html::list_section("runs", fmt::format("Runs ({})", count), "runs",
                            table.take(count - shown));
}

std::string skipped_section(const Runs& runs) {
  if (runs.skipped.empty()) return "";
  constexpr std::size_t kShown = 100;
  std::string body = "<ul>\n";
  for (std::size_t i = 0; i < std::min(runs.skipped.size(), kShown); ++i) {
    body += "<li>" + plain(runs.skipped[i], 300) + "</li>\n";
  }
  body += "</ul>\n";
  if (runs.skipped.size() > kShown) {
    body += fmt::format("<p class=\"more\">and {} more</p>\n", runs.skipped.size() - kShown);
  }
  return html::section("skipped", fmt::format("Left out ({})", runs.skipped.size()), body);
}

struct Headline {
  const char* look = "pass";
  std::string words;
};

const char* look_of(LastRun last) {
  switch (last) {
    case LastRun::kAsBefore:
      return "pass";
    case LastRun::kUnknown:
      return "untested";
    case LastRun::kWorse:
      break;
  }
  return "fail";
}

Headline headline_of(const Runs& runs, const Trend& result) {
  std::size_t worse = 0;
  std::size_t better = 0;
  for (const Change& change : result.changes) {
    if (change.last) ++(change.worse ? worse : better);
  }
  Headline head;
  const auto add = [&head](const std::string& words) {
    head.words += (head.words.empty() ? "" : ", ") + words;
  };
  if (!result.alarms.empty()) add(counted(result.alarms.size(), "alarm"));
  if (worse > 0) add(fmt::format("{} worse", worse));
  if (better > 0) add(fmt::format("{} better", better));
  const LastRun last = last_run(runs, result);
  if (result.series == 0) {
    add("Too few runs to compare");
  } else if (head.words.empty()) {
    add(last == LastRun::kUnknown ? "No change in what can be compared" : "No change");
  }
  head.look = look_of(last);
  return head;
}

std::string hero(const Runs& runs, const Trend& result) {
  const Headline head = headline_of(runs, result);
  std::string about = counted(runs.samples.size(), "run");
  if (!runs.samples.empty()) {
    about += fmt::format(", {} to {}", model::minute_of(runs.samples.front().began_utc),
                         model::minute_of(runs.samples.back().began_utc));
  }
  about += fmt::format("; {} series compared", result.series);
  std::string rest;
  if (result.too_short > 0) {
    rest += fmt::format(" {} too short for an answer: a series needs ten runs.", result.too_short);
  }
  if (result.gone > 0) rest += fmt::format(" {} not in the last run.", result.gone);
  if (!runs.skipped.empty()) {
    rest += fmt::format(" {} left out.", counted(runs.skipped.size(), "file"));
  }
  return fmt::format(
      "<header class=\"verdict {}\"><p class=\"kind\">rackproof "
      "trend</p>\n<h1>{}</h1>\n<p>{}.{}</p>"
      "\n<p class=\"kind\">Where nothing changes, {:g} false changes are expected in all series "
      "together. Correlation of neighbouring runs: {:.2g}.</p></header>\n",
      head.look, head.words, plain(about), rest, TrendOptions{}.false_points, result.correlation);
}

}  // namespace

std::string trend_page(const Runs& runs, const Trend& result,
                       const std::function<std::string(const std::string& name)>& address) {
  const std::vector<Turn> turns = turns_of(runs.samples, result);
  std::string parts;
  std::string links;
  const std::initializer_list<std::tuple<const char*, const char*, std::string>> sections = {
      {"alarms", "Alarms", alarms_section(runs, result)},
      {"worse", "Worse", changes_section(runs, turns, true)},
      {"better", "Better", changes_section(runs, turns, false)},
      {"quantities", "Quantities", quantities_section(runs, result)},
      {"runs", "Runs", runs_section(runs, address)},
      {"skipped", "Left out", skipped_section(runs)}};
  for (const auto& [id, name, text] : sections) {
    if (text.empty()) continue;
    links += fmt::format("<a href=\"#{}\">{}</a>", id, name);
    parts += text;
  }
  const std::string title = headline_of(runs, result).words + " - rackproof trend";
  return html::document_with_lists(title, "<main class=\"trend\">\n" + hero(runs, result) +
                                              "<nav aria-label=\"Sections\">" + links + "</nav>\n" +
                                              parts + "</main>\n");
}

}  // namespace rackproof::compare
