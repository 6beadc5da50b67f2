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
#include "benches/swing/power.hpp"
#include "benches/swing/ranks.hpp"
#include "benches/swing/rapl.hpp"
#include "benches/swing/shape.hpp"

namespace rackproof::swing {

/// What a rank computes on.
struct Place {
  std::vector<int> cpus;
  bool crowded = false;  ///< more ranks than processors on this host
};
/// Shares the processors of a host among the ranks that may use the same ones. Collective.
Place place_of(const Ranks& ranks, std::int64_t threads);

/// What came of a run on this rank. Instants are on the common clock, in between of two alignments.
struct RunResult {
  bool stopped = false;  ///< a node met a power limit, and all ranks ended early
  Shape shape;
  LoadResult load;
  std::array<bool, kEvents.size()> came{};
  std::vector<EnergyReading> updates;  ///< of the node, on its first rank; empty without a sensor
  double bound = 0;                    ///< of the clock of this rank, the larger one of both times
  double drifted = 0;                  ///< seconds that its clock gained meanwhile
};

/// Lets this rank take part in runs. Everything is collective.
class Runner {
 public:
  /// All have to outlive it. `rapl` is null but on the first rank of a host that has the counters.
  Runner(const Ranks& ranks, const Config& config, const Plants& plants, const OwnClock& clock,
         Rapl* rapl);

  /// Aligns the clocks, agrees on the start, runs, and aligns again. While ranks swing in phase the
  /// first rank of each host looks every second whether a power limit was met; then all stop.
  RunResult run(const Run& run, const std::optional<kit::Injection>& injection);

  const Place& place() const { return place_; }
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
  Rapl* rapl_;
  Place place_;
  Questions questions_;
  std::optional<Reading> before_;
};

}  // namespace rackproof::swing
