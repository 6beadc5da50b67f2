#include "harness/cells/cell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "harness/cells/confirmed.hpp"
#include "harness/cells/plausible.hpp"
#include "harness/evidence/disturbance.hpp"
#include "harness/evidence/evidence.hpp"
#include "harness/evidence/observe.hpp"
#include "harness/evidence/reasons.hpp"
#include "harness/evidence/steadiness.hpp"
#include "harness/limits/demand.hpp"
#include "harness/limits/limits.hpp"
#include "harness/limits/ports.hpp"
#include "harness/recognise/match.hpp"
#include "reports/model/glob.hpp"
#include "reports/model/quantity.hpp"
#include "reports/model/reason_id.hpp"
#include "reports/model/words.hpp"

namespace rackproof::cells {
namespace {

using model::Measurement;
using model::Outcome;
using Verdict = std::optional<model::Verdict>;

Verdict waived(const model::Cell& cell, const evidence::Platform& platform) {
  if (!cell.waived.empty()) {
    return evidence::verdict(Outcome::kWaived, model::reason_id::kWaivedBySuite, cell.waived);
  }
  if (platform.table == nullptr) return std::nullopt;
  for (const model::Waiver& waiver : platform.table->waivers) {
    if (model::glob_match(waiver.metric, cell.metric) &&
        recognise::parameters_match(waiver.parameters, cell.parameters)) {
      return evidence::verdict(Outcome::kWaived, model::reason_id::kWaivedByPlatform,
                               fmt::format("{} (table {})", waiver.reason, platform.table->id));
    }
  }
  return std::nullopt;
}

/// A fault of the hardware that an attempt at the cell ran into, whatever number it gave.
Verdict hardware_fault(const evidence::Context& context, const evidence::Evidence& evidence) {
  for (const model::Attempt* attempt : evidence.attempts) {
    const model::Event* event = context.fault_in(*attempt);
    if (event == nullptr) continue;
    return evidence::verdict(
        Outcome::kFail, model::reason_id::kHardwareFault,
        fmt::format("while {} ran, {}{} told: {}", evidence::name_of(*attempt), event->host,
                    event->device.empty() ? "" : "/" + event->device, event->text));
  }
  return std::nullopt;
}

const model::Attempt* with_fault(const evidence::Evidence& evidence) {
  const auto found =
      std::find_if(evidence.attempts.begin(), evidence.attempts.end(),
                   [](const model::Attempt* attempt) { return !attempt->fault_injected.empty(); });
  return found == evidence.attempts.end() ? nullptr : *found;
}

/// The last process of the cell that ended saying that it is not available here, where each of them
/// did; those that the run cut short said nothing.
const model::Attempt* only_unavailable(const evidence::Evidence& evidence) {
  const model::Attempt* last = nullptr;
  for (const model::Attempt* attempt : evidence.attempts) {
    if (evidence::was_cut_short(attempt->ending)) continue;
    if (!evidence::was_unavailable(attempt->ending)) return nullptr;
    last = attempt;
  }
  return last;
}

Verdict without_number(const evidence::Context& context, const model::Cell& cell,
                       const evidence::Evidence& evidence) {
  const model::StepInfo* step = context.step(cell.step);
  if (auto left = evidence::left_with_its_host(context, cell)) return *left;
  if (auto owed = evidence::owed_without_gpu(context, cell, step)) return *owed;
  if (evidence.attempts.empty()) return evidence::untested_without_attempt(context, cell, step);
  const model::Attempt* const unavailable = only_unavailable(evidence);
  if (cell.measurements.empty() && step != nullptr && step->unavailable_waives &&
      unavailable != nullptr && with_fault(evidence) == nullptr) {
    model::Verdict result = evidence::untested_after(*unavailable);
    result.outcome = Outcome::kWaived;
    return result;
  }
  if (evidence.culprit != nullptr) return evidence::untested_after(*evidence.culprit);
  if (!evidence.absent.empty()) return evidence::untested_without_members(evidence.absent.front());
  if (evidence.clean.empty() && evidence.disturbed != nullptr) {
    return evidence::untested_when_disturbed(context.report(), *evidence.disturbed);
  }
  if (evidence.clean.empty()) return evidence::untested_after(*evidence.last);
  return std::nullopt;
}

bool is_positive(double value) { return std::isfinite(value) && value > 0; }

/// Rule 4. Failed checks are rule 2, and were looked at before.
Verdict untrusted(const evidence::Evidence& evidence) {
  const auto untested = [](const char* id, const std::string& sentence) {
    return evidence::verdict(Outcome::kUntested, id, sentence);
  };
  if (const model::Attempt* attempt = with_fault(evidence)) {
    return untested(model::reason_id::kFaultInjected,
                    fmt::format("a test-only fault was on in {}: {}", evidence::name_of(*attempt),
                                attempt->fault_injected));
  }
  const Measurement& first = *evidence.clean.front();
  for (const Measurement* measurement : evidence.clean) {
    if (measurement->check.name.empty() || measurement->check.compared <= 0) {
      return untested(model::reason_id::kUnverified,
                      "the number came without a check that compared anything");
    }
    if (!is_positive(measurement->value) ||
        !std::all_of(measurement->samples.begin(), measurement->samples.end(), is_positive)) {
      return untested(
          model::reason_id::kBadNumber,
          "its value, or one of its samples, is not positive and finite: no work was done");
    }
    if (measurement->unit != first.unit || measurement->better != first.better) {
      return untested(model::reason_id::kInconsistent,
                      "its attempts do not agree on the unit, or on which side is better");
    }
  }
  return std::nullopt;
}

void note_observation(model::Verdict& verdict, const evidence::Observation& observed,
                      contract::Statistic statistic, double confidence) {
  verdict.observed = observed.value;
  verdict.statistic = statistic;
  if (!observed.interval) return;
  verdict.interval_low = observed.interval->low;
  verdict.interval_high = observed.interval->high;
  verdict.confidence = confidence;
}

/// ", 95 % interval 40.9 GB/s to 41.5 GB/s", or why there is none.
std::string interval_text(const model::Verdict& verdict, const std::string& unit) {
  if (!verdict.interval_low) {
    return evidence::has_interval(verdict.statistic) ? ", too few samples for an interval"
                                                     : ", which has no interval";
  }
  return fmt::format(", {:.4g} % interval {} to {}", *verdict.confidence * 100,
                     model::quantity(*verdict.interval_low, unit),
                     model::quantity(*verdict.interval_high, unit));
}

/// The sentence of a number that was compared.
std::string comparison_text(const model::Verdict& verdict, const limits::Limits& limits,
                            const Measurement& measurement, bool under) {
  const bool more = measurement.better == contract::Better::kMore;
  const double value = *verdict.observed;
  const std::string number = fmt::format("{} {}", contract::word(verdict.statistic),
                                         model::quantity(value, measurement.unit));
  const auto limit = [&](double at) { return model::quantity(at, measurement.unit); };
  const std::string tail = fmt::format("{:.4g} of the expected {}{}{}{}", value / limits.expected,
                                       limit(limits.expected), limits.origin.empty() ? "" : " = ",
                                       limits.origin, interval_text(verdict, measurement.unit));
  if (verdict.outcome == Outcome::kPass) {
    return fmt::format("{}, needed {} {} ({})", number, more ? "at least" : "at most",
                       limit(more ? *limits.low : *limits.high), tail);
  }
  const bool implausible = under != more;
  return fmt::format(
      "{} is {} the {} {} ({}){}", number, under ? "below" : "above",
      implausible ? "plausible limit" : "limit", limit(under ? *limits.low : *limits.high), tail,
      implausible ? ": better than the machine can be, check the table or the clock" : "");
}

void compare(model::Verdict& verdict, const limits::Limits& limits, const Measurement& measurement,
             Words words) {
  const double value = *verdict.observed;
  verdict.baseline = limits.baseline->id;
  verdict.limit_low = limits.low;
  verdict.limit_high = limits.high;
  const double ratio = value / limits.expected;
  if (std::isfinite(ratio)) verdict.ratio = ratio;
  // Written so that a number that compares with nothing is outside.
  const bool under = limits.low && !(value >= *limits.low);
  const bool over = limits.high && !(value <= *limits.high);
  verdict.outcome = under || over ? Outcome::kFail : Outcome::kPass;
  verdict.reason_id = under  ? model::reason_id::kBelowLimit
                      : over ? model::reason_id::kAboveLimit
                             : model::reason_id::kWithinLimits;
  if (verdict.outcome == Outcome::kPass && words == Words::kNotOfPassed) return;
  verdict.reason = comparison_text(verdict, limits, measurement, under);
}

/// What becomes of a number whose interval holds a limit, after the attempts that there are.
void settle(model::Verdict& verdict, model::Straddle rule, std::size_t attempts, int allowed,
            const std::string& unit) {
  const auto [outcome, word] = [rule]() -> std::pair<Outcome, const char*> {
    switch (rule) {
      case model::Straddle::kFail:
        return {Outcome::kFail, "fail"};
      case model::Straddle::kPass:
        return {Outcome::kPass, "pass"};
      case model::Straddle::kUnjudged:
        return {Outcome::kUnjudged, "unjudged"};
    }
    return {Outcome::kFail, "fail"};
  }();
  const bool at_low = verdict.limit_low && *verdict.interval_low < *verdict.limit_low;
  verdict.outcome = outcome;
  verdict.reason_id = model::reason_id::kStraddlesLimit;
  verdict.reason = fmt::format(
      "the limit {} lies inside the {:.4g} % interval {} to {} of the {} {} after {} of {} "
      "attempts; the suite's rule for this is {}",
      model::quantity(at_low ? *verdict.limit_low : *verdict.limit_high, unit),
      *verdict.confidence * 100, model::quantity(*verdict.interval_low, unit),
      model::quantity(*verdict.interval_high, unit), contract::word(verdict.statistic),
      model::quantity(*verdict.observed, unit), attempts,
      std::max(allowed, static_cast<int>(attempts)), word);
}

/// True when there is no such demand; otherwise the verdict is set.
bool is_met(const std::optional<limits::UnmetDemand>& unmet, Judgement& judgement) {
  if (!unmet) return true;
  model::Verdict& result = judgement.verdict;
  result.outcome = unmet->known ? Outcome::kFail : Outcome::kUnjudged;
  result.reason_id =
      unmet->known ? model::reason_id::kConditionDiffers : model::reason_id::kConditionUnknown;
  result.reason = unmet->sentence;
  return false;
}

/// True when a number was refused; the verdict says why.
bool refuse(const evidence::Context& context, const model::Cell& cell,
            const evidence::Platform& platform, contract::Statistic statistic, double value,
            Judgement& judgement) {
  const auto refused =
      refuse_implausible(context, cell, platform.table, *judgement.clean.back(), statistic, value);
  if (!refused) return false;
  judgement.verdict = *refused;
  judgement.verdict.observed = value;
  judgement.verdict.statistic = statistic;
  return true;
}

void judge_number(const evidence::Context& context, const model::Cell& cell,
                  const evidence::Platform& platform, Judgement& judgement, Words words) {
  const Measurement& measurement = *judgement.clean.back();
  const double confidence = context.report().suite.policy.confidence;
  model::Verdict& result = judgement.verdict;
  const std::optional<evidence::Observation> as_said =
      evidence::observe(judgement.clean, measurement.statistic, confidence);
  const auto own = as_said.value_or(evidence::Observation{measurement.value, std::nullopt});
  note_observation(result, own, measurement.statistic, confidence);
  for (const Measurement* said : judgement.clean) {
    if (refuse(context, cell, platform, said->statistic, said->value, judgement)) return;
  }
  if (refuse(context, cell, platform, measurement.statistic, own.value, judgement)) return;

  const auto unjudged = [&result](const char* id, const std::string& sentence) {
    result.outcome = Outcome::kUnjudged;
    result.reason_id = id;
    result.reason = sentence;
  };
  if (platform.table == nullptr) return unjudged(platform.problem, platform.sentence);
  if (!is_met(limits::unmet_demand(context, *platform.table, cell, judgement.clean), judgement))
    return;
  const limits::Choice choice = limits::choose_limits(context, cell, *platform.table, measurement,
                                                      limits::shown_by(judgement.clean));
  if (choice.problem != nullptr) return unjudged(choice.problem, choice.sentence);

  const model::Baseline& baseline = *choice.limits.baseline;
  if (!is_met(limits::unmet_demand(baseline, judgement.clean), judgement)) {
    if (result.outcome == Outcome::kFail) result.baseline = baseline.id;
    return;
  }
  if (choice.limits.by_correctness) {
    result.outcome = Outcome::kVerified;
    result.reason_id = model::reason_id::kVerifiedGeneric;
    result.baseline = baseline.id;
    result.reason = fmt::format(
        "{} {}, verified by check {}; only correctness was judged, no speed is expected by {}{}",
        contract::word(result.statistic), model::quantity(own.value, measurement.unit),
        measurement.check.name, platform.table->id,
        choice.limits.why_correctness.empty() ? "" : ": " + choice.limits.why_correctness);
    return;
  }
  const std::optional<evidence::Observation> observed =
      baseline.statistic == measurement.statistic
          ? as_said
          : evidence::observe(judgement.clean, baseline.statistic, confidence);
  result.interval_low.reset();
  result.interval_high.reset();
  result.confidence.reset();
  if (!observed) {
    result.outcome = Outcome::kUntested;
    result.reason_id = model::reason_id::kNoSamples;
    result.reason = fmt::format(
        "baseline {} judges the {}, but the bench gave a {} without samples", baseline.id,
        contract::word(baseline.statistic), contract::word(measurement.statistic));
    return;
  }
  if (refuse(context, cell, platform, baseline.statistic, observed->value, judgement)) return;
  note_observation(result, *observed, baseline.statistic, confidence);
  compare(result, choice.limits, measurement, words);
  judgement.limited = !platform.table->generic && !baseline.generic;
  if (!is_split(result)) return;
  const model::StepInfo* step = context.step(cell.step);
  settle(result, context.report().suite.policy.straddle, judgement.clean.size(),
         step == nullptr ? 1 : step->attempts_allowed, measurement.unit);
}

/// What was right or unjudged by its number, and left a host through too few ports. It comes last:
/// while a run goes on nobody knows them yet, and a number in doubt is measured again all the same.
void hold_to_ports(const evidence::Context& context, const model::Cell& cell,
                   const evidence::Platform& platform, Judgement& judgement) {
  model::Verdict& result = judgement.verdict;
  if (platform.table == nullptr) return;
  if (!model::is_right(result.outcome) && result.outcome != Outcome::kUnjudged) return;
  const auto unmet = limits::unmet_ports(context, *platform.table, cell, judgement.clean);
  // A better reason why nobody can tell is there already.
  if (!unmet || (!unmet->known && result.outcome == Outcome::kUnjudged)) return;
  is_met(unmet, judgement);
}

/// What is right, and was not measured as often as the suite asks for.
Verdict too_seldom(const evidence::Context& context, const model::Cell& cell, std::size_t measured,
                   Outcome outcome) {
  const model::StepInfo* const step = context.step(cell.step);
  if (!model::is_right(outcome) || step == nullptr) return std::nullopt;
  if (measured >= static_cast<std::size_t>(std::max(step->repeat, 1))) return std::nullopt;
  model::Verdict verdict;
  verdict.outcome = Outcome::kUntested;
  verdict.reason_id = model::reason_id::kNotRepeated;
  verdict.reason =
      fmt::format("measured {} of the {} times that the suite asks for", measured, step->repeat);
  return verdict;
}

}  // namespace

bool is_split(const model::Verdict& verdict) {
  if (!verdict.interval_low || !verdict.interval_high) return false;
  const double low = *verdict.interval_low;
  const double high = *verdict.interval_high;
  const bool low_limit =
      verdict.limit_low && low < *verdict.limit_low && high >= *verdict.limit_low;
  const bool high_limit =
      verdict.limit_high && low <= *verdict.limit_high && high > *verdict.limit_high;
  return low_limit || high_limit;
}

Judgement judge_cell(evidence::Courses& courses, const model::Cell& cell, Words words) {
  const evidence::Context& context = courses.context();
  const evidence::Platform& platform = courses.of(cell).platform;
  Judgement judgement;
  Verdict excused = waived(cell, platform);
  // What nobody measured can show no wrong answer.
  if (excused && cell.measurements.empty()) {
    judgement.verdict = *std::move(excused);
    return judgement;
  }
  const evidence::Evidence evidence = evidence::gather(courses, cell);
  Verdict early = evidence::find_wrong_answer(context, cell, evidence);
  if (!early) early = std::move(excused);
  if (!early) early = hardware_fault(context, evidence);
  if (!early) early = without_number(context, cell, evidence);
  if (!early) early = untrusted(evidence);
  if (early) {
    judgement.verdict = *std::move(early);
    return judgement;
  }
  Judgement left_out;
  for (const Measurement* measurement : evidence.clean) {
    Judgement& where = evidence::is_scattered(context, cell, *measurement) ? left_out : judgement;
    where.clean.push_back(measurement);
  }
  judgement.scattered = judgement.clean.empty();
  if (judgement.scattered) std::swap(judgement.clean, left_out.clean);
  judge_number(context, cell, platform, judgement, words);
  if (!left_out.clean.empty()) {
    judge_number(context, cell, platform, left_out, words);
    if (left_out.verdict.outcome == Outcome::kFail) judgement.left_out = left_out.verdict.reason;
  }
  hold_to_ports(context, cell, platform, judgement);
  const Outcome outcome = judgement.verdict.outcome;
  if (judgement.scattered && (model::is_right(outcome) || outcome == Outcome::kUnjudged)) {
    judgement.verdict = evidence::untested_when_scattered(context, cell, *evidence.clean.back());
  }
  if (auto seldom = too_seldom(context, cell, evidence.clean.size(), judgement.verdict.outcome)) {
    judgement.verdict = *std::move(seldom);
  }
  if (judgement.verdict.outcome == Outcome::kUntested) judgement.clean.clear();
  if (!evidence.again.empty() && !judgement.clean.empty()) {
    judgement.again = taken_again(context, cell, platform.table, evidence.again, judgement);
  }
  return judgement;
}

}  // namespace rackproof::cells
