#include "benches/steps/overlap_say.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "benches/kit/results.hpp"

namespace rackproof::steps {
namespace {

// Where even the upper limit of E is below this, a message counts as not hidden.
constexpr double kHidesNothing = 0.2;
constexpr double kLeastOverlap = 1e-3;
// What is exposed at least, in seconds.
constexpr double kResolution = 1e-7;

protocol::Metric metric_of(const OverlapCell& cell, const contract::Parameters& base,
                           const std::string& name, const std::string& check) {
  protocol::Metric metric = kit::metric_of("steps." + name, "s", contract::Better::kLess, check);
  metric.parameters = base;
  metric.parameters["message"] = cell.message;
  metric.parameters["bytes"] = cell.bytes;
  metric.subject = kit::group_subject();
  return metric;
}

template <class Number>
void say(protocol::Metric metric, const std::vector<Round>& rounds, Number&& number,
         kit::Session& session) {
  std::vector<double> samples;
  for (const Round& round : rounds) samples.push_back(number(round));
  kit::put_samples(metric, contract::Statistic::kMedian, std::move(samples));
  session.metric(std::move(metric));
}

void say_cell(const OverlapCell& cell, const contract::Parameters& base, const std::string& check,
              const std::vector<Round>& rounds, kit::Session& session) {
  const auto metric = [&](const std::string& name) { return metric_of(cell, base, name, check); };
  const auto ratio = [&](const std::string& name) {
    protocol::Metric made = metric(name);
    made.unit = "ratio";
    return made;
  };
  say(
      metric("compute_time"), rounds, [](const Round& one) { return one.compute; }, session);
  say(
      metric("message_time"), rounds, [](const Round& one) { return one.message; }, session);
  say(
      metric("joint_time"), rounds, [](const Round& one) { return one.together; }, session);
  // A number that is not positive counts as no work done: where nothing is hidden, or both together
  // take longer than one after the other, the note has by how much.
  protocol::Metric hidden = ratio("overlap");
  hidden.better = contract::Better::kMore;
  say(
      std::move(hidden), rounds,
      [](const Round& one) { return std::max(kLeastOverlap, efficiency(one)); }, session);
  say(
      ratio("compute_slowdown"), rounds,
      [](const Round& one) { return one.compute_joint / one.compute; }, session);
  say(
      ratio("message_slowdown"), rounds,
      [](const Round& one) { return one.message_joint / one.message; }, session);
  if (!cell.exposed_is_metric) return;
  say(
      metric("exposed"), rounds,
      [](const Round& one) { return std::max(kResolution, one.together - one.compute_joint); },
      session);
}

void note_cell(const OverlapCell& cell, const std::vector<Round>& rounds, std::string_view why,
               kit::Session& session) {
  const Overlap overlap = overlap_of(rounds);
  const auto text = [](const Interval& one) {
    return fmt::format("{:.3f} ({:.3f} to {:.3f})", one.value, one.low, one.high);
  };
  std::string line = fmt::format(
      "{} all-reduce of {} B over {} ranks beside {:.2f} products: E {}, tax on computing {}, on "
      "the "
      "message {}, exposed {:.3f} ms",
      cell.message, cell.bytes, cell.ranks, cell.products, text(overlap.efficiency),
      text(overlap.compute_tax), text(overlap.message_tax), overlap.exposed.value * 1e3);
  if (overlap.efficiency.high < kHidesNothing) {
    line += fmt::format("; the message and the products ran one after the other: {}", why);
  }
  session.note(line, {{"message", cell.message},
                      {"bytes", cell.bytes},
                      {"overlap", overlap.efficiency.value},
                      {"overlap_low", overlap.efficiency.low},
                      {"overlap_high", overlap.efficiency.high},
                      {"compute_tax", overlap.compute_tax.value},
                      {"compute_tax_low", overlap.compute_tax.low},
                      {"compute_tax_high", overlap.compute_tax.high},
                      {"message_tax", overlap.message_tax.value},
                      {"message_tax_low", overlap.message_tax.low},
                      {"message_tax_high", overlap.message_tax.high},
                      {"exposed_seconds", overlap.exposed.value}});
}

}  // namespace

void say_overlap(const OverlapCell& cell, const contract::Parameters& base,
                 const std::string& check, const std::vector<Round>& rounds, std::string_view why,
                 kit::Session& session) {
  say_cell(cell, base, check, rounds, session);
  note_cell(cell, rounds, why, session);
}

}  // namespace rackproof::steps
