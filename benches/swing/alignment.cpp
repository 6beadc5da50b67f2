#include "benches/swing/alignment.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace rackproof::swing {

Reading shortest(std::span<const Exchange> exchanges) {
  if (exchanges.empty()) throw std::invalid_argument("no exchange to tell a clock by");
  const auto trip = [](const Exchange& one) { return one.received - one.sent; };
  const Exchange& best = *std::min_element(
      exchanges.begin(), exchanges.end(),
      [&](const Exchange& one, const Exchange& other) { return trip(one) < trip(other); });
  const double middle = best.sent + trip(best) / 2;
  return {middle, best.theirs - middle, trip(best) / 2};
}

std::int64_t contradicting(std::span<const Exchange> exchanges, const Reading& reading) {
  constexpr double kTick = 2e-9;  // clocks show whole nanoseconds
  return std::count_if(exchanges.begin(), exchanges.end(), [&](const Exchange& one) {
    return reading.offset + reading.bound + kTick < one.theirs - one.received ||
           reading.offset - reading.bound - kTick > one.theirs - one.sent;
  });
}

ClockLine::ClockLine(const Reading& last, const std::optional<Reading>& before)
    : at_(last.at), offset_(last.offset) {
  if (!before || last.at <= before->at) return;
  const double drifted = last.offset - before->offset;
  if (std::abs(drifted) > last.bound + before->bound) rate_ = drifted / (last.at - before->at);
}

ClockLine ClockLine::through(const Reading& first, const Reading& second) {
  ClockLine line;
  line.at_ = first.at;
  line.offset_ = first.offset;
  if (second.at > first.at) {
    line.rate_ = (second.offset - first.offset) / (second.at - first.at);
  }
  return line;
}

}  // namespace rackproof::swing
