#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "harness/budget/shorter_suite.hpp"
#include "reports/model/cell_text.hpp"

namespace rackproof::budget {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kMinute = 60;
constexpr std::size_t kLongestId = 64;
constexpr double kPlaces = 1e6;  // more says nothing about an expectation

double rounded(double value) { return std::round(value * kPlaces) / kPlaces; }

std::string seconds_text(double seconds) { return fmt::format("{:.10g} s", rounded(seconds)); }

std::string minutes_text(double seconds) {
  const double minutes = seconds / kMinute;
  return fmt::format("{:.4g}min", minutes);
}

Json kept_steps(const Json& steps, const Plan& plan) {
  Json kept = Json::array();
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const PlannedStep& planned = plan.steps[i];
    if (!is_in(planned.chosen)) continue;
    Json step = steps.at(i);
    if (planned.takes.from == KnownFrom::kReports) {
      step["takes"] = seconds_text(planned.takes.usual_seconds);
    }
    kept.push_back(std::move(step));
  }
  return kept;
}

/// True when a claim that this one counts without is not in the suite any more.
bool hangs_on(const Json& claim, const std::set<std::string>& kept) {
  if (!claim.contains("unless")) return false;
  const auto& unless = claim.at("unless");
  return std::any_of(unless.begin(), unless.end(),
                     [&](const Json& id) { return !kept.contains(id.get<std::string>()); });
}

Json kept_claims(const Json& claims, const std::set<std::string>& steps, bool gpus) {
  std::set<std::string> ids;
  Json kept = Json::array();
  for (Json claim : claims) {
    Json of = Json::array();
    for (const Json& step : claim.at("steps")) {
      if (steps.contains(step.get<std::string>())) of.push_back(step);
    }
    if (of.empty() || (gpus && hangs_on(claim, ids))) continue;
    claim["steps"] = std::move(of);
    if (hangs_on(claim, ids)) claim.erase("unless");
    ids.insert(claim.at("id").get<std::string>());
    kept.push_back(std::move(claim));
  }
  return kept;
}

Json plan_section(const Request& request, const Plan& plan) {
  Json left_out = Json::array();
  for (const PlannedStep& step : plan.steps) {
    if (!is_in(step.chosen)) left_out.push_back(step.id);
  }
  Json faults = Json::array();
  for (const PlannedFault& fault : plan.faults) {
    faults.push_back({{"id", fault.id},
                      {"title", fault.title},
                      {"expected", rounded(fault.expected)},
                      {"missed", std::min(rounded(fault.missed), rounded(fault.expected))}});
  }
  return {{"of", request.suite.info.id},
          {"of_digest", request.suite.info.digest},
          {"of_steps", plan.steps.size()},
          {"left_out", std::move(left_out)},
          {"budget", seconds_text(request.seconds)},
          {"usual", seconds_text(plan.usual_seconds)},
          {"missed", rounded(plan.missed.usual)},
          {"missed_by_all", rounded(plan.missed_by_all.usual)},
          {"basis", basis_of(request, plan)},
          {"faults", std::move(faults)}};
}

/// A suite has no step whose attempts are longer than its budget.
double budget_of(const Request& request, const Plan& plan) {
  double budget = request.seconds;
  double takes = 0;
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    if (!is_in(plan.steps[i].chosen)) continue;
    const config::Step& step = request.suite.steps[i];
    budget = std::max(budget, step.deadline_seconds * step.attempts);
    takes += plan.steps[i].takes.usual_seconds;
  }
  return std::max(budget, takes);
}

}  // namespace

std::string basis_of(const Request& request, const Plan& plan) {
  std::string history;
  for (const auto& [part, seen] : request.seen) {
    history += fmt::format("{}{} {} in {:.0f} days", history.empty() ? "" : ", ", seen.failures,
                           part, seen.days);
  }
  const auto steps = std::count_if(plan.steps.begin(), plan.steps.end(),
                                   [](const PlannedStep& step) { return is_in(step.chosen); });
  return fmt::format(
      "rates: {}{}; chances of finding a fault: assumed; durations: {} of {} steps by {}",
      request.faults.title,
      history.empty() ? "" : fmt::format(", scaled to the ledger's failures ({})", history),
      plan.by_reports, steps, model::counted(request.runs.size(), "report"));
}

std::string shorter_id(const Request& request) {
  const std::string minutes = "-" + minutes_text(request.seconds);
  return request.suite.info.id.substr(0, kLongestId - minutes.size()) + minutes;
}

std::string shorter_suite(const std::string& text, const Request& request, const Plan& plan) {
  Json suite = Json::parse(text, nullptr, true, true);
  std::set<std::string> ids;
  for (const PlannedStep& step : plan.steps) {
    if (is_in(step.chosen)) ids.insert(step.id);
  }
  suite["id"] = shorter_id(request);
  suite["title"] =
      fmt::format("{}, {} of {} steps", request.suite.info.title, ids.size(), plan.steps.size());
  // A part of it accepts a machine for no time.
  suite.erase("valid");
  suite["time_budget"] = seconds_text(budget_of(request, plan));
  suite["steps"] = kept_steps(suite.at("steps"), plan);
  if (suite.contains("claims")) {
    Json claims = kept_claims(suite.at("claims"), ids, request.machine.gpus > 0);
    if (claims.empty()) {
      suite.erase("claims");
    } else {
      suite["claims"] = std::move(claims);
    }
  }
  suite["plan"] = plan_section(request, plan);
  return suite.dump(2) + "\n";
}

}  // namespace rackproof::budget
