#include "harness/job/failed.hpp"

#include <fmt/format.h>

#include <set>

#include "harness/archive/report_file.hpp"
#include "harness/resume/again.hpp"
#include "harness/support/errors.hpp"

namespace rackproof::job {
namespace {

constexpr std::size_t kDigestShown = 12;  // of a digest, enough to tell two files apart

void require_same_suite(const std::string& file, const model::SuiteInfo& earlier,
                        const model::SuiteInfo& own) {
  if (earlier.digest == own.digest) return;
  const bool same_name = earlier.id == own.id;
  const auto named = [&](const model::SuiteInfo& suite) {
    return same_name
               ? fmt::format("{} of sha256 {}", suite.id, suite.digest.substr(0, kDigestShown))
               : suite.id;
  };
  throw support::UsageError(
      fmt::format("--failed {}: that run was of suite {}, and this one is of suite {}", file,
                  named(earlier), named(own)));
}

}  // namespace

void select_failed(const std::string& report, const std::vector<std::string>& in_rank,
                   resume::Request& request) {
  const model::Report before = archive::load_report(report);
  require_same_suite(report, before.suite, request.suite.info);
  if (before.cells.empty()) {
    throw support::UsageError(fmt::format(
        "--failed {}: it has no cells, as that run ended before its plan was whole", report));
  }
  auto failed = resume::hosts_of_failed(before, in_rank);
  if (failed.empty()) {
    request.nothing_owed = fmt::format(
        "nothing to run: in {} no cell failed, and none is untested or unjudged", report);
    return;
  }
  std::set<std::string> hosts;
  for (const auto& [step, names] : failed) hosts.insert(names.begin(), names.end());
  request.only_hosts.assign(hosts.begin(), hosts.end());
  request.only_hosts_of = fmt::format("--failed {}: its host", report);
  for (const config::Step& step : request.suite.steps) {
    if (!failed.contains(step.id)) request.selection.left_out.insert(step.id);
  }
  request.selection.only_on = std::move(failed);
}

}  // namespace rackproof::job
