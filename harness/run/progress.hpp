#pragma once

#include <functional>
#include <string>

#include "harness/warden/clock.hpp"

namespace rackproof::run {

/// What people see during a run, on rank 0's stderr: one line for each step. On a terminal the line
/// is rewritten while the step runs; elsewhere there is a line at its begin, one every 30 s, and
/// one at its end, each whole and without control characters.
class Progress {
 public:
  /// `write` takes text as it is to appear.
  Progress(warden::Clock& clock, std::function<void(const std::string& text)> write, bool terminal);

  void say(const std::string& line);
  void begin_step(int number, int of, const std::string& what, double at_most_seconds_left);
  /// Called often; `phase` is what the bench does now, may be empty.
  void tick(const std::string& phase);
  void end_step(const std::string& outcome);

 private:
  std::string head() const;

  warden::Clock& clock_;
  std::function<void(const std::string&)> write_;
  bool terminal_;
  double began_ = 0;
  double last_ = 0;
  double at_most_ = 0;
  std::string step_;
};

}  // namespace rackproof::run
