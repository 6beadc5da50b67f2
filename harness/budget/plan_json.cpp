#include <nlohmann/json.hpp>

#include "harness/budget/plan_text.hpp"
#include "harness/budget/shorter_suite.hpp"

namespace rackproof::budget {
namespace {

using nlohmann::json;

json share_json(const MissedShare& share) {
  return {{"usual", share.usual}, {"low", share.low}, {"high", share.high}};
}

json step_json(const PlannedStep& step) {
  return {{"id", step.id},
          {"program", step.program},
          {"state", contract::word(step.chosen)},
          {"takes_seconds", step.takes.usual_seconds},
          {"longest_seconds", step.takes.longest_seconds},
          {"known_from", contract::word(step.takes.from)},
          {"finds_alone", step.alone},
          {"adds", step.adds}};
}

}  // namespace

std::string plan_json(const Request& request, const Plan& plan) {
  json steps = json::array();
  for (const PlannedStep& step : plan.steps) steps.push_back(step_json(step));
  json faults = json::array();
  for (const PlannedFault& fault : plan.faults) {
    faults.push_back({{"id", fault.id},
                      {"title", fault.title},
                      {"expected", fault.expected},
                      {"missed", fault.missed},
                      {"missed_by_all", fault.missed_by_all}});
  }
  const json document = {{"format", "rackproof-budget"},
                         {"version", "1.0"},
                         {"suite", request.suite.info.id},
                         {"hosts", request.machine.hosts},
                         {"gpus_per_host", request.machine.gpus},
                         {"nics_per_host", request.machine.nics},
                         {"budget_seconds", request.seconds},
                         {"usual_seconds", plan.usual_seconds},
                         {"longest_seconds", plan.longest_seconds},
                         {"rest_seconds", plan.rest_seconds},
                         {"expected_faults", plan.expected},
                         {"missed", share_json(plan.missed)},
                         {"missed_by_all", share_json(plan.missed_by_all)},
                         {"fewest_missed", plan.fewest_missed},
                         {"basis", basis_of(request, plan)},
                         {"steps", std::move(steps)},
                         {"faults", std::move(faults)}};
  return document.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace rackproof::budget
