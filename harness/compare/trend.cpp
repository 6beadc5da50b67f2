#include "harness/compare/trend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "harness/stats/change_points.hpp"
#include "harness/stats/outlier.hpp"
#include "harness/stats/robust.hpp"

namespace rackproof::compare {
namespace {

constexpr std::size_t kTogether = 2;  // runs that changes of one cause may be apart
constexpr std::size_t kFacts = 8;
constexpr double kLargeDrop = 0.1;  // for the worse, told the same night

struct Series {
  contract::Better better = contract::Better::kMore;
  std::vector<std::size_t> runs;  ///< in which it has a value
  std::vector<double> logs;
};

using OfSubject = std::map<std::string, Series>;

std::map<Key, OfSubject> series_in(const std::vector<Sample>& runs) {
  std::map<Key, OfSubject> all;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    for (const auto& [key, numbers] : runs[run].numbers) {
      OfSubject& of = all[key];
      const contract::Better better = numbers.better;
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

// How a trend looks at one series.
struct Look {
  double false_points = 0;
  double correlation = 0;
  std::size_t all = 1;  // series
};

std::vector<Change> changes_of(const std::vector<Sample>& runs, const Key& key,
                               const std::string& subject, const Series& series, const Look& look) {
  std::vector<Change> changes;
  for (const stats::ChangePoint& point :
       stats::change_points(series.logs, look.false_points, look.correlation)) {
    Change change;
    change.key = key;
    change.subject = subject;
    change.at = series.runs[point.at];
    change.before = std::exp(point.before);
    change.after = std::exp(point.after);
    change.shift = std::expm1(point.after - point.before);
    change.worse = (point.after < point.before) == (series.better == contract::Better::kMore);
    change.facts = changed_facts(facts_of(runs[series.runs[point.at - 1]], key, subject),
                                 facts_of(runs[change.at], key, subject));
    changes.push_back(std::move(change));
  }
  if (!changes.empty()) changes.back().last = true;
  return changes;
}

// The last value against those since the last change; nothing when it is not of the last run.
std::optional<Alarm> alarm_of(const std::vector<Sample>& runs, const Key& key,
                              const std::string& subject, const Series& series,
                              std::size_t level_from, const TrendOptions& options,
                              std::size_t all) {
  if (series.runs.back() + 1 < runs.size()) return std::nullopt;
  const std::size_t last = series.logs.size() - 1;
  if (last < level_from + stats::kLeastBetweenChanges) return std::nullopt;
  const std::vector<double> logs(series.logs.begin() + static_cast<std::ptrdiff_t>(level_from),
                                 series.logs.end() - 1);
  const double level = stats::median(logs);
  // As shares of the level, so that the least spread is one as well.
  std::vector<double> shares;
  for (const double log : logs) shares.push_back(std::exp(log - level));
  const double now = std::exp(series.logs[last] - level);
  const double sign = series.better == contract::Better::kMore ? -1 : 1;
  const double threshold =
      stats::peer_threshold(options.false_points, all, shares.size(), stats::Sides::kOne);
  if (sign * (now - 1) < kLargeDrop) return std::nullopt;
  if (sign * stats::modified_z(now, stats::spread(shares)) < threshold) return std::nullopt;
  return Alarm{key, subject, std::exp(level), std::exp(series.logs[last]), now - 1, 0};
}

bool together(const Change& one, const Change& other) {
  return one.worse == other.worse &&
         std::max(one.at, other.at) - std::min(one.at, other.at) <= kTogether;
}

void add_changes(Trend& result, const std::vector<Sample>& runs, const Key& key,
                 const OfSubject& of, const Look& look, const TrendOptions& options) {
  std::vector<Change> common;
  std::optional<Alarm> of_all;
  for (const auto& [subject, series] : of) {  // the empty name, the median's, comes first
    std::size_t level_from = 0;
    for (Change& change : changes_of(runs, key, subject, series, look)) {
      const auto first = std::lower_bound(series.runs.begin(), series.runs.end(), change.at);
      level_from = static_cast<std::size_t>(first - series.runs.begin());
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
    auto alarm = alarm_of(runs, key, subject, series, level_from, options, look.all);
    if (!alarm) continue;
    if (subject.empty()) {
      of_all = std::move(alarm);
    } else if (of_all) {
      ++of_all->subjects;
    } else {
      result.alarms.push_back(std::move(*alarm));
    }
  }
  std::move(common.begin(), common.end(), std::back_inserter(result.changes));
  if (of_all) result.alarms.push_back(std::move(*of_all));
}

// What the nights of all series say of neighbours: the mean of their correlations, and a standard
// error more, so that there is little doubt that it is no larger. Of many series some tell enough.
double correlation_in(const std::map<Key, OfSubject>& all, double false_points) {
  constexpr std::size_t kMostSeries = 200;
  constexpr double kLargest = 0.9;
  std::vector<const Series*> of_subjects;
  for (const auto& [key, of] : all) {
    for (const auto& [subject, series] : of) {
      // The median over the subjects is made of the others.
      if (!subject.empty() || of.size() == 1) of_subjects.push_back(&series);
    }
  }
  double sum = 0;
  double values = 0;
  const std::size_t step = of_subjects.size() / kMostSeries + 1;
  for (std::size_t i = 0; i < of_subjects.size(); i += step) {
    const std::vector<double>& logs = of_subjects[i]->logs;
    const auto found = stats::neighbour_correlation(logs, false_points);
    if (!found) continue;
    sum += *found * static_cast<double>(logs.size());
    values += static_cast<double>(logs.size());
  }
  return values > 0 ? std::clamp(sum / values + 1 / std::sqrt(values), 0.0, kLargest) : 0;
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
  const std::size_t count = std::max<std::size_t>(1, result.series);
  result.correlation = correlation_in(all, options.false_points / static_cast<double>(count));
  const Look look{options.false_points / static_cast<double>(count), result.correlation,
                  std::max<std::size_t>(1, result.series + result.too_short)};
  for (const auto& [key, of] : all) add_changes(result, runs, key, of, look, options);
  const auto size = [](const Alarm& one) { return std::fabs(std::log1p(one.shift)); };
  std::stable_sort(result.alarms.begin(), result.alarms.end(),
                   [&](const Alarm& a, const Alarm& b) { return size(a) > size(b); });
  std::stable_sort(
      result.changes.begin(), result.changes.end(),
      [](const Change& a, const Change& b) { return a.worse != b.worse ? a.worse : a.at > b.at; });
  return result;
}

std::vector<std::optional<double>> values_over(const std::vector<Sample>& runs, const Key& key,
                                               const std::string& subject) {
  std::vector<std::optional<double>> values(runs.size());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto numbers = runs[i].numbers.find(key);
    if (numbers == runs[i].numbers.end()) continue;
    const auto& of = numbers->second.of;
    if (!subject.empty()) {
      if (const auto one = of.find(subject); one != of.end()) values[i] = one->second;
      continue;
    }
    std::vector<double> all;
    for (const auto& [name, number] : of) all.push_back(number);
    if (!all.empty()) values[i] = stats::median(std::move(all));
  }
  return values;
}

}  // namespace rackproof::compare
