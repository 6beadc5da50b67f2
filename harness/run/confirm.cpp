#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "harness/judge/judge.hpp"
#include "harness/run/again.hpp"
#include "harness/run/coordinator.hpp"

// The part of rank 0's work that measures again, alone, what is worse than its peers, and some of
// the better half beside it: what the judge then fails is a part, and no bad moment.
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
    const auto found =
        std::find_if(step_.instances.begin(), step_.instances.end(),
                     [&](const plan::Instance& one) { return measures(one.subject, subject); });
    return static_cast<std::size_t>(found - step_.instances.begin());
  }

 private:
  const plan::PlacedStep& step_;
  std::map<std::string, std::size_t> by_subject_;
};

}  // namespace

std::vector<std::size_t> Coordinator::choose_to_confirm(const plan::PlacedStep& step) {
  const std::vector<judge::Suspected> sets = suspects_.find(step.step.id);
  if (sets.empty()) return {};
  const Measurers measurers(step);
  std::set<std::size_t> chosen;
  const auto of = [&](std::size_t cell) { return measurers.of(live_.cells[cell].subject); };
  const auto can = [&](std::size_t instance) {
    return instance < step.instances.size() && !failed_instances_.contains(instance);
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
std::vector<std::vector<std::size_t>> Coordinator::waves_of(const plan::PlacedStep& step,
                                                            std::vector<std::size_t> chosen) const {
  if (step.step.confirm == config::Confirm::kTogether) return {std::move(chosen)};
  std::vector<std::vector<std::size_t>> waves;
  std::map<std::string, std::size_t> next;  // wave of a host that is free there
  std::size_t of_one_host = 0;
  std::vector<std::size_t> wide;
  for (const std::size_t instance : chosen) {
    std::set<std::string> hosts;
    for (const int rank : step.instances[instance].ranks) hosts.insert(host_of(rank));
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

void Coordinator::confirm_one(const plan::PlacedStep& step, std::size_t instance) {
  const std::vector<int>& ranks = step.instances[instance].ranks;
  if (std::any_of(ranks.begin(), ranks.end(), [&](int rank) { return crew_.is_lost(rank); })) {
    return;
  }
  Pending pending{&step, instance, last_number_[instance] + 1, ranks.front()};
  pending.confirms = true;
  if (step.group) {
    start_group(pending);
  } else {
    start_one(pending);
  }
}

void Coordinator::confirm_suspects(const plan::PlacedStep& step) {
  if (!stop_reason_.empty()) return;
  std::vector<std::size_t> chosen = choose_to_confirm(step);
  if (chosen.empty()) return;
  if (step.step.confirm == config::Confirm::kTogether) {
    chosen.clear();
    for (std::size_t i = 0; i < step.instances.size(); ++i) {
      if (!failed_instances_.contains(i)) chosen.push_back(i);
    }
  }
  const int times = live_.suite.policy.peer_confirmations;
  around_.progress.say(
      fmt::format("{}: some results are worse than those of their peers; measuring {} of {} {} "
                  "more times to confirm it",
                  step.step.id, chosen.size(), step.instances.size(), times));
  const double until =
      around_.clock.now() + times * (step.step.deadline_seconds + step.step.grace_seconds);
  const auto waves = waves_of(step, std::move(chosen));
  for (int time = 0; time < times; ++time) {
    for (const std::vector<std::size_t>& wave : waves) {
      if (!stop_reason_.empty() || around_.clock.now() >= until) return;
      for (const std::size_t instance : wave) confirm_one(step, instance);
      await_pending();
    }
  }
}

void Coordinator::confirm_in_ranks(const plan::PlacedStep& step) {
  if (!stop_reason_.empty() || step_failed()) return;
  if (suspects_.find(step.step.id).empty()) return;
  const int times = live_.suite.policy.peer_confirmations;
  around_.progress.say(fmt::format(
      "{}: some results are worse than those of their peers; measuring all {} more times to "
      "confirm it",
      step.step.id, times));
  for (int time = 0; time < times; ++time) {
    if (!all_answer(step)) return;
    run_in_ranks_once(step, last_number_[0] + 1, true);
    if (!stop_reason_.empty() || step_failed()) return;
  }
}

}  // namespace rackproof::run
