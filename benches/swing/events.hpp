#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "benches/kit/host.hpp"
#include "benches/swing/config.hpp"

namespace rackproof::swing {

/// What a node or a GPU counts that a supply can cause.
enum class Event { kPowerLimit, kThrottle, kLostLink, kPowerBrake, kXid };
inline constexpr std::array kEvents{Event::kPowerLimit, Event::kThrottle, Event::kLostLink,
                                    Event::kPowerBrake, Event::kXid};

/// "power limiting", "thermal throttling", "lost links", "power brake", "Xid errors".
std::string_view text_of(Event event);

/// Counts that only grow; none where there is no such counter.
using EventCounts = std::array<std::optional<double>, kEvents.size()>;

/// Counters of this node: power limit notifications and thermal throttling of cores and packages
/// (thermal_throttle of each processor, as the x86 driver of the kernel shows them), links that
/// went down of network adapters (carrier_down_count) and of InfiniBand ports (link_downed). An
/// interface without an adapter behind it is left out.
EventCounts read_events(const std::filesystem::path& root = kit::kKernelFiles);

/// What a rank can count.
class Counters {
 public:
  Counters() = default;
  virtual ~Counters() = default;
  Counters(const Counters&) = delete;
  Counters& operator=(const Counters&) = delete;

  /// The counts now. More than one thread may ask.
  virtual EventCounts read() = 0;
};

/// Those of the node, for the one rank of it that looks at them.
class NodeCounters : public Counters {
 public:
  explicit NodeCounters(std::filesystem::path root) : root_(std::move(root)) {}
  EventCounts read() override { return read_events(root_); }

 private:
  std::filesystem::path root_;
};

/// The links of the node alone, beside what counts the rest itself.
class NodeLinks : public Counters {
 public:
  explicit NodeLinks(std::filesystem::path root) : root_(std::move(root)) {}
  EventCounts read() override;

 private:
  std::filesystem::path root_;
};

/// Those of a rank that leaves them to another one.
class NoCounters : public Counters {
 public:
  EventCounts read() override { return {}; }
};

/// Whether an event came between two readings; false where it was not counted
/// at both.
bool came(const EventCounts& before, const EventCounts& after, Event event);

/// In how many runs an event came, in phase and with phases spread; all are equally long.
struct Arms {
  std::int64_t in_phase_runs = 0;
  std::int64_t in_phase = 0;
  std::int64_t spread_runs = 0;
  std::int64_t spread = 0;
  std::set<std::string> places = {};  ///< where it came in phase
};

/// Adds a run to the arms, by the event: `came` says for each rank which of them came there,
/// `names` what the ranks are called,
/// `hosts` where they are: links are those of a host. Stages and ramps have nothing to be compared
/// with.
void count_events(const Run& run, const std::vector<std::array<bool, kEvents.size()>>& came,
                  const std::vector<std::string>& names, const std::vector<std::string>& hosts,
                  std::array<Arms, kEvents.size()>& arms);

/// The chance that as many or more of the runs with the event are in phase, if phases did not
/// matter: one side of Fisher's exact test (hypergeometric). 1 where it never came.
double chance(const Arms& arms);

/// What the two arms say together.
enum class Accusation {
  kNone,        ///< it never came
  kSupply,      ///< in phase alone, and too often for chance (at most 5 %)
  kTooFew,      ///< in phase alone, in too few runs to say so
  kNotByPhase,  ///< with phases spread too, or only then
  kUncompared,  ///< in phase, and nothing was run with phases spread
};
Accusation accusation(const Arms& arms);

/// The sentence for it; empty for kNone.
std::string sentence(Event event, const Arms& arms);

}  // namespace rackproof::swing
