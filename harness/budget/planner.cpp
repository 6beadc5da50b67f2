#include "harness/budget/planner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <stdexcept>

#include "harness/budget/choose.hpp"
#include "reports/model/glob.hpp"
#include "reports/model/quantity.hpp"

namespace rackproof::budget {
namespace {

using Level = double Chance::*;

std::string program_of(const config::Step& step) { return step.bench + "-" + step.backend; }

bool needs_gpus(const config::Step& step) {
  if (step.placement == config::Placement::kDevice || step.needs_device) return true;
  return config::is_process_group(step) && step.members == config::Members::kDevices;
}

/// A fault of the network shows where members are on several hosts.
bool may_find(const config::Step& step, const Fault& fault, const Machine& machine) {
  const bool over_hosts = step.placement == config::Placement::kWorld && machine.hosts > 1;
  return fault.part != "nic" || over_hosts;
}

double chance_of(const config::Step& step, const Fault& fault, Level level) {
  double chance = 0;
  for (const FoundBy& found : fault.found_by) {
    if (model::glob_match(found.program, program_of(step)))
      chance = std::max(chance, found.chance.*level);
  }
  return chance;
}

std::vector<double> chances_of(const config::Step& step, const Request& request, Level level) {
  std::vector<double> chances;
  for (const Fault& fault : request.faults.faults) {
    const bool may = may_find(step, fault, request.machine);
    chances.push_back(may ? chance_of(step, fault, level) : 0);
  }
  return chances;
}

/// One option for each step; one that has nothing to run on takes no time and finds nothing.
std::vector<Option> options_of(const Request& request, const std::vector<Duration>& takes,
                               Level level) {
  std::vector<Option> options;
  std::map<std::string, std::size_t> programs;
  for (std::size_t i = 0; i < takes.size(); ++i) {
    const config::Step& step = request.suite.steps[i];
    const std::size_t program =
        programs.try_emplace(program_of(step), programs.size()).first->second;
    if (needs_gpus(step) && request.machine.gpus == 0) {
      options.push_back({0, std::vector<double>(request.faults.faults.size(), 0), program});
    } else {
      options.push_back({takes[i].usual_seconds, chances_of(step, request, level), program});
    }
  }
  return options;
}

std::vector<std::size_t> demanded(const Request& request) {
  std::vector<std::size_t> must;
  for (const std::string& glob : request.must) {
    const std::size_t before = must.size();
    for (std::size_t i = 0; i < request.suite.steps.size(); ++i) {
      if (model::glob_match(glob, request.suite.steps[i].id)) must.push_back(i);
    }
    if (must.size() == before) {
      throw std::invalid_argument(
          fmt::format("no step of the suite {} is '{}'", request.suite.info.id, glob));
    }
  }
  std::sort(must.begin(), must.end());
  must.erase(std::unique(must.begin(), must.end()), must.end());
  return must;
}

std::vector<std::size_t> all_of(std::size_t count) {
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

bool contains(const std::vector<std::size_t>& sorted, std::size_t place) {
  return std::binary_search(sorted.begin(), sorted.end(), place);
}

void require_time(const Request& request, const std::vector<Option>& options,
                  const std::vector<std::size_t>& must, double seconds) {
  double needed = 0;
  for (const std::size_t i : must) needed += options[i].seconds;
  if (needed <= seconds) return;
  throw std::invalid_argument(fmt::format(
      "the steps that are demanded take {}, and there are {}{}", model::duration(needed),
      model::duration(seconds), seconds < request.seconds ? " beside what a run takes" : ""));
}

/// Everything that the parts below are made of.
struct Worked {
  const Request& request;
  Faults faults;
  std::vector<Option> options;
  double all = 0;  ///< faults that are expected

  double share_missed(const std::vector<std::size_t>& chosen) const {
    return missed(faults, options, chosen) / all;
  }
};

std::vector<PlannedFault> faults_of(const Worked& worked, const std::vector<std::size_t>& chosen) {
  const auto missed = missed_of_each(worked.faults, worked.options, chosen);
  const auto by_all = missed_of_each(worked.faults, worked.options, all_of(worked.options.size()));
  std::vector<PlannedFault> faults;
  for (std::size_t i = 0; i < missed.size(); ++i) {
    const Fault& fault = worked.request.faults.faults[i];
    const double expected = worked.faults.expected[i];
    if (expected > 0) faults.push_back({fault.id, fault.title, expected, missed[i], by_all[i]});
  }
  std::stable_sort(faults.begin(), faults.end(),
                   [](const auto& one, const auto& other) { return one.missed > other.missed; });
  return faults;
}

Chosen why(const Worked& worked, std::size_t i, const std::vector<std::size_t>& must,
           const std::vector<std::size_t>& chosen) {
  const bool idle = needs_gpus(worked.request.suite.steps[i]) && worked.request.machine.gpus == 0;
  if (contains(must, i)) return Chosen::kDemanded;
  if (idle) return Chosen::kNoGpus;
  if (contains(chosen, i)) return Chosen::kYes;
  const auto& chances = worked.options[i].chances;
  const bool finds =
      std::any_of(chances.begin(), chances.end(), [](double one) { return one > 0; });
  return finds ? Chosen::kNoTime : Chosen::kFindsNothing;
}

double share_added(const Worked& worked, std::size_t i, std::vector<std::size_t> chosen) {
  if (contains(chosen, i)) {
    const double with = worked.share_missed(chosen);
    std::erase(chosen, i);
    return worked.share_missed(chosen) - with;
  }
  const double without = worked.share_missed(chosen);
  chosen.push_back(i);
  return without - worked.share_missed(chosen);
}

MissedShare share_between(const Worked& worked, const std::vector<Duration>& takes,
                          const std::vector<std::size_t>& chosen) {
  const auto by = [&](Level level) {
    const Faults faults{worked.faults.expected, worked.request.faults.again.*level};
    return missed(faults, options_of(worked.request, takes, level), chosen) / worked.all;
  };
  return {worked.share_missed(chosen), by(&Chance::high), by(&Chance::low)};
}

void add_steps(const Worked& worked, const std::vector<Duration>& takes,
               const std::vector<std::size_t>& must, const Choice& choice, Plan& plan) {
  for (std::size_t i = 0; i < takes.size(); ++i) {
    const config::Step& step = worked.request.suite.steps[i];
    PlannedStep planned{
        step.id, program_of(step), takes[i], why(worked, i, must, choice.options), 0, 0};
    planned.alone = 1 - worked.share_missed({i});
    planned.adds = share_added(worked, i, choice.options);
    if (is_in(planned.chosen)) {
      plan.usual_seconds += worked.options[i].seconds;
      plan.longest_seconds += std::max(takes[i].longest_seconds, worked.options[i].seconds);
      plan.by_reports += takes[i].from == KnownFrom::kReports ? 1 : 0;
      plan.by_deadline += takes[i].from == KnownFrom::kDeadline ? 1 : 0;
    }
    plan.steps.push_back(std::move(planned));
  }
}

[[noreturn]] void refuse(const Request& request, const std::vector<Duration>& takes,
                         double seconds) {
  const auto unknown = std::count_if(takes.begin(), takes.end(), [](const Duration& one) {
    return one.from == KnownFrom::kDeadline;
  });
  throw std::invalid_argument(fmt::format(
      "no step of the suite {} that finds a fault fits into {}{}", request.suite.info.id,
      model::duration(std::max(0.0, seconds)),
      unknown == 0 ? ""
                   : fmt::format("; of {} of its {} steps only the deadline is known: name reports "
                                 "of earlier runs",
                                 unknown, takes.size())));
}

}  // namespace

Plan make_plan(const Request& request) {
  std::vector<Duration> takes;
  for (const config::Step& step : request.suite.steps) {
    takes.push_back(duration_of(step, request.machine.hosts, request.runs));
  }
  Worked worked{
      request,
      {expected_faults(request.faults, request.machine, request.seen), request.faults.again.usual},
      options_of(request, takes, &Chance::usual),
      0};
  const std::vector<double>& expected = worked.faults.expected;
  worked.all = std::accumulate(expected.begin(), expected.end(), 0.0);
  Plan plan;
  plan.expected = worked.all;
  plan.rest_seconds = rest_seconds(request.runs);
  const double seconds = request.seconds - plan.rest_seconds;
  const std::vector<std::size_t> must = demanded(request);
  require_time(request, worked.options, must, seconds);
  const Choice choice = choose(worked.faults, worked.options, must, seconds);
  if (choice.missed >= worked.all) refuse(request, takes, seconds);
  plan.usual_seconds = plan.rest_seconds;
  plan.longest_seconds = plan.rest_seconds;
  add_steps(worked, takes, must, choice, plan);
  plan.faults = faults_of(worked, choice.options);
  plan.missed = share_between(worked, takes, choice.options);
  plan.missed_by_all = share_between(worked, takes, all_of(takes.size()));
  plan.fewest_missed = choice.fewest_missed / worked.all;
  return plan;
}

}  // namespace rackproof::budget
