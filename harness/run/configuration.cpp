#include "harness/run/configuration.hpp"

#include <algorithm>

#include "harness/drift/compare.hpp"

namespace rackproof::run {

std::vector<model::Finding> check_configuration(const model::Report& report,
                                                const config::Comparison& rules) {
  std::vector<model::Finding> findings =
      drift::compare(report.nodes, report.platform_of_host, rules);
  for (model::Finding& finding : findings) {
    model::suppress(finding, report.suite.suppress, report.run.began_utc);
  }
  sort_by_severity(findings);
  return findings;
}

void sort_by_severity(std::vector<model::Finding>& findings) {
  std::stable_sort(findings.begin(), findings.end(),
                   [](const auto& a, const auto& b) { return a.severity > b.severity; });
}

}  // namespace rackproof::run
