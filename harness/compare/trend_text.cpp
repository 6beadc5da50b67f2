#include "harness/compare/trend_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "harness/compare/comparison_words.hpp"
#include "harness/compare/turns.hpp"
#include "reports/model/cell_text.hpp"
#include "reports/model/printable.hpp"
#include "reports/model/quantity.hpp"

namespace rackproof::compare {
namespace {

constexpr std::size_t kChangesShown = 40;

std::string change_text(const Turn& turn, const Change& change) {
  std::string text =
      fmt::format("    {}: {}\n        {}, {} -> {}, {}",
                  change.subject.empty() ? "median of all" : change.subject, name_of(change.key),
                  percent(change.shift), model::quantity(change.before, change.key.unit),
                  model::quantity(change.after, change.key.unit),
                  change.last ? "still so" : "changed again later");
  if (change.subjects > 0)
    text += fmt::format("; {} with it", model::counted(change.subjects, "subject"));
  text += "\n";
  for (const std::string& fact : own_facts(turn, change)) {
    text += "        changed there: " + fact + "\n";
  }
  return text;
}

std::string turn_text(const Runs& runs, const Turn& turn, std::size_t most) {
  std::string text = fmt::format("  between {} and {}\n", run_text(runs.samples[turn.before]),
                                 run_text(runs.samples[turn.at]));
  for (const std::string& fact : turn.facts) text += "    changed there: " + fact + "\n";
  for (std::size_t i = 0; i < std::min(turn.changes.size(), most); ++i) {
    text += change_text(turn, *turn.changes[i]);
  }
  return text;
}

std::string alarms_text(const Trend& result) {
  if (result.alarms.empty()) return "";
  std::string text = fmt::format("\nALARM ({}): far below the nights before, in the last run\n",
                                 result.alarms.size());
  std::size_t shown = 0;
  for (const Alarm& one : result.alarms) {
    if (++shown > kChangesShown) break;
    text += fmt::format(
        "  {}: {}\n      {}, {} -> {}{}\n", one.subject.empty() ? "median of all" : one.subject,
        name_of(one.key), percent(one.shift), model::quantity(one.before, one.key.unit),
        model::quantity(one.now, one.key.unit),
        one.subjects > 0 ? fmt::format("; {} with it", model::counted(one.subjects, "subject"))
                         : "");
  }
  if (result.alarms.size() > kChangesShown) {
    text += fmt::format("  and {} more\n", result.alarms.size() - kChangesShown);
  }
  return text;
}

std::string printable_lines(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out += model::printable(std::string_view(text).substr(at, end - at)) + "\n";
    at = end + 1;
  }
  return out;
}

}  // namespace

LastRun last_run(const Runs& runs, const Trend& result) {
  const bool worse = std::any_of(result.changes.begin(), result.changes.end(),
                                 [](const Change& change) { return change.worse && change.last; });
  if (worse || !result.alarms.empty()) return LastRun::kWorse;
  return result.series == 0 || result.gone > 0 || runs.unfit > 0 ? LastRun::kUnknown
                                                                 : LastRun::kAsBefore;
}

std::string trend_text(const Runs& runs, const Trend& result) {
  std::string text =
      fmt::format("{} in {} series over {}", model::counted(result.changes.size(), "change"),
                  result.series, model::counted(runs.samples.size(), "run"));
  if (!runs.samples.empty()) {
    text +=
        fmt::format(" ({} to {})", runs.samples.front().began_utc, runs.samples.back().began_utc);
  }
  text += "\n";
  if (result.too_short > 0) {
    text +=
        fmt::format("{} series are too short for an answer: it takes ten runs\n", result.too_short);
  }
  if (result.gone > 0) {
    text += fmt::format("{} series have no number in the last run\n", result.gone);
  }
  for (const std::string& why : runs.skipped) text += "left out: " + why + "\n";
  text += alarms_text(result);
  for (const bool worse : {true, false}) {
    std::size_t count = 0;
    std::string part;
    for (const Turn& turn : turns_of(runs.samples, result)) {
      if (turn.worse != worse) continue;
      if (count < kChangesShown) part += turn_text(runs, turn, kChangesShown - count);
      count += turn.changes.size();
    }
    if (count == 0) continue;
    text += fmt::format("\n{} ({})\n{}", worse ? "WORSE" : "BETTER", count, part);
    if (count > kChangesShown) text += fmt::format("  and {} more\n", count - kChangesShown);
  }
  return printable_lines(text);
}

std::string trend_json(const Runs& runs, const Trend& result) {
  nlohmann::json out = {{"schema", "rackproof/trend/1"},     {"series", result.series},
                        {"too_short", result.too_short},     {"gone", result.gone},
                        {"skipped", runs.skipped},           {"runs", nlohmann::json::array()},
                        {"changes", nlohmann::json::array()}};
  for (const Sample& run : runs.samples) {
    out["runs"].push_back({{"run", run.run}, {"began_utc", run.began_utc}, {"file", run.name}});
  }
  std::map<const Change*, std::size_t> before;
  for (const Turn& turn : turns_of(runs.samples, result)) {
    for (const Change* change : turn.changes) before[change] = turn.before;
  }
  for (const Change& change : result.changes) {
    nlohmann::json one = {{"step", change.key.step},
                          {"metric", change.key.metric},
                          {"parameters", change.key.parameters},
                          {"unit", change.key.unit},
                          {"worse", change.worse},
                          {"last", change.last},
                          {"first_run", runs.samples[change.at].run},
                          {"run_before", runs.samples[before.at(&change)].run},
                          {"before", change.before},
                          {"after", change.after},
                          {"shift", change.shift},
                          {"facts", change.facts}};
    if (change.subject.empty()) {
      one["subjects_with_it"] = change.subjects;
    } else {
      one["subject"] = change.subject;
    }
    out["changes"].push_back(std::move(one));
  }
  out["correlation"] = result.correlation;
  out["alarms"] = nlohmann::json::array();
  for (const Alarm& alarm : result.alarms) {
    nlohmann::json one = {{"step", alarm.key.step},
                          {"metric", alarm.key.metric},
                          {"parameters", alarm.key.parameters},
                          {"unit", alarm.key.unit},
                          {"before", alarm.before},
                          {"now", alarm.now},
                          {"shift", alarm.shift}};
    if (alarm.subject.empty()) {
      one["subjects_with_it"] = alarm.subjects;
    } else {
      one["subject"] = alarm.subject;
    }
    out["alarms"].push_back(std::move(one));
  }
  return out.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace rackproof::compare
