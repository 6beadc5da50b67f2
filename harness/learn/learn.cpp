#include "harness/learn/learn.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "harness/learn/harvest.hpp"
#include "harness/learn/tolerance.hpp"
#include "harness/stats/modes.hpp"
#include "harness/stats/robust.hpp"
#include "reports/model/fact_name.hpp"
#include "reports/model/finding_id.hpp"
#include "reports/model/words.hpp"

namespace rackproof::learn {
namespace {

namespace fact_name = model::fact_name;

using model::Report;

/// Half the speed: half of a rate, twice a time.
constexpr double kMostBelow = 0.5;
constexpr double kMostAbove = 1;
constexpr std::size_t kHostsNamed = 5;
constexpr std::size_t kDateLetters = 10;

std::string name_of(const Report& report) { return "run " + report.run.id; }

void require_teachable(const std::vector<Report>& reports) {
  if (reports.empty()) throw BadReports("there is no report to learn from");
  std::set<std::string> runs;
  for (const Report& report : reports) {
    if (report.schema_version != reports.front().schema_version) {
      throw BadReports(fmt::format("{} is of schema version {} and {} of {}: expected one version",
                                   name_of(reports.front()), reports.front().schema_version,
                                   name_of(report), report.schema_version));
    }
    if (!runs.insert(report.run.id).second) {
      throw BadReports(name_of(report) + " is there twice: its numbers would count double");
    }
    if (report.acceptance != model::Acceptance::kAccepted &&
        report.acceptance != model::Acceptance::kVerified) {
      throw BadReports(fmt::format(
          "{} is {}: only runs in which all is right teach what a machine must reach ({})",
          name_of(report), contract::word(report.acceptance), report.acceptance_reason));
    }
    const auto forced = std::find_if(
        report.findings.begin(), report.findings.end(), [](const model::Finding& finding) {
          return finding.id == model::finding_id::kPlatformContradicted;
        });
    if (forced != report.findings.end()) {
      throw BadReports(fmt::format("{} was judged by a table that its hosts contradict: {}",
                                   name_of(report), forced->text));
    }
  }
}

/// The one table by which every host of every report was judged.
const model::PlatformTable& common_table(const std::vector<Report>& reports) {
  const model::PlatformTable* common = nullptr;
  for (const Report& report : reports) {
    for (const auto& [host, id] : report.platform_of_host) {
      const auto table = std::find_if(report.platforms.begin(), report.platforms.end(),
                                      [&id = id](const auto& one) { return one.id == id; });
      if (table == report.platforms.end()) continue;
      if (common != nullptr && common->id != table->id) {
        throw BadReports(
            fmt::format("{} of {} is a {}, others are {}: learn each platform by itself", host,
                        name_of(report), table->id, common->id));
      }
      common = &*table;
    }
  }
  if (common == nullptr) throw BadReports("no host of the reports has a platform table");
  return *common;
}

/// "" or where two groups lie, with the hosts of the smaller one, or those that are in both.
std::string two_groups(const std::vector<Value>& values, const std::string& unit) {
  std::vector<Value> sorted = values;
  std::sort(sorted.begin(), sorted.end(),
            [](const Value& a, const Value& b) { return a.value < b.value; });
  std::vector<double> numbers;
  for (const Value& value : sorted) numbers.push_back(value.value);
  const auto split = stats::split_in_two(numbers);
  if (!split) return "";
  const auto middle = static_cast<std::ptrdiff_t>(split->below);
  const std::vector<double> low(numbers.begin(), numbers.begin() + middle);
  const std::vector<double> high(numbers.begin() + middle, numbers.end());
  const bool low_is_smaller = low.size() <= high.size();
  std::set<std::string> hosts;
  std::set<std::string> others;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    ((i < split->below) == low_is_smaller ? hosts : others).insert(sorted[i].host);
  }
  // Runs that differ say something of those hosts, and nothing of one beside another.
  std::set<std::string> both;
  std::set_intersection(hosts.begin(), hosts.end(), others.begin(), others.end(),
                        std::inserter(both, both.end()));
  const bool of_runs = !both.empty();
  if (of_runs) hosts = both;
  std::string names;
  std::size_t named = 0;
  for (const std::string& host : hosts) {
    if (++named > kHostsNamed) break;
    names += (names.empty() ? "" : ", ") + host;
  }
  if (hosts.size() > kHostsNamed) names += fmt::format(" and {} more", hosts.size() - kHostsNamed);
  return fmt::format("its values are two groups, {} around {:.4g} {} and {} around {:.4g}; {}{}",
                     low.size(), stats::median(low), unit, high.size(), stats::median(high),
                     of_runs ? "in both lie runs of " : "the smaller one is ", names);
}

std::string joined(const std::set<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string versions_in(const std::vector<Report>& reports) {
  std::set<std::string> words;
  for (const Report& report : reports) {
    words.insert("rackproof " + report.tool.version);
    for (const model::NodeInventory& node : report.nodes) {
      for (const auto& [fact, name] : std::initializer_list<std::pair<const char*, const char*>>{
               {fact_name::kGpuDriverVersion, "driver"}, {fact_name::kKernelRelease, "kernel"}}) {
        if (const auto text = model::text_of(node, fact)) {
          words.insert(std::string(name) + " " + *text);
        }
      }
    }
    for (const model::Attempt& attempt : report.attempts) {
      for (const auto& [library, version] : attempt.libraries)
        words.insert(library + " " + version);
    }
  }
  return joined(words);
}

model::Source source_of(const std::vector<Report>& reports, const std::vector<Value>& values,
                        const Variation& variation) {
  std::set<std::string> subjects;
  std::string latest;
  for (const Value& value : values) subjects.insert(value.subject);
  for (const Report& report : reports) latest = std::max(latest, report.run.began_utc);
  model::Source source;
  source.title =
      fmt::format("Learned from {} accepted run{}", reports.size(), reports.size() == 1 ? "" : "s");
  source.kind = "measured-here";
  source.date = latest.substr(0, kDateLetters);
  source.software = versions_in(reports);
  source.n = static_cast<std::int64_t>(values.size());
  source.scale = fmt::format("{} different subjects", subjects.size());
  source.note = fmt::format(
      "standard deviation {:.2g} %; the tolerance is that of one healthy value in {:.0f}",
      100 * variation.deviation, 1 / kTail);
  return source;
}

void learn_kind(const Kind& kind, const std::vector<Value>& values,
                const std::map<Kind, Variation>& variations, const std::vector<Report>& reports,
                const Options& options, Lesson& lesson) {
  const auto unfit = [&](std::string why) {
    lesson.unfit.push_back({label(kind), std::move(why)});
  };
  if (values.size() < options.least_values) {
    return unfit(fmt::format("{} value{}; at least {} are needed", values.size(),
                             values.size() == 1 ? "" : "s", options.least_values));
  }
  if (std::string why = two_groups(values, kind.unit); !why.empty()) return unfit(std::move(why));
  std::vector<double> numbers;
  for (const Value& value : values) numbers.push_back(value.value);
  const bool more = kind.better == contract::Better::kMore;
  const double median = stats::median(numbers);
  const auto found = variations.find(kind);
  if (found == variations.end()) return unfit("of one value nobody knows the spread");
  const Variation& variation = found->second;
  const double tolerance = tolerance_of(values, variation, median, more, options.least_tolerance);
  const double most = more ? kMostBelow : kMostAbove;
  if (tolerance > most) {
    return unfit(fmt::format("{} values take a tolerance of {:.3g} %; {}", values.size(),
                             100 * tolerance, what_helps(variation, most, more)));
  }
  model::Baseline baseline;
  baseline.metric = kind.metric;
  baseline.parameters = kind.parameters;
  baseline.backend = kind.backend;
  baseline.kind = model::BaselineKind::kAbsolute;
  baseline.expected = median;
  baseline.unit = kind.unit;
  (more ? baseline.tolerance_below : baseline.tolerance_above) = tolerance;
  baseline.statistic = kind.statistic;
  baseline.nodes_min = baseline.nodes_max = static_cast<std::int64_t>(kind.hosts);
  baseline.source = source_of(reports, values, variation);
  baseline.table = options.id;
  lesson.table.baselines.push_back(std::move(baseline));
}

/// What all hosts have in common that tells this machine from others.
std::vector<model::FactRule> rules_from(const std::vector<Report>& reports) {
  std::vector<model::FactRule> rules;
  for (const char* fact : {fact_name::kCpuModel, fact_name::kCpuArchitecture, fact_name::kGpuName,
                           fact_name::kGpuNvmlCount}) {
    std::optional<contract::Scalar> common;
    bool same = true;
    for (const Report& report : reports) {
      for (const model::NodeInventory& node : report.nodes) {
        const auto value = model::value_of(node, fact);
        if (!common) common = value;
        same = same && value == common;
      }
    }
    if (!same || !common) continue;
    model::FactRule rule;
    rule.fact = fact;
    rule.equals = common;
    rules.push_back(std::move(rule));
  }
  if (rules.empty()) {
    throw BadReports("the hosts have neither a processor nor a GPU in common to recognise them by");
  }
  return rules;
}

void sort_by_time(std::vector<Report>& reports) {
  std::sort(reports.begin(), reports.end(), [](const Report& a, const Report& b) {
    return std::tie(a.run.began_utc, a.run.id) < std::tie(b.run.began_utc, b.run.id);
  });
}

/// Whom a history is about: nothing for links and groups, which are not parts.
std::optional<std::string> part_of(const model::Subject& subject) {
  switch (subject.kind) {
    case contract::SubjectKind::kDevice:
      return subject.device;
    case contract::SubjectKind::kNode:
      return subject.host;
    case contract::SubjectKind::kLink:
    case contract::SubjectKind::kGroup:
      break;
  }
  return std::nullopt;
}

using CellKey = std::tuple<std::string, std::string, std::string, contract::Parameters>;
using HistoryKey = std::tuple<std::string, std::string, std::string, contract::Parameters,
                              std::string, contract::Statistic>;

}  // namespace

Lesson learn_table(std::vector<Report> reports, const Options& options) {
  require_teachable(reports);
  sort_by_time(reports);
  const model::PlatformTable& base = common_table(reports);
  Lesson lesson;
  lesson.extends = base.id;
  lesson.table.id = options.id;
  lesson.table.title = options.title;
  if (base.generic) lesson.table.recognise = rules_from(reports);
  const std::map<Kind, std::vector<Value>> kinds = harvest(reports);
  const std::map<Kind, Variation> variations = variations_of(kinds);
  for (const auto& [kind, values] : kinds) {
    learn_kind(kind, values, variations, reports, options, lesson);
  }
  return lesson;
}

std::vector<model::History> learn_history(std::vector<Report> reports) {
  require_teachable(reports);
  sort_by_time(reports);
  std::map<HistoryKey, model::History> all;
  SeenNumbers seen;
  for (const Report& report : reports) {
    for (const model::Cell& cell : report.cells) {
      const auto part = part_of(cell.subject);
      const model::Verdict& verdict = cell.verdict;
      if (!part || !model::is_right(verdict.outcome) || !verdict.observed ||
          cell.measurements.empty() || !seen.is_new(cell)) {
        continue;
      }
      const std::string& unit = cell.measurements.back().unit;
      // A part whose cells were judged by different statistics has a history of each.
      model::History& history =
          all[{*part, cell.step, cell.metric, cell.parameters, unit, verdict.statistic}];
      if (history.values.empty()) {
        history = {*part, cell.step, cell.metric, cell.parameters, unit, verdict.statistic, {}};
      }
      history.values.push_back(*verdict.observed);
    }
  }
  std::vector<model::History> result;
  result.reserve(all.size());
  for (auto& [key, history] : all) result.push_back(std::move(history));
  return result;
}

std::vector<model::History> relevant_to(const Report& report,
                                        const std::vector<model::History>& history) {
  std::set<CellKey> wanted;
  for (const model::Cell& cell : report.cells) {
    if (const auto part = part_of(cell.subject)) {
      wanted.insert({*part, cell.step, cell.metric, cell.parameters});
    }
  }
  std::vector<model::History> result;
  for (const model::History& one : history) {
    if (wanted.contains({one.subject, one.step, one.metric, one.parameters})) result.push_back(one);
  }
  return result;
}

}  // namespace rackproof::learn
