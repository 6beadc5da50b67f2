#include "harness/compare/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "harness/compare/series.hpp"
#include "harness/stats/robust.hpp"
#include "harness/stats/shift.hpp"

namespace rackproof::compare {
namespace {

// From so many reports on each side on, each of them is one value: twelve keys at 95 % then still
// have an interval.
constexpr std::size_t kRunsAsValues = 8;
// Fewer reports in all have no spread that says anything of one more. From there to eight on each
// side Student's t does what ranks cannot.
constexpr std::size_t kLeastRuns = 4;
// Logarithms and averages of equal numbers differ by less: rounding is no shift.
constexpr double kRounding = 1e-9;
// Fewer pairs than this have no interval at 95 %.
constexpr std::size_t kLeastPairs = 6;

using stats::Interval;

// Values of one side that stand for what `of` says, by its name.
std::map<std::string, double> medians(const std::vector<Value>& values, bool of_runs) {
  std::map<std::string, std::vector<double>> groups;
  for (const Value& value : values) {
    groups[of_runs ? fmt::format("{}", static_cast<const void*>(value.sample)) : value.subject]
        .push_back(value.log);
  }
  std::map<std::string, double> out;
  for (auto& [name, logs] : groups) out[name] = stats::median(std::move(logs));
  return out;
}

std::vector<double> numbers(const std::map<std::string, double>& values) {
  std::vector<double> out;
  for (const auto& [name, value] : values) out.push_back(value);
  return out;
}

std::vector<double> logs_of(const std::vector<Value>& values) {
  std::vector<double> out;
  for (const Value& value : values) out.push_back(value.log);
  return out;
}

// What is known of a shift of logarithms.
struct Known {
  stats::Shift shift;
  std::optional<Interval> wide;    ///< of the difference
  std::optional<Interval> narrow;  ///< of the two one-sided tests
};

template <class Test>
Known known_of(const Test& test, double error) {
  return {test.shift(), test.interval(1 - error), test.interval(1 - 2 * error)};
}

double relative(double log) { return std::expm1(log); }

// As many values as make the interval narrow enough for one of the two answers, as its width goes
// with their square root.
std::size_t needed(const Known& known, double margin, std::size_t count) {
  if (!known.wide) return 0;
  const double half = (known.wide->high - known.wide->low) / 2;
  const double size = std::fabs(known.shift.estimate);
  const double goal = std::max(size, margin - size);
  if (!(goal > 0) || !(half > 0)) return 0;
  const double n = static_cast<double>(count) * (half / goal) * (half / goal);
  return n > 1e9 ? 0 : std::max(count + 1, static_cast<std::size_t>(std::ceil(n)));
}

Answer answer_of(const Known& known, contract::Better better, double margin) {
  if (!known.wide || !known.narrow) return Answer::kInconclusive;
  if (relative(known.narrow->low) > -margin && relative(known.narrow->high) < margin) {
    return Answer::kEquivalent;
  }
  if (known.wide->low <= kRounding && known.wide->high >= -kRounding) return Answer::kInconclusive;
  const bool more = known.wide->low > 0;
  return more == (better == contract::Better::kMore) ? Answer::kBetter : Answer::kWorse;
}

// How a series is to be compared.
struct Layout {
  Unit unit = Unit::kSubjects;
  std::vector<double> a;
  std::vector<double> b;
  std::vector<double> differences;  ///< of pairs
  bool few = false;                 ///< too few runs for ranks
};

Layout layout_of(const Series& series, std::size_t runs_a, std::size_t runs_b) {
  Layout layout;
  // The subjects of one run share its weather: they are no values of their own once several runs
  // tell how much runs differ.
  if (runs_a + runs_b >= kLeastRuns) {
    layout.few = std::min(runs_a, runs_b) < kRunsAsValues;
    layout.unit = Unit::kRuns;
    layout.a = numbers(medians(series.a, true));
    layout.b = numbers(medians(series.b, true));
    return layout;
  }
  const auto a = medians(series.a, false);
  const auto b = medians(series.b, false);
  for (const auto& [subject, log] : a) {
    const auto other = b.find(subject);
    if (other != b.end()) layout.differences.push_back(other->second - log);
  }
  const std::size_t pairs = layout.differences.size();
  if (pairs >= kLeastPairs && 2 * pairs >= std::max(a.size(), b.size())) {
    layout.unit = Unit::kPairs;
    return layout;
  }
  layout.a = logs_of(series.a);
  layout.b = logs_of(series.b);
  return layout;
}

// Subjects of A that have no number in B; none where the sides are of different parts altogether.
std::size_t lost_of(const Series& series) {
  std::set<std::string> a;
  std::set<std::string> b;
  for (const Value& value : series.a) a.insert(value.subject);
  for (const Value& value : series.b) b.insert(value.subject);
  const auto lost = static_cast<std::size_t>(std::count_if(
      a.begin(), a.end(), [&](const std::string& subject) { return !b.contains(subject); }));
  return lost == a.size() ? 0 : lost;
}

Line line_of(const Series& series, const Layout& layout, double error, double margin) {
  Line line;
  line.key = series.key;
  line.better = series.better;
  line.lost = lost_of(series);
  line.unit = layout.unit;
  line.typical_a = std::exp(stats::median(logs_of(series.a)));
  line.typical_b = std::exp(stats::median(logs_of(series.b)));
  const bool pairs = layout.unit == Unit::kPairs;
  const Known known = pairs        ? known_of(stats::Pairs(layout.differences), error)
                      : layout.few ? known_of(stats::FewValues(layout.a, layout.b), error)
                                   : known_of(stats::TwoSamples(layout.a, layout.b), error);
  line.count_a = pairs ? layout.differences.size() : layout.a.size();
  line.count_b = pairs ? layout.differences.size() : layout.b.size();
  line.shift = relative(known.shift.estimate);
  line.effect = known.shift.effect;
  line.answer = answer_of(known, series.better, margin);
  if (known.wide) {
    line.low = relative(known.wide->low);
    line.high = relative(known.wide->high);
  }
  if (line.answer == Answer::kInconclusive) {
    line.needed = needed(known, std::log1p(margin), std::min(line.count_a, line.count_b));
  }
  return line;
}

std::set<Key> keys_of(const std::vector<Sample>& samples) {
  std::set<Key> keys;
  for (const Sample& sample : samples) {
    for (const auto& [key, numbers] : sample.numbers) keys.insert(key);
  }
  return keys;
}

std::set<std::string> subjects_of(const std::vector<Sample>& samples) {
  std::set<std::string> subjects;
  for (const Sample& sample : samples) {
    for (const auto& [subject, facts] : sample.facts_of) subjects.insert(subject);
  }
  return subjects;
}

template <class T>
std::vector<T> without(const std::set<T>& all, const std::set<T>& others) {
  std::vector<T> out;
  std::set_difference(all.begin(), all.end(), others.begin(), others.end(),
                      std::back_inserter(out));
  return out;
}

std::string platforms_of(const std::vector<Sample>& side) {
  std::set<std::string> names;
  for (const Sample& sample : side) {
    for (const auto& [subject, facts] : sample.facts_of) {
      const auto found = facts.find(kPlatformFact);
      if (found != facts.end()) names.insert(found->second);
    }
  }
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

void add_notes(Comparison& result, const std::vector<Sample>& a, const std::vector<Sample>& b) {
  const std::string platform_a = platforms_of(a);
  const std::string platform_b = platforms_of(b);
  if (platform_a != platform_b) {
    result.platforms = fmt::format("the two sides are of different platforms: A is {}, B is {}",
                                   platform_a.empty() ? "of none that is known" : platform_a,
                                   platform_b.empty() ? "of none that is known" : platform_b);
  }
  std::set<std::string> suites;
  std::set<std::string> digests;
  std::size_t without_number = 0;
  std::size_t measured_before = 0;
  for (const auto* side : {&a, &b}) {
    for (const Sample& sample : *side) {
      suites.insert(sample.suite);
      digests.insert(sample.suite_digest);
      without_number += sample.without_number;
      measured_before += sample.measured_before;
    }
  }
  if (suites.size() > 1) {
    result.notes.push_back("the reports are of different suites: compared is what they share");
  } else if (digests.size() > 1) {
    result.notes.push_back("the suite was changed between the reports");
  }
  if (without_number > 0) {
    result.notes.push_back(
        fmt::format("{} cells have no number (failed checks, untested, waived) and are in no "
                    "comparison",
                    without_number));
  }
  if (measured_before > 0) {
    result.notes.push_back(
        fmt::format("{} cells were kept from a run that was amended after a repair, and are in no "
                    "comparison: they are in the report of that run",
                    measured_before));
  }
  if (a.size() + b.size() < kLeastRuns) {
    result.notes.push_back(
        fmt::format("with {} and {} runs a change cannot be separated from run-to-run noise; "
                    "compare {} runs or more in all",
                    a.size(), b.size(), kLeastRuns));
  }
}

}  // namespace

std::vector<Series> common_series(const std::vector<Sample>& a, const std::vector<Sample>& b) {
  std::vector<Series> all;
  const std::set<Key> keys_a = keys_of(a);
  const std::set<Key> keys_b = keys_of(b);
  for (const Key& key : keys_a) {
    if (keys_b.count(key) == 0) continue;
    Series series;
    series.key = key;
    const auto collect = [&](const std::vector<Sample>& samples, std::vector<Value>& to) {
      for (const Sample& sample : samples) {
        const auto found = sample.numbers.find(key);
        if (found == sample.numbers.end()) continue;
        series.better = found->second.better;
        for (const auto& [subject, number] : found->second.of) {
          to.push_back({subject, &sample, std::log(number)});
        }
      }
    };
    collect(a, series.a);
    collect(b, series.b);
    all.push_back(std::move(series));
  }
  return all;
}

Comparison compare(const std::vector<Sample>& a, const std::vector<Sample>& b,
                   const Options& options) {
  Comparison result;
  const std::vector<Series> all = common_series(a, b);
  const double error =
      (1 - options.confidence) / static_cast<double>(std::max<std::size_t>(1, all.size()));
  std::vector<const Series*> differing;
  for (const Series& series : all) {
    const Layout layout = layout_of(series, a.size(), b.size());
    result.lines.push_back(line_of(series, layout, error, options.margin));
    const Answer answer = result.lines.back().answer;
    if (answer == Answer::kWorse || answer == Answer::kBetter) differing.push_back(&series);
  }
  if (!differing.empty()) result.associations = associations(differing);
  std::stable_sort(result.lines.begin(), result.lines.end(), [](const Line& x, const Line& y) {
    return x.answer != y.answer ? x.answer < y.answer : std::fabs(x.shift) > std::fabs(y.shift);
  });
  result.only_a = without(keys_of(a), keys_of(b));
  result.only_b = without(keys_of(b), keys_of(a));
  result.subjects_only_a = without(subjects_of(a), subjects_of(b)).size();
  result.subjects_only_b = without(subjects_of(b), subjects_of(a)).size();
  add_notes(result, a, b);
  return result;
}

}  // namespace rackproof::compare
