#include "harness/compare/trend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "harness/stats/change_points.hpp"
#include "harness/stats/robust.hpp"

namespace rackproof::compare {
namespace {

constexpr std::size_t kTogether = 2;  // runs that changes of one cause may be apart
constexpr std::size_t kFacts = 8;

struct Series {
  model::Better better = model::Better::kMore;
  std::vector<std::size_t> runs;  ///< in which it has a value
  std::vector<double> logs;
};

using OfSubject = std::map<std::string, Series>;

std::map<Key, OfSubject> series_in(const std::vector<Sample>& runs) {
  std::map<Key, OfSubject> all;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    for (const auto& [key, numbers] : runs[run].numbers) {
      OfSubject& of = all[key];
      const model::Better better = numbers.better;
      std::vector<double> logs;
      const auto add = [&](const std::string& subject, double log) {
        Series& series = of[subject];
        series.better = better;
        series.runs.push_back(run);
        series.logs.push_back(log);
      };
      for (const auto& [subject, number] : numbers.of) {
        logs.push_back(std::log(number));
        add(subject, logs.back());
      }
      // With one subject the median would be the same series again.
      if (logs.size() > 1) add("", stats::median(std::move(logs)));
    }
  }
  return all;
}

using Facts = std::map<std::string, std::string>;

// What is known of a subject in a run; of the median, what all its subjects have in common.
Facts facts_of(const Sample& run, const Key& key, const std::string& subject) {
  if (!subject.empty()) {
    const auto found = run.facts_of.find(subject);
    return found == run.facts_of.end() ? Facts() : found->second;
  }
  std::optional<Facts> shared;
  for (const auto& [one, number] : run.numbers.at(key).of) {
    const Facts& facts = run.facts_of.at(one);
    if (!shared) shared = facts;
    std::erase_if(*shared, [&](const auto& fact) {
      const auto other = facts.find(fact.first);
      return other == facts.end() || other->second != fact.second;
    });
  }
  return shared.value_or(Facts());
}

std::vector<std::string> changed_facts(const Facts& before, const Facts& after) {
  std::vector<std::string> texts;
  const auto value = [](const Facts& facts, const std::string& name) -> std::string {
    const auto found = facts.find(name);
    return found == facts.end() ? "(not known)" : found->second;
  };
  Facts names = before;
  names.insert(after.begin(), after.end());
  for (const auto& [name, ignored] : names) {
    const std::string was = value(before, name);
    const std::string is = value(after, name);
    if (was != is) texts.push_back(fmt::format("{}: {} -> {}", name, was, is));
  }
  if (texts.size() > kFacts) {
    const std::size_t more = texts.size() - kFacts;
    texts.resize(kFacts);
    texts.push_back(fmt::format("{} more", more));
  }
  return texts;
}

std::vector<Change> changes_of(const std::vector<Sample>& runs, const Key& key,
                               const std::string& subject, const Series& series,
                               double false_points) {
  std::vector<Change> changes;
  for (const stats::ChangePoint& point : stats::change_points(series.logs, false_points)) {
    Change change;
    change.key = key;
    change.subject = subject;
    change.at = series.runs[point.at];
    change.before = std::exp(point.before);
    change.after = std::exp(point.after);
    change.shift = std::expm1(point.after - point.before);
    change.worse = (point.after < point.before) == (series.better == model::Better::kMore);
    change.facts = changed_facts(facts_of(runs[series.runs[point.at - 1]], key, subject),
                                 facts_of(runs[change.at], key, subject));
    changes.push_back(std::move(change));
  }
  if (!changes.empty()) changes.back().last = true;
  return changes;
}

bool together(const Change& one, const Change& other) {
  return one.worse == other.worse &&
         std::max(one.at, other.at) - std::min(one.at, other.at) <= kTogether;
}

void add_changes(Trend& result, const std::vector<Sample>& runs, const Key& key,
                 const OfSubject& of, double false_points) {
  std::vector<Change> common;
  for (const auto& [subject, series] : of) {  // the empty name, the median's, comes first
    for (Change& change : changes_of(runs, key, subject, series, false_points)) {
      if (subject.empty()) {
        common.push_back(std::move(change));
        continue;
      }
      const auto with = std::find_if(common.begin(), common.end(),
                                     [&](const Change& one) { return together(one, change); });
      if (with == common.end()) {
        result.changes.push_back(std::move(change));
      } else {
        ++with->subjects;
      }
    }
  }
  std::move(common.begin(), common.end(), std::back_inserter(result.changes));
}

}  // namespace

Trend trend(const std::vector<Sample>& runs, const TrendOptions& options) {
  Trend result;
  const std::map<Key, OfSubject> all = series_in(runs);
  for (const auto& [key, of] : all) {
    for (const auto& [subject, series] : of) {
      const bool enough = series.logs.size() >= 2 * stats::kLeastBetweenChanges;
      ++(enough ? result.series : result.too_short);
      result.gone += enough && series.runs.back() + 1 < runs.size() ? 1 : 0;
    }
  }
  const double each =
      options.false_points / static_cast<double>(std::max<std::size_t>(1, result.series));
  for (const auto& [key, of] : all) add_changes(result, runs, key, of, each);
  std::stable_sort(
      result.changes.begin(), result.changes.end(),
      [](const Change& a, const Change& b) { return a.worse != b.worse ? a.worse : a.at > b.at; });
  return result;
}

}  // namespace rackproof::compare
