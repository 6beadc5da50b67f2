#include "reports/model/host_load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rackproof::model {
namespace {

// /proc counts the time of a processor, and of a process, in hundredths of a second.
constexpr double kCounterStep = 0.01;
// More than any kernel is built for.
constexpr int kMostProcessors = 65536;
// What was used before may be counted when a process ends, and clocks differ a little.
constexpr double kMostOwn = 10;
constexpr double kClocksDiffer = 0.1;

// A year.
constexpr double kMostSeconds = 3.2e7;

bool is_amount(double value) { return std::isfinite(value) && value >= 0; }

// What no two looks at a host give, and a journal that was damaged or made by somebody may.
bool makes_sense(const HostLoad& load) {
  const double capacity = load.processors * load.seconds;
  if (load.processors <= 0 || load.processors > kMostProcessors) return false;
  if (!is_amount(capacity) || capacity == 0 || load.seconds > kMostSeconds) return false;
  if (!is_amount(load.busy) || !is_amount(load.own) || !is_amount(load.stolen)) return false;
  if (load.own > kMostOwn * (capacity + 1)) return false;
  return !load.waited ||
         (is_amount(*load.waited) && *load.waited <= load.seconds * (1 + kClocksDiffer) + 1);
}

}  // namespace

double taken_share(const HostLoad& load) {
  if (!load.unknown.empty() || load == HostLoad{}) return 0;
  if (!makes_sense(load)) return 1;
  const double capacity = load.processors * load.seconds;
  double others = std::max(0.0, load.busy - load.own);
  if (load.waited) others = std::min(others, load.processors * *load.waited);
  const double taken = others + load.stolen - load.processors * kCounterStep;
  return std::clamp(taken / capacity, 0.0, 1.0);
}

std::string to_text(const HostLoad& load) {
  if (!load.unknown.empty()) {
    return "whether other programs ran is not known: " + load.unknown;
  }
  if (!(load == HostLoad{}) && !makes_sense(load)) {
    return "what is told of other programs there makes no sense";
  }
  const double stolen = load.stolen / std::max(1e-9, load.processors * load.seconds);
  const std::string hypervisor =
      stolen >= 0.005 ? fmt::format(" (the hypervisor {:.0f} %)", stolen * 100) : "";
  return fmt::format("others took {:.0f} % of the time of its {} processor{}{}",
                     taken_share(load) * 100, load.processors, load.processors == 1 ? "" : "s",
                     hypervisor);
}

}  // namespace rackproof::model
