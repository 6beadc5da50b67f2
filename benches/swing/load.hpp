#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "benches/kit/inject.hpp"
#include "benches/protocol/record.hpp"
#include "benches/swing/beats.hpp"
#include "benches/swing/own_clock.hpp"
#include "benches/swing/work.hpp"
#include "benches/swing/work_trace.hpp"

namespace rackproof::swing {

/// Processors of the `index`-th of `of` ranks that may all use `cpus`: a part of them, or one that
/// others use too where there are more ranks than processors.
std::vector<int> share_of(const std::vector<int>& cpus, std::int64_t index, std::int64_t of);

/// What a rank computes on, where that is processors.
struct Place {
  std::vector<int> cpus;  ///< one thread for each
  /// More threads than processors: wait asleep, and let others in after each piece of work.
  bool crowded = false;
};

/// When a load runs, all on the clock of its rank.
struct LoadPlan {
  std::vector<Pulse> pulses;
  std::uint64_t seed = 1;
  WorkTrace trace{0, 1, 0};  ///< an empty one with the bins to fill
};

/// A number that is not what it must be: the `element`-th of a result in the `pulse`-th pulse;
/// 0: before the first one.
struct WrongElement {
  double pulse = 0;
  double element = 0;
  double got = 0;
  double want = 0;
};

/// What it did.
struct LoadResult {
  std::vector<double> rises;  ///< of each pulse: when it computed first
  std::vector<double> falls;  ///< and when last
  double tied = 0;            ///< seconds by which these can be wrong, beyond the rank's own clock
  WorkTrace trace{0, 1, 0};
  std::int64_t compared = 0;  ///< elements of results
  std::int64_t wrong = 0;
  std::optional<WrongElement> first_wrong = {};
};

/// What computes in a rank.
class Load {
 public:
  Load() = default;
  virtual ~Load() = default;
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;

  /// Runs the pulses and returns when they are over, or soon after `stop` has become true. Pulses
  /// that are over before they could begin are begun late all the same, and with one piece of work
  /// each. `injection` flips a bit of the first piece of work.
  virtual LoadResult run(const LoadPlan& plan, const OwnClock& clock, const std::atomic<bool>& stop,
                         const std::optional<kit::Injection>& injection) = 0;
  /// How its results are proved, for people.
  virtual std::string proof() const = 0;
  /// "lane", "element": what a result is made of.
  virtual std::string element() const = 0;
  /// On what it runs.
  virtual protocol::Note note() const = 0;
};

/// Arithmetic on processors. A rise is when half of the threads have begun to compute, a fall when
/// half of them have ended. Every piece of work is compared with the reference.
class HostLoad : public Load {
 public:
  explicit HostLoad(Place place) : place_(std::move(place)) {}
  LoadResult run(const LoadPlan& plan, const OwnClock& clock, const std::atomic<bool>& stop,
                 const std::optional<kit::Injection>& injection) override;
  std::string proof() const override;
  std::string element() const override { return "lane"; }
  protocol::Note note() const override;

 private:
  Place place_;
};

}  // namespace rackproof::swing
