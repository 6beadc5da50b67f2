#include "harness/run/confirmation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "harness/judge/judge.hpp"
#include "harness/resume/again.hpp"

namespace rackproof::run {
namespace {

/// Which instance of a step measures a subject.
class Measurers {
 public:
  explicit Measurers(const plan::PlacedStep& step) : step_(step) {
    for (std::size_t i = 0; i < step.instances.size(); ++i) {
      by_subject_.try_emplace(model::label(step.instances[i].subject), i);
    }
  }

  /// The number of instances where none does.
  std::size_t of(const model::Subject& subject) const {
    const auto exact = by_subject_.find(model::label(subject));
    if (exact != by_subject_.end()) return exact->second;
    const auto found = std::find_if(
        step_.instances.begin(), step_.instances.end(),
        [&](const plan::Instance& one) { return resume::measures(one.subject, subject); });
    return static_cast<std::size_t>(found - step_.instances.begin());
  }

 private:
  const plan::PlacedStep& step_;
  std::map<std::string, std::size_t> by_subject_;
};

}  // namespace

void Confirmation::run(const plan::PlacedStep& step) {
  if (!context_.goes_on()) return;
  if (step.in_rank) {
    confirm_in_ranks(step);
  } else {
    confirm_processes(step);
  }
}

std::vector<std::size_t> Confirmation::choose(const plan::PlacedStep& step) {
  const std::vector<judge::Suspected> sets = suspects_.find(step.step.id);
  if (sets.empty()) return {};
  const Measurers measurers(step);
  std::set<std::size_t> chosen;
  const auto of = [&](std::size_t cell) { return measurers.of(context_.live.cells[cell].subject); };
  const auto can = [&](std::size_t instance) {
    return instance < step.instances.size() && !runner_.tally().failed_instances.contains(instance);
  };
  for (const judge::Suspected& set : sets) {
    for (const std::size_t cell : set.cells) {
      if (can(of(cell))) chosen.insert(of(cell));
    }
  }
  for (const judge::Suspected& set : sets) {
    std::set<std::size_t> beside;
    for (const std::size_t cell : set.controls) {
      if (chosen.contains(of(cell))) beside.insert(of(cell));
    }
    for (const std::size_t cell : set.controls) {
      if (beside.size() >= judge::kControls) break;
      if (can(of(cell)) && chosen.insert(of(cell)).second) beside.insert(of(cell));
    }
  }
  return {chosen.begin(), chosen.end()};
}

// Instances that run at the same time: alone on their hosts, and alone altogether where several
// hosts take part, whose fabric others would use too.
std::vector<std::vector<std::size_t>> Confirmation::waves_of(
    const plan::PlacedStep& step, std::vector<std::size_t> chosen) const {
  if (step.step.confirm == config::Confirm::kTogether) return {std::move(chosen)};
  std::vector<std::vector<std::size_t>> waves;
  std::map<std::string, std::size_t> next;  // wave of a host that is free there
  std::size_t of_one_host = 0;
  std::vector<std::size_t> wide;
  for (const std::size_t instance : chosen) {
    std::set<std::string> hosts;
    for (const int rank : step.instances[instance].ranks) hosts.insert(context_.host_of(rank));
    if (hosts.size() > 1) {
      wide.push_back(instance);
      continue;
    }
    const std::size_t wave = next[*hosts.begin()]++;
    if (wave >= of_one_host) {
      waves.emplace_back();
      of_one_host = wave + 1;
    }
    waves[wave].push_back(instance);
  }
  for (const std::size_t instance : wide) waves.push_back({instance});
  return waves;
}

void Confirmation::start(const plan::PlacedStep& step, std::size_t instance) {
  const std::vector<int>& ranks = step.instances[instance].ranks;
  if (std::any_of(ranks.begin(), ranks.end(),
                  [&](int rank) { return context_.crew.is_lost(rank); })) {
    return;
  }
  const auto& last = runner_.tally().last_number;
  const auto before = last.find(instance);
  const int number = before == last.end() ? 1 : before->second + 1;
  Pending pending{&step, instance, number, ranks.front()};
  pending.confirms = true;
  runner_.start(pending);
}

void Confirmation::confirm_processes(const plan::PlacedStep& step) {
  std::vector<std::size_t> chosen = choose(step);
  if (chosen.empty()) return;
  if (step.step.confirm == config::Confirm::kTogether) {
    chosen.clear();
    for (std::size_t i = 0; i < step.instances.size(); ++i) {
      if (!runner_.tally().failed_instances.contains(i)) chosen.push_back(i);
    }
  }
  const int times = context_.live.suite.policy.peer_confirmations;
  context_.around.progress.say(
      fmt::format("{}: some results are worse than those of their peers; measuring {} of {} {} "
                  "more times to confirm it",
                  step.step.id, chosen.size(), step.instances.size(), times));
  const double until =
      context_.around.clock.now() + times * (step.step.deadline_seconds + step.step.grace_seconds);
  const auto waves = waves_of(step, std::move(chosen));
  for (int time = 0; time < times; ++time) {
    for (const std::vector<std::size_t>& wave : waves) {
      if (!context_.goes_on() || context_.around.clock.now() >= until) return;
      for (const std::size_t instance : wave) start(step, instance);
      runner_.await();
    }
  }
}

void Confirmation::confirm_in_ranks(const plan::PlacedStep& step) {
  if (runner_.tally().failed()) return;
  if (suspects_.find(step.step.id).empty()) return;
  const int times = context_.live.suite.policy.peer_confirmations;
  context_.around.progress.say(fmt::format(
      "{}: some results are worse than those of their peers; measuring all {} more times to "
      "confirm it",
      step.step.id, times));
  for (int time = 0; time < times; ++time) {
    if (!runner_.all_answer(step)) return;
    runner_.measure_in_ranks(step, runner_.tally().last_number.at(0) + 1, true);
    if (!context_.goes_on() || runner_.tally().failed()) return;
  }
}

}  // namespace rackproof::run
