#include "harness/coverage/expected_limits.hpp"

#include <algorithm>

namespace rackproof::coverage {

const config::MetricKind* kind_of(const config::MetricCatalogue& catalogue, const model::Cell& cell,
                                  const std::string& backend) {
  const auto found = std::find_if(catalogue.begin(), catalogue.end(), [&](const auto& kind) {
    return std::count(kind.names.begin(), kind.names.end(), cell.metric) != 0 &&
           std::count(kind.backends.begin(), kind.backends.end(), backend) != 0 &&
           std::all_of(cell.parameters.begin(), cell.parameters.end(), [&](const auto& entry) {
             const auto known = kind.parameters.find(entry.first);
             return known != kind.parameters.end() && config::takes(known->second, entry.second);
           });
  });
  return found == catalogue.end() ? nullptr : &*found;
}

limits::Choice limits_before(const evidence::Context& context, const model::Cell& cell,
                             const model::PlatformTable& table, const config::MetricKind& kind,
                             const char* algorithm) {
  model::Measurement measurement;
  measurement.metric = cell.metric;
  measurement.unit = kind.unit;
  measurement.better = kind.better;
  return limits::choose_limits(context, cell, table, measurement,
                               {{"algorithm", std::string(algorithm)}});
}

}  // namespace rackproof::coverage
