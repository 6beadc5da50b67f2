#pragma once

#include <functional>
#include <map>
#include <string>

#include "harness/support/clock.hpp"

namespace rackproof::fakes {

/// A clock that moves only when somebody sleeps. One is shared by all ranks of a test, which run in
/// one thread: whoever sleeps lets time pass, and then everybody else takes a turn.
class FakeClock : public support::Clock {
 public:
  double now() override { return now_; }
  /// 2030-01-01T00:00:00Z plus now().
  std::string utc() override;
  /// Moves on by `seconds`, does what is due (at()), then calls the turn. Within a turn nothing
  /// moves: those who take it live in the same moment. Throws std::logic_error when a test sleeps
  /// so often that it would never end.
  void sleep(double seconds) override;

  /// What everybody else does in a moment.
  void on_turn(std::function<void()> turn) { turn_ = std::move(turn); }
  /// Does `what` once, as soon as now() is at least `when`.
  void at(double when, std::function<void()> what) { due_.emplace(when, std::move(what)); }

 private:
  double now_ = 0;
  long sleeps_ = 0;
  bool turning_ = false;
  std::function<void()> turn_;
  std::multimap<double, std::function<void()>> due_;
};

}  // namespace rackproof::fakes
