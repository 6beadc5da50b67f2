#include "harness/run/again.hpp"

#include <algorithm>
#include <utility>

#include "harness/judge/disturbance.hpp"
#include "harness/judge/judge.hpp"
#include "harness/run/coordinator.hpp"

// The part of rank 0's work that measures again what was measured well and decides nothing. Doubts
// are looked for when all of a step is measured: to look takes a pass over its cells.
namespace rackproof::run {
namespace {

int attempts_worth(const model::Report& live, const std::vector<judge::Doubtful>& doubtful,
                   const plan::PlacedStep& step, const plan::Instance& instance) {
  int worth = 0;
  for (const judge::Doubtful& one : doubtful) {
    if (!measures(instance.subject, live.cells[one.cell].subject)) continue;
    worth = std::max(worth, judge::attempts_of(one.doubt, step.step.attempts));
  }
  return worth;
}

}  // namespace

bool measures(const model::Subject& own, const model::Subject& subject) {
  if (subject == own) return true;
  if (own.kind == model::SubjectKind::kNode) {
    const bool within = subject.peer_host.empty() || subject.peer_host == own.host;
    return subject.host == own.host && within;
  }
  const auto inside = [&own](const std::string& host) {
    return std::binary_search(own.members.begin(), own.members.end(), host);
  };
  return subject.kind == model::SubjectKind::kLink && inside(subject.host) &&
         inside(subject.peer_host);
}

// Called when attempt number next.number - 1 went well; on which hosts others disturbed it.
void Coordinator::settle_soon(const Pending& next, const std::set<std::string>& disturbed) {
  if (disturbed.empty()) {
    measured_.push_back(next);
  } else if (next.number <= judge::attempts_when_disturbed(next.step->step.attempts)) {
    postponed_.push_back({next, disturbed});
  }
}

void Coordinator::repeat_doubtful(const plan::PlacedStep& step) {
  const std::vector<Pending> all = std::exchange(measured_, {});
  const std::vector<judge::Doubtful> doubtful = judge::find_doubtful(live_, step.step.id);
  for (const Pending& next : all) {
    const plan::Instance& instance = step.instances[next.instance];
    if (next.number <= attempts_worth(live_, doubtful, step, instance)) start_again(next);
  }
  await_pending();
}

void Coordinator::start_again(const Pending& next) {
  if (next.step->group) {
    start_group(next);
  } else if (crew_.is_lost(next.rank)) {
    hold_up(model::StepReason::kRankLost, next.rank);
  } else {
    failed_instances_.erase(next.instance);
    start_one(next);
  }
}

}  // namespace rackproof::run
