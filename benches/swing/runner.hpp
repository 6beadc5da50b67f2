#pragma once

#include <array>
#include <atomic>
#include <optional>
#include <set>
#include <vector>

#include "benches/kit/inject.hpp"
#include "benches/swing/alignment.hpp"
#include "benches/swing/config.hpp"
#include "benches/swing/events.hpp"
#include "benches/swing/load.hpp"
#include "benches/swing/own_clock.hpp"
#include "benches/swing/parts.hpp"
#include "benches/swing/power.hpp"
#include "benches/swing/ranks.hpp"
#include "benches/swing/shape.hpp"

namespace rackproof::swing {

/// What came of a run on this rank. Instants are on the common clock, in between of two alignments.
struct RunResult {
  bool stopped = false;  ///< somewhere came what must not be, and all ranks ended early
  bool looks = true;     ///< this rank has a sensor or lacks one; another one looks for the rest
  Shape shape;
  LoadResult load;
  std::array<bool, kEvents.size()> came{};
  std::vector<EnergyReading> updates;  ///< of what this rank looks at; empty without a sensor
  double bound = 0;    ///< of the instants of this rank: of its clock, and of its device
  double drifted = 0;  ///< seconds that its clock gained meanwhile
};

/// Lets this rank take part in runs. Everything is collective.
class Runner {
 public:
  /// All have to outlive it. `stop` is what all stop for.
  Runner(const Ranks& ranks, const Config& config, const Plants& plants, const OwnClock& clock,
         const Parts& parts, Event stop);

  /// Aligns the clocks, agrees on the start, runs, and aligns again. While ranks swing in phase
  /// they look every second whether what must not be has come; then all stop.
  RunResult run(const Run& run, const std::optional<kit::Injection>& injection);

  /// Of rank 0: what the alignments of all runs asked.
  const Questions& questions() const { return questions_; }

 private:
  LoadPlan load_plan(const Run& run, const Shape& shape, const ClockLine& line) const;
  void swing(const Run& run, const LoadPlan& plan, const ClockLine& line, double start,
             const std::optional<kit::Injection>& injection, RunResult& result);
  bool watch(const Run& run, const ClockLine& line, double start, double end,
             const EventCounts& before, std::atomic<bool>& stop) const;
  bool planted(const std::set<std::int64_t>& ranks, const Run& run) const;
  double phase(const Run& run) const;

  const Ranks& ranks_;
  const Config& config_;
  const Plants& plants_;
  const OwnClock& clock_;
  const Parts& parts_;
  Event stop_;
  Questions questions_;
  std::optional<Reading> before_;
};

}  // namespace rackproof::swing
