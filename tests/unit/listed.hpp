#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "benches/protocol/record.hpp"
#include "harness/config/bench.hpp"

namespace rackproof::test {

/// True when benches/BENCH/bench.json holds exactly one kind that this metric is of: name,
/// backend, unit, direction, statistic, subject and parameters. One bench for each test program:
/// its list is read once.
inline bool is_listed(const protocol::Metric& metric, const std::string& bench,
                      const std::string& backend) {
  const auto has = [](const std::vector<std::string>& list, const std::string& word) {
    return std::find(list.begin(), list.end(), word) != list.end();
  };
  static const config::MetricCatalogue list =
      config::load_metrics(std::string(RACKPROOF_SOURCE_DIR) + "/benches/" + bench + "/bench.json");
  int kinds = 0;
  for (const config::MetricKind& kind : list) {
    bool same = has(kind.names, metric.name) && has(kind.backends, backend) &&
                kind.unit == metric.unit && kind.better == metric.better &&
                kind.statistic == metric.statistic && kind.subject == metric.subject.kind;
    for (const auto& [name, value] : metric.parameters) {
      const auto known = kind.parameters.find(name);
      same = same && known != kind.parameters.end() && config::takes(known->second, value);
    }
    for (const auto& [name, parameter] : kind.parameters) {
      same = same && (parameter.optional || metric.parameters.count(name) > 0);
    }
    kinds += same ? 1 : 0;
  }
  return kinds == 1;
}

}  // namespace rackproof::test
