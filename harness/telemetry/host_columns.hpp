#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/telemetry/columns.hpp"

namespace rackproof::telemetry {

/// What the host tells below a root folder (empty: this machine): load, memory, idle time and clock
/// of the processors, temperatures, energy (RAPL), memory errors (EDAC), network interfaces with
/// hardware behind them and InfiniBand ports. What the machine does not have is no column; what it
/// has and does not let read is one of missing values.
std::vector<std::unique_ptr<Columns>> host_columns(const std::string& root);

/// The clock of the processors: lowest, mean and highest of at most eight of them a sample, other
/// ones each time, from cpufreq or, on machines without it, from /proc/cpuinfo. Null when neither
/// tells.
std::unique_ptr<Columns> processor_columns(const std::string& root);

}  // namespace rackproof::telemetry
