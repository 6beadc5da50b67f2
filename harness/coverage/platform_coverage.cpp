#include "harness/coverage/platform_coverage.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/config/bench.hpp"
#include "harness/config/installed.hpp"
#include "harness/config/platform.hpp"
#include "harness/config/suite.hpp"

namespace rackproof::coverage {
namespace {

constexpr const char* kSuite = "acceptance";
constexpr int kHosts = 4;

std::vector<std::string> without_limit(const Coverage& coverage) {
  std::vector<std::string> ids;
  for (const model::ClaimState& claim : coverage.claims) {
    if (!claim.is_held()) ids.push_back(claim.id);
  }
  return ids;
}

}  // namespace

std::vector<TableCoverage> coverage_of_tables(const std::string& suite, int hosts,
                                              const config::Paths& paths) {
  const config::Suite wanted =
      config::load_suite(config::resolve_config(suite, paths, config::FileOf::kSuite));
  const config::MetricCatalogue catalogue = config::load_catalogue(paths.benches);
  std::vector<TableCoverage> all;
  for (const auto& [name, path] : config::files_of(paths, config::FileOf::kPlatform)) {
    const auto table = config::load_platform(path, paths.platforms);
    if (table.is_abstract) continue;
    all.push_back({table.id, coverage_of(table, wanted, hosts, catalogue)});
  }
  return all;
}

std::string to_text(const Coverage& coverage) {
  const std::vector<std::string> missing = without_limit(coverage);
  return fmt::format(
      "{} of {} claims, {} of {} rates of GPUs, {} of {} of hosts{}", coverage.held(),
      coverage.claims.size(), coverage.gpu.limited, coverage.gpu.all, coverage.host.limited,
      coverage.host.all,
      missing.empty() ? "" : fmt::format("; no limit for {}", fmt::join(missing, ", ")));
}

namespace {

std::string rates_text(const Coverage::Rates& rates) {
  return rates.all == 0 ? "" : fmt::format("{} of {}", rates.limited, rates.all);
}

// Claims of the suite that some table holds, in the suite's order.
std::vector<std::string> held_claims(const std::vector<TableCoverage>& all) {
  std::vector<std::string> ids;
  for (const TableCoverage& one : all) {
    for (const model::ClaimState& claim : one.coverage.claims) {
      const bool held = one.coverage.deficits.contains(claim.id);
      if (held && std::count(ids.begin(), ids.end(), claim.id) == 0) ids.push_back(claim.id);
    }
  }
  return ids;
}

std::string deficits_table(const std::vector<TableCoverage>& all) {
  const std::vector<std::string> ids = held_claims(all);
  std::string text = fmt::format("\n| table | {} |\n|---|", fmt::join(ids, " | "));
  for (std::size_t i = 0; i < ids.size(); ++i) text += "---|";
  for (const TableCoverage& one : all) {
    text += "\n| " + one.table + " |";
    for (const std::string& id : ids) {
      const auto found = one.coverage.deficits.find(id);
      const bool held = found != one.coverage.deficits.end();
      text += held ? fmt::format(" {:.3g} % |", 100 * found->second) : " |";
    }
  }
  return text + "\n";
}

}  // namespace

std::string coverage_section(const config::Paths& paths) {
  const auto alone = coverage_of_tables(kSuite, 1, paths);
  const auto several = coverage_of_tables(kSuite, kHosts, paths);
  std::string rows;
  for (std::size_t i = 0; i < alone.size(); ++i) {
    const Coverage& one = alone[i].coverage;
    const Coverage& all = several[i].coverage;
    rows += fmt::format("| {} | {} of {} | {} | {} | {} of {} | {} | {} | {} |\n", alone[i].table,
                        one.held(), one.claims.size(), rates_text(one.gpu), rates_text(one.host),
                        all.held(), all.claims.size(), rates_text(all.gpu), rates_text(all.host),
                        fmt::join(without_limit(all), ", "));
  }
  const std::string found = deficits_table(several);
  return fmt::format(R"(
## What the limits hold

Of the suite `{}`: its claims for which each subject has a result with a limit, and its rates (kinds of required result in
which more is better) that are all held to one, those of GPUs and those of hosts. Limits of generic tables do not count, bounds of
the parts do, and all facts of the inventory are taken as readable. `rackproof list platforms --coverage --suite SUITE --hosts N`
says the same of other suites and sizes, and with `--json` which rates have no limit.

| table | claims, 1 host | rates of GPUs | of hosts | claims, {} hosts | rates of GPUs | of hosts | no limit for |
|---|---|---|---|---|---|---|---|
{}
How far below what is expected of it a part must be to fail, over {} hosts: by the tightest limit of each place of the claim,
in its worst place. Where a figure or a fraction of a data sheet is expected, that is what a healthy part reaches; a bound
expects the lowest published fraction of it, so a part at the highest may lose more ([bounds](judging.md#bounds)).
{})",
                     kSuite, kHosts, rows, kHosts, found);
}

}  // namespace rackproof::coverage
