#include "harness/warden/guard.hpp"

#include <signal.h>

#include <algorithm>

#include "harness/warden/process_tree.hpp"

namespace rackproof::warden {
namespace {

// A rank that hangs is looked at this far into its deadline. At the deadline itself it may be too
// late: all ranks time out together, and a launcher that sees the first one go wakes the stopped
// ones to end them.
constexpr double kLookShare = 0.9;

}  // namespace

void Guard::begin(const std::string& attempt, double deadline_seconds, double now) {
  attempt_ = attempt;
  began_ = now;
  deadline_ = now + deadline_seconds;
  look_at_ = now + kLookShare * deadline_seconds;
  state_ = {};
  watch_.emplace(memory_, now);
}

bool Guard::tick(double now) {
  if (attempt_.empty()) return false;
  watch_->look(now);
  if (state_.empty() && now >= look_at_) {
    state_ = process_state(rank_);
    watch_->keep(now, state_);
  }
  return now >= deadline_;
}

double Guard::next_deadline(double now) const {
  double next = state_.empty() ? look_at_ : deadline_;
  if (state_.empty()) next = std::min(next, watch_->next_look());
  return std::max(0.0, next - now);
}

journal::End Guard::released(int exit_code, double now) {
  journal::End facts;
  facts.exit_code = exit_code;
  return end(facts, now);
}

journal::End Guard::overdue(double now) {
  journal::End facts;
  facts.signal = SIGKILL;
  facts.timed_out = true;
  facts.killed = true;
  facts.state = state_;
  return end(facts, now);
}

journal::End Guard::rank_gone(double now) {
  journal::End facts;
  facts.timed_out = !state_.empty();
  facts.state = state_;
  facts.signal = SIGKILL;
  if (!facts.timed_out) facts.cancelled_by = {model::CancelReason::kRankGone};
  return end(facts, now);
}

journal::End Guard::end(journal::End facts, double now) {
  facts.seconds = now - began_;
  watch_->keep(now, state_);
  if (facts.signal != 0 || facts.exit_code != 0) facts.progress = watch_->kept();
  attempt_.clear();
  watch_.reset();
  return facts;
}

}  // namespace rackproof::warden
