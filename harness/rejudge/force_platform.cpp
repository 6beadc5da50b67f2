#include "harness/rejudge/force_platform.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/recognise/recognise.hpp"
#include "harness/support/errors.hpp"

namespace rackproof::rejudge {
namespace {

// What tells the editions apart; empty when the report knows no other one.
std::string other_edition(const model::Report& report, const model::PlatformTable& table) {
  for (const model::PlatformTable& used : report.platforms) {
    if (used.id != table.id || used.digest == table.digest) continue;
    return fmt::format("the report was judged by table {} of digest {}, and this one has {}",
                       table.id, used.digest, table.digest);
  }
  return "";
}

}  // namespace

void force_platform(model::Report& report, const model::PlatformTable& table, bool insist) {
  const std::string edition = other_edition(report, table);
  std::string why = recognise::refusal(table, report.nodes);
  if (why.empty()) why = edition;
  if (!why.empty() && !insist) {
    throw support::UsageError(why + "; to judge by it all the same, add --force-platform");
  }
  std::string how = "judged again with the table " + table.id + ", named with --platform";
  if (!edition.empty()) how += ": another edition, " + edition;
  recognise::PlatformChoice choice = recognise::force_platform(report.nodes, table, how);
  report.platforms = {table};
  for (auto& [host, platform] : report.platform_of_host) platform = table.id;
  for (const auto& [host, platform] : choice.of_host) report.platform_of_host[host] = platform;
  report.run.platform_choice = model::PlatformChoice::kJudgedAgain;
  std::erase_if(report.findings, [](const model::Finding& finding) {
    return recognise::is_choice_finding(finding.id);
  });
  report.findings.insert(report.findings.end(), choice.findings.begin(), choice.findings.end());
}

}  // namespace rackproof::rejudge
