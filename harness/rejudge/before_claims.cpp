#include "harness/rejudge/before_claims.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "harness/config/installed.hpp"
#include "harness/config/platform.hpp"
#include "harness/document/located_json.hpp"
#include "harness/support/exit_code.hpp"
#include "harness/support/files.hpp"
#include "reports/json/report_json.hpp"

namespace rackproof::rejudge {
namespace {

bool is_of_a_type(const std::string& id, const config::Paths& paths) {
  const std::string& folder = paths.platforms;
  const std::vector<std::string> known = support::names_in(folder, ".json");
  if (!std::binary_search(known.begin(), known.end(), id)) return false;
  try {
    return !config::load_platform(folder + "/" + id + ".json", folder).generic;
  } catch (const document::ConfigError&) {
    return false;
  }
}

}  // namespace

int verdict_code(const model::Report& report) {
  if (report.acceptance == model::Acceptance::kAccepted &&
      !model::tells_claims(report.schema_version)) {
    return support::kVerified;
  }
  return model::exit_code_of(report.acceptance);
}

void mark_generic_limits(model::Report& report, const config::Paths& paths) {
  if (model::tells_claims(report.schema_version)) return;
  std::map<std::string, bool> of_a_type;
  for (model::PlatformTable& table : report.platforms) {
    for (model::Baseline& baseline : table.baselines) {
      const auto [at, fresh] = of_a_type.try_emplace(baseline.table, false);
      if (fresh) at->second = is_of_a_type(baseline.table, paths);
      baseline.generic = !at->second;
    }
  }
}

}  // namespace rackproof::rejudge
