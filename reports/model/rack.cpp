#include "reports/model/rack.hpp"

namespace rackproof::model {

std::string rack_of(const Report& report) {
  const auto label = report.run.labels.find(kRackLabel);
  if (label != report.run.labels.end() && !label->second.empty()) return label->second;
  return report.nodes.empty() ? report.run.id : report.nodes.front().host;
}

}  // namespace rackproof::model
