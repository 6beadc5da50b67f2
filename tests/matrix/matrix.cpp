#include "tests/matrix/matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "harness/config/platform.hpp"
#include "harness/coverage/site.hpp"
#include "harness/judge/judge.hpp"

namespace rackproof::matrix {
namespace {

const std::string kConfigs = std::string(RACKPROOF_SOURCE_DIR) + "/configs/";
constexpr int kTrays = 18;

void count(model::Report report, model::Acceptance wanted, Tally& tally) {
  judge::judge(report);
  switch (report.acceptance) {
    case model::Acceptance::kAccepted:
      ++tally.accepted;
      break;
    case model::Acceptance::kRejected:
      ++tally.rejected;
      break;
    case model::Acceptance::kIncomplete:
      ++tally.incomplete;
      break;
    case model::Acceptance::kVerified:
      ++tally.verified;
      break;
  }
  if (report.acceptance != wanted && tally.first_reason.empty()) {
    tally.first_reason = report.acceptance_reason;
  }
}

std::vector<Fabric> slow_fabrics(int hosts) {
  std::vector<Fabric> all = {{0.5, Where::kEverywhere}, {0.1, Where::kEverywhere}};
  if (hosts > 1) {
    all.push_back({0.5, Where::kBetweenNodes});
    all.push_back({0.1, Where::kBetweenNodes});
  }
  return all;
}

Row play_row(const model::PlatformTable& table, const config::Suite& suite, int hosts,
             const Plan& plan) {
  Row row{table.id, suite.info.id, hosts, false, {}, {}};
  for (int seed = 0; seed < plan.seeds; ++seed) {
    const auto number = static_cast<std::uint64_t>(seed);
    count(measured_rack(table, suite, hosts, {}, number), model::Acceptance::kAccepted,
          row.healthy);
  }
  row.limited = row.healthy.verified == 0;
  for (const Fabric& fabric : slow_fabrics(hosts)) {
    for (int seed = 0; seed < plan.slow_seeds; ++seed) {
      const auto number = static_cast<std::uint64_t>(seed);
      count(measured_rack(table, suite, hosts, fabric, number), model::Acceptance::kRejected,
            row.slow);
    }
  }
  return row;
}

std::vector<model::PlatformTable> tables() {
  std::vector<model::PlatformTable> all;
  for (const auto& entry : std::filesystem::directory_iterator(kConfigs + "platforms")) {
    auto table = config::load_platform(entry.path().string(), "");
    if (table.is_abstract || table.generic || coverage::gpus_of(table) == 0) continue;
    all.push_back(std::move(table));
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  return all;
}

bool is_one_rack(const model::PlatformTable& table) {
  return table.facts.contains("nvlink.domain_gpus");
}

}  // namespace

void Tally::add(const Tally& other) {
  accepted += other.accepted;
  rejected += other.rejected;
  verified += other.verified;
  incomplete += other.incomplete;
}

std::string to_text(const Tally& tally) {
  return fmt::format("{} accepted, {} verified, {} incomplete, {} rejected", tally.accepted,
                     tally.verified, tally.incomplete, tally.rejected);
}

std::string to_text(const Row& row) {
  return fmt::format("| {} | {} | {} | {} | {} | {}", row.table, row.suite, row.hosts,
                     to_text(row.healthy), to_text(row.slow), row.healthy.first_reason);
}

std::vector<Row> play(const Plan& plan, void (*told)(const Row&)) {
  std::vector<Row> rows;
  for (const model::PlatformTable& table : tables()) {
    if (table.id.find(plan.only) == std::string::npos) continue;
    for (const char* name : {"acceptance", "fabric"}) {
      const config::Suite suite = config::load_suite(kConfigs + "suites/" + name + ".json");
      for (int hosts : plan.hosts) {
        if (hosts * coverage::gpus_of(table) < 2) continue;
        if (hosts == 16 && is_one_rack(table)) hosts = kTrays;
        rows.push_back(play_row(table, suite, hosts, plan));
        if (told != nullptr) told(rows.back());
      }
    }
  }
  return rows;
}

}  // namespace rackproof::matrix
