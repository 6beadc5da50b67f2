#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "harness/support/clock.hpp"

namespace rackproof::run {

/// What is expected of a step and of the run, in seconds from the begin of the step.
struct Expected {
  double step = 0;            ///< the step, measured as often as it should be; 0: nobody says
  std::optional<double> run;  ///< this step and all after it; none: nobody says it of all of them
  double run_at_most = 0;
};

/// Attempts at a step.
struct AttemptCount {
  int begun = 0;
  int ended = 0;
  int repeated = 0;  ///< those of the begun ones that are not the first at what they measure
};

/// What people see during a run, on rank 0's stderr. On a terminal one line is rewritten once a
/// second while a step runs, no longer than the terminal is wide, and stays when it is over;
/// elsewhere there is a line with the time at its begin, one every 30 s, and one at its end, each
/// whole and without control characters.
class Progress {
 public:
  /// `write` takes text as it is to appear. `columns` tells how wide the terminal is now; empty: it
  /// is none. Quietly only what is said stands there, nothing of the steps.
  Progress(support::Clock& clock, std::function<void(const std::string& text)> write,
           std::function<std::size_t()> columns = {}, bool quiet = false);

  /// A line of its own.
  void say(const std::string& line);
  /// `name` is short, `what` says where it runs.
  void begin_step(int number, int of, const std::string& name, const std::string& what,
                  const Expected& expected);
  /// Called often; `phase` is what the bench does now, may be empty.
  void tick(const std::string& phase, const AttemptCount& attempts);
  void end_step(const std::string& outcome);

 private:
  std::string times(double elapsed) const;
  std::string bar(double elapsed, const AttemptCount& attempts) const;
  /// In the place of the line that is there, or as one of its own.
  void rewrite(const std::string& line);
  void write_line(const std::string& line);

  support::Clock& clock_;
  std::function<void(const std::string&)> write_;
  std::function<std::size_t()> columns_;
  bool quiet_;
  double began_ = 0;
  double last_ = 0;
  Expected expected_;
  std::string step_;     ///< "[2/7] gemm"
  std::string what_;     ///< " (gemm-host on 2 nodes)"
  std::string current_;  ///< the line that is rewritten
};

}  // namespace rackproof::run
