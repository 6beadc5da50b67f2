#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string_view>

namespace rackproof::steps {

/// The products of a layer, forward; each has its backward part too.
enum class Work { kQkv, kAttention, kOutput, kGateUp, kDown };
inline constexpr std::size_t kWorks = 5;
enum class Pass { kForward, kBackward };

/// "mlp.down".
std::string_view word(Work work);
/// "mlp.down forward".
std::string text_of(Work work, Pass pass);

/// Seconds of each product in each pass.
struct WorkTimes {
  std::array<std::array<double, 2>, kWorks> seconds{};

  double& at(Work work, Pass pass) {
    return seconds[static_cast<std::size_t>(work)][static_cast<std::size_t>(pass)];
  }
  double at(Work work, Pass pass) const {
    return seconds[static_cast<std::size_t>(work)][static_cast<std::size_t>(pass)];
  }
  double total() const;
};

/// What computes. With a `share` below 1 each product keeps the core for that share of its time
/// only, and the rank waits for the rest of it: as a host does beside an accelerator, and the way
/// to see a schedule of more ranks than there are cores. A product lasts its pace, a processor time
/// that the ranks have agreed on, divided by the share, so that it does not depend on who else uses
/// the core; before there is one it lasts what it takes. `slow` is a test-only fault: so many times
/// the forward product mlp.down is computed.
class Cores {
 public:
  Cores(double share, std::int64_t slow) : share_(share), slow_(slow) {}

  /// Computes, and adds how long it took to the times.
  void run(Work work, Pass pass, const std::function<void()>& product);

  const WorkTimes& times() const { return times_; }
  void forget() { times_ = {}; }

  /// The least processor time of each product so far.
  const WorkTimes& least() const { return least_; }
  void set_pace(const WorkTimes& pace) { pace_ = pace; }

 private:
  double share_;
  std::int64_t slow_;
  WorkTimes times_;
  WorkTimes least_;
  WorkTimes pace_;
};

/// Sleeps until that moment of kit::now_seconds(), if it is still to come.
void sleep_until(double moment);

}  // namespace rackproof::steps
