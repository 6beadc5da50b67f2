#include "harness/config/step_times.hpp"

#include <algorithm>
#include <string>

namespace rackproof::config {
namespace {

constexpr int kMaxAttempts = 10;
constexpr double kUsualBringUp = 60;

}  // namespace

void read_times(const document::Object& object, double budget, Step& step) {
  const document::Field deadline = object.require("deadline");
  step.deadline_seconds = deadline.seconds();
  if (const auto grace = object.find("grace")) step.grace_seconds = grace->seconds();
  if (step.grace_seconds >= step.deadline_seconds) {
    object.find("grace").value_or(deadline).fail(
        "the grace (" + document::number_text(step.grace_seconds) +
        " s) must be shorter than the deadline (" + document::number_text(step.deadline_seconds) +
        " s)");
  }
  if (const auto attempts = object.find("attempts")) {
    step.attempts = static_cast<int>(attempts->integer(1, kMaxAttempts));
  }
  if (const auto repeat = object.find("repeat")) {
    step.repeat = static_cast<int>(repeat->integer(1, kMaxAttempts));
  }
  step.attempts += step.repeat - 1;
  if (step.deadline_seconds * step.attempts > budget) {
    deadline.fail("the deadline times the attempts is " +
                  document::number_text(step.deadline_seconds * step.attempts) +
                  " s, longer than the suite's time_budget of " + document::number_text(budget) +
                  " s");
  }
  if (const auto takes = object.find("takes")) {
    step.takes_seconds = takes->seconds();
    if (step.takes_seconds > step.deadline_seconds) {
      takes->fail("what the step takes (" + document::number_text(step.takes_seconds) +
                  " s) must be no longer than its deadline (" +
                  document::number_text(step.deadline_seconds) + " s)");
    }
  }
}

/// Steps run one after the other.
void require_time(const document::Field& budget, const Suite& suite) {
  double all = 0;
  for (const Step& step : suite.steps) all += step.takes_seconds * step.repeat;
  if (all <= suite.time_budget_seconds) return;
  budget.fail("is " + document::number_text(suite.time_budget_seconds) +
              " s, shorter than what the steps say that they take together (" +
              document::number_text(all) + " s)");
}

void read_bring_up(const document::Object& object, Step& step) {
  const auto bring_up = object.find("bring_up");
  if (!is_process_group(step)) {
    if (bring_up) bring_up->fail("only a group of processes is brought up; leave it out here");
    return;
  }
  // Half of a short deadline, so that there is time left to measure.
  step.bring_up_seconds = std::min(kUsualBringUp, step.deadline_seconds / 2);
  if (!bring_up) return;
  step.bring_up_seconds = bring_up->seconds();
  if (step.bring_up_seconds >= step.deadline_seconds) {
    bring_up->fail("the bring_up (" + document::number_text(step.bring_up_seconds) +
                   " s) must be shorter than the deadline (" +
                   document::number_text(step.deadline_seconds) + " s)");
  }
}

void read_again(const document::Object& object, Step& step) {
  if (const auto confirm = object.find("confirm")) {
    step.confirm =
        confirm->choice<Confirm>({{"alone", Confirm::kAlone}, {"together", Confirm::kTogether}});
  }
  const auto narrow = object.find("narrow");
  if (!narrow) return;
  step.narrow = narrow->boolean();
  if (!is_process_group(step)) {
    narrow->fail("only a group of processes is run in parts; leave it out here");
  }
}

}  // namespace rackproof::config
