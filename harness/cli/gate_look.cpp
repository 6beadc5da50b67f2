#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "harness/cli/gate.hpp"
#include "harness/gate/look.hpp"
#include "harness/inventory/inventory.hpp"
#include "harness/job/run_request.hpp"
#include "harness/nvml/library.hpp"
#include "harness/support/clock.hpp"
#include "harness/telemetry/gpu_thread.hpp"
#include "harness/telemetry/host_columns.hpp"
#include "harness/telemetry/kernel_history.hpp"
#include "harness/telemetry/missing.hpp"

namespace rackproof::cli {
namespace {

// For one answer about all GPUs, once the driver has started.
constexpr double kAnswerSeconds = 5;

double uptime() {
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

void take_counters(telemetry::Columns& source, gate::Counters& counters) {
  const auto& columns = source.columns();
  std::vector<double> values(columns.size());
  source.read({0, true}, values);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].kind != telemetry::Kind::kCounter || !telemetry::is_value(values[i])) continue;
    counters[{columns[i].name, columns[i].subject}] = values[i];
  }
}

void take_kernel_log(const GateOptions& options, gate::Look& look) {
  const auto history = telemetry::kernel_history(options.counters_root);
  look.last_message = history.last;
  look.kernel_problem = history.problem;
  for (const auto& [sequence, event] : history.events) {
    look.events.push_back({sequence, event.kind, event.severity, event.device, event.text});
  }
}

// After the inventory, which loads libraries: a thread that hangs in the driver would hold what is
// needed for that.
bool take_gpu_counters(double seconds, gate::Counters& counters) {
  telemetry::GpuThread gpus(nvml::kFile, seconds, std::min(seconds, kAnswerSeconds));
  if (!gpus.hangs()) take_counters(gpus, counters);
  return !gpus.hangs();
}

}  // namespace

int look_at_node(const GateOptions& options) {
  support::SystemClock clock;
  const double begun = clock.now();
  const double patience = job::parse_seconds(options.nvml_deadline);
  gate::Look look;
  take_kernel_log(options, look);
  for (auto& source : telemetry::host_columns(options.counters_root)) {
    take_counters(*source, look.counters);
  }
  look.node = inventory::collect("", patience);
  bool hangs = inventory::left_waiting();
  if (!hangs && !look.node.devices.empty()) {
    const double left = std::max(1.0, begun + patience - clock.now());
    hangs = !take_gpu_counters(left, look.counters);
  }
  look.uptime_seconds = uptime();
  if (hangs) look.driver_waited = clock.now() - begun;
  print(gate::to_json_line(look) + "\n");
  if (hangs) std::_Exit(0);
  return 0;
}

}  // namespace rackproof::cli
