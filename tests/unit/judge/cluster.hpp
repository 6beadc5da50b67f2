#pragma once

#include <string>
#include <vector>

#include "reports/model/report.hpp"

namespace rackproof::judge_test {

/// A machine of several hosts with GPUs, as inventory and table tell of it.
struct Cluster {
  int hosts = 1;
  int gpus_per_host = 8;
  double nvlink_bytes_per_second = 450e9;  ///< of the table; 0: it does not say
  double nic_bytes_per_second = 50e9;      ///< of the table; 0: it does not say
  std::vector<std::string> domains = {};   ///< nvlink.domain of each host; empty: it does not say
  std::vector<double> ports = {};          ///< bits a second of each active port of each host

  model::PlatformTable table() const;
  std::vector<model::NodeInventory> nodes() const;
  /// A run whose one cell is `value` of `metric` over all GPUs.
  model::Report report(const std::string& metric, std::int64_t bytes = std::int64_t{8} << 30,
                       double value = 1e9) const;
};

}  // namespace rackproof::judge_test
