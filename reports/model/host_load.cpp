#include "reports/model/host_load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rackproof::model {
namespace {

// /proc counts the time of a processor, and of a process, in hundredths of a second.
constexpr double kCounterStep = 0.01;

}  // namespace

double taken_share(const HostLoad& load) {
  const double capacity = load.processors * load.seconds;
  if (!load.unknown.empty() || !(capacity > 0)) return 0;
  // No clock gives these, a journal that somebody made may.
  if (!std::isfinite(capacity) || !std::isfinite(load.busy + load.own + load.stolen)) return 1;
  double others = std::max(0.0, load.busy - load.own);
  if (load.waited) others = std::min(others, load.processors * *load.waited);
  const double taken = others + load.stolen - load.processors * kCounterStep;
  return std::clamp(taken / capacity, 0.0, 1.0);
}

std::string to_text(const HostLoad& load) {
  if (!load.unknown.empty()) {
    return "whether other programs ran is not known: " + load.unknown;
  }
  const double stolen = load.stolen / std::max(1e-9, load.processors * load.seconds);
  const std::string hypervisor =
      stolen >= 0.005 ? fmt::format(" (the hypervisor {:.0f} %)", stolen * 100) : "";
  return fmt::format("others took {:.0f} % of the time of its {} processor{}{}",
                     taken_share(load) * 100, load.processors, load.processors == 1 ? "" : "s",
                     hypervisor);
}

}  // namespace rackproof::model
