#include "harness/crew/clocks.hpp"

#include <utility>

#include "harness/support/clock.hpp"
#include "reports/model/utc.hpp"

namespace rackproof::crew {

std::string ClockProbe::ask(double now, const std::string& utc) {
  question_ = std::to_string(++number_);
  asked_at_ = now;
  asked_wall_ = model::unix_seconds(utc).value_or(0);
  answered_.clear();
  return question_;
}

std::string ClockProbe::answer(const std::string& question, const std::string& utc) {
  return question + " " + utc;
}

void ClockProbe::take(int rank, const std::string& answer, double now) {
  const std::size_t space = answer.find(' ');
  if (question_.empty() || space == std::string::npos || answer.substr(0, space) != question_) {
    return;
  }
  const auto wall = model::unix_seconds(answer.substr(space + 1));
  if (!wall) return;
  answered_[rank] = true;
  // The clock was read somewhere on the way there and back: in its middle, give or take the half.
  const double half = (now - asked_at_) / 2;
  const auto known = best_.find(rank);
  if (known != best_.end() && known->second.uncertainty_seconds <= half) return;
  best_[rank] = {*wall - (asked_wall_ + half), half};
}

std::map<int, ClockOffset> ClockProbe::take_offsets() {
  question_.clear();
  answered_.clear();
  return std::exchange(best_, {});
}

}  // namespace rackproof::crew
