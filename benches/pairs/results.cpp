#include "benches/pairs/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "benches/kit/results.hpp"
#include "benches/kit/statistics.hpp"

namespace rackproof::pairs {
namespace {

constexpr std::size_t kKeptSamples = 1000;

// Forward and backward are two answers to one question: how fast is one direction alone.
Spec question(Spec spec) {
  if (spec.kind == Kind::kBackward) spec.kind = Kind::kForward;
  return spec;
}

bool is_latency(const Spec& spec) { return spec.kind == Kind::kLatency; }

std::string_view group_word(const Spec& spec) {
  return spec.kind == Kind::kForward ? std::string_view("one") : word(spec.kind);
}

protocol::Metric metric_of(const Spec& spec, int ranks, std::string check) {
  const bool latency = is_latency(spec);
  protocol::Metric metric =
      kit::metric_of(latency ? "pairs.latency" : "pairs.bandwidth", latency ? "s" : "B/s",
                     latency ? contract::Better::kLess : contract::Better::kMore, std::move(check));
  metric.parameters = {{"bytes", spec.bytes}, {"ranks", std::int64_t{ranks}}};
  return metric;
}

std::string check_name(const Played& played) {
  return fmt::format("{}.{}.{}-{}", word(played.spec.kind), played.spec.bytes, played.low,
                     played.high);
}

std::string group_check(const Spec& spec) {
  return fmt::format("{}.{}.all", group_word(spec), spec.bytes);
}

std::string text_of(double value, const Spec& spec) {
  return is_latency(spec) ? fmt::format("{:.2f} us", value * 1e6)
                          : fmt::format("{:.4g} GB/s", value / 1e9);
}

}  // namespace

std::vector<double> spread(std::vector<double> values, std::size_t most) {
  std::sort(values.begin(), values.end());
  if (values.size() <= most) return values;
  std::vector<double> kept;
  for (std::size_t i = 0; i < most; ++i) {
    kept.push_back(values[i * (values.size() - 1) / (most - 1)]);
  }
  return kept;
}

Results::Results(const contract::Tournament& draw, const std::vector<Spec>& specs,
                 const std::vector<std::string>& places, kit::Session& session)
    : ranks_(draw.members()), places_(places), session_(session) {
  // Each round has the same number: all members, but for one that has a bye.
  const std::int64_t links = std::int64_t{draw.members() / 2} * draw.rounds();
  links_said_ = links * static_cast<std::int64_t>(specs.size()) <= kMostLinkMetrics;
  for (const Spec& spec : specs) (void)totals_of(question(spec));
  if (links_said_) return;
  session_.note(
      fmt::format(
          "{} pairs: metrics of the group alone, and a check of a pair only where it is wrong",
          links),
      {{"pairs", links}});
}

Results::Totals& Results::totals_of(const Spec& spec) {
  for (Row& row : rows_) {
    if (row.spec == spec) return row.totals;
  }
  rows_.push_back({spec, {}});
  return rows_.back().totals;
}

protocol::FirstWrong Results::told(const WrongWord& word) const {
  const auto place = [&](int rank) {
    return fmt::format("rank {} ({})", rank, places_[static_cast<std::size_t>(rank)]);
  };
  return {fmt::format("word {} of message {} that {} received from {}, batch {}", word.index,
                      word.slot, place(word.rank), place(word.source), word.batch),
          kit::pattern::text_of(word.got), kit::pattern::text_of(word.want), word.rank,
          word.source};
}

void Results::add(const Played& played) {
  const Batch batch = batch_of(played.spec);
  const Outcome& outcome = played.outcome;
  std::vector<double> values;
  for (const double seconds : outcome.seconds) {
    values.push_back(value_of(played.spec, batch, seconds));
  }
  Totals& totals = totals_of(question(played.spec));
  totals.compared += outcome.compared;
  totals.wrong += outcome.wrong;
  if (outcome.first_wrong && !totals.first_wrong) totals.first_wrong = told(*outcome.first_wrong);
  totals.links.push_back(
      {played.low, played.high, kit::median(values), std::string(word(played.spec.kind))});
  say_link(played, values);
}

void Results::say_link(const Played& played, const std::vector<double>& values) {
  const Outcome& outcome = played.outcome;
  if (!links_said_ && outcome.wrong == 0 && outcome.compared > 0) return;
  protocol::Check check =
      kit::check_of(check_name(played),
                    fmt::format("every word of every message of each batch, {} of them timed",
                                outcome.seconds.size()),
                    outcome.compared, outcome.wrong);
  if (outcome.first_wrong) check.first_wrong = told(*outcome.first_wrong);
  session_.check(std::move(check));
  if (!links_said_) return;
  protocol::Metric metric = metric_of(played.spec, ranks_, check_name(played));
  kit::put_samples(metric, contract::Statistic::kMedian, values);
  if (!is_latency(played.spec))
    metric.parameters["direction"] = std::string(word(played.spec.kind));
  metric.subject = {contract::SubjectKind::kLink, fmt::format("{}", played.low),
                    fmt::format("{}", played.high)};
  session_.metric(std::move(metric));
}

void Results::say_group_check(const Row& row) {
  const Totals& totals = row.totals;
  session_.check(kit::check_of(group_check(row.spec), "every word of every message of all pairs",
                               totals.compared, totals.wrong, totals.first_wrong));
}

void Results::say_group_metric(const Row& row, contract::Statistic statistic) {
  const std::vector<double> values = values_of(row);
  const bool worst = statistic == contract::Statistic::kWorst;
  protocol::Metric metric = metric_of(row.spec, ranks_, group_check(row.spec));
  metric.name += worst ? "_worst" : "_median";
  kit::put_samples(metric, statistic, spread(values, kKeptSamples));
  // Also where it is none of those that are kept.
  if (worst) metric.value = worst_of(row).value;
  if (!is_latency(row.spec)) metric.parameters["direction"] = std::string(group_word(row.spec));
  metric.subject = kit::group_subject();
  session_.metric(std::move(metric));
}

std::vector<double> Results::values_of(const Row& row) {
  std::vector<double> values;
  for (const Link& link : row.totals.links) values.push_back(link.value);
  return values;
}

const Results::Link& Results::worst_of(const Row& row) {
  const bool latency = is_latency(row.spec);
  return *std::min_element(row.totals.links.begin(), row.totals.links.end(),
                           [&](const Link& a, const Link& b) {
                             return latency ? a.value > b.value : a.value < b.value;
                           });
}

void Results::name_worst(const Row& row) {
  const Spec& spec = row.spec;
  const Link& worst = worst_of(row);
  const double usual = kit::median(values_of(row));
  const auto place = [&](int rank) {
    return fmt::format("rank {} ({})", rank, places_[static_cast<std::size_t>(rank)]);
  };
  session_.note(fmt::format("worst pair, {} {} B: {} and {}{}: {}, {:.2f} of the median {}",
                            group_word(spec), spec.bytes, place(worst.low), place(worst.high),
                            spec.kind == Kind::kForward ? ", " + worst.way : "",
                            text_of(worst.value, spec), worst.value / usual, text_of(usual, spec)),
                {{"bytes", spec.bytes},
                 {"low", std::int64_t{worst.low}},
                 {"high", std::int64_t{worst.high}},
                 {"value", worst.value}});
}

void Results::finish() {
  std::erase_if(rows_, [](const Row& row) { return row.totals.links.empty(); });
  for (const Row& row : rows_) say_group_check(row);
  for (const Row& row : rows_) say_group_metric(row, contract::Statistic::kMedian);
  for (const Row& row : rows_) say_group_metric(row, contract::Statistic::kWorst);
  for (const Row& row : rows_) name_worst(row);
}

}  // namespace rackproof::pairs
