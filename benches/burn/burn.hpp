#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "benches/kit/options.hpp"
#include "benches/kit/session.hpp"

namespace rackproof::burn {

struct Settings {
  std::string dtype = "fp64";
  double seconds = 60;
  double window = 1;                     ///< seconds of one sample
  double memory_fraction = 0.5;          ///< of the memory available, for all matrices together
  std::int64_t size = 2048;              ///< rows and columns of each matrix
  std::int64_t threads = 0;              ///< 0: one per allowed physical core
  std::int64_t seed = 0;                 ///< 0: a new one
  contract::Parameters conditions = {};  ///< what holds for every number
};

/// How many result matrices fit: what `memory_fraction` of `available` bytes leaves beside the two
/// operands and the reference. Throws UsageError when that is none.
std::int64_t result_slots(const Settings& settings, std::int64_t available);

/// Turns the ends of multiplications into rates by window. A window ends with the first
/// multiplication that ends `window` seconds or more after it began, and its rate is over the time
/// it really took, so no work is counted in the wrong window. Times are seconds since the start.
class Windows {
 public:
  Windows(double window, double operations) : window_(window), operations_(operations) {}

  void multiplication_ended(double at);
  /// Ends the last window: it counts when it lasted half of `window`, or is the only one.
  void finish();

  /// The window, from 1, that the multiplication under way belongs to.
  std::int64_t current() const { return static_cast<std::int64_t>(rates_.size()) + 1; }
  /// Operations per second of each window, in order.
  const std::vector<double>& rates() const { return rates_; }

 private:
  void close();

  double window_;
  double operations_;
  double began_ = 0;
  double ended_ = 0;
  std::int64_t in_window_ = 0;
  std::vector<double> rates_;
};

void declare(kit::Options& options, Settings& settings);

/// Multiplies for `seconds`, proves every result, and says one check "burn.DTYPE" and then one
/// metric burn.rate in FLOP/s, whose samples are the rates of the windows and whose value is the
/// worst. Nothing is burned, and there is no metric, when the reference itself is wrong.
void measure(const Settings& settings, kit::Session& session);

}  // namespace rackproof::burn
