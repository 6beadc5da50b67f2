#include "harness/coverage/site.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/model/fact_name.hpp"

namespace rackproof::coverage {
namespace {

namespace fact_name = model::fact_name;

constexpr const char* kCount = fact_name::kGpuNvmlCount;
constexpr const char* kCapability = fact_name::kGpuComputeCapability;
constexpr const char* kDomain = fact_name::kNvlinkDomain;

model::Fact known(contract::Scalar value) { return {std::move(value), "assumed", ""}; }

bool asks_for_gpus(const model::PlatformTable& table) {
  const contract::Scalar none = std::int64_t{0};
  return std::any_of(table.recognise.begin(), table.recognise.end(), [&](const auto& rule) {
    return rule.fact.starts_with("gpu.") && rule.equals != none;
  });
}

/// Trays of one rack share an NVLink domain.
bool is_one_domain(const model::PlatformTable& table) {
  return table.facts.contains("nvlink.domain_gpus");
}

/// Facts of the inventory that fractions and bounds of the table ask for; a data sheet's peak is
/// the table's to state.
void state_facts(const model::PlatformTable& table, std::map<std::string, model::Fact>& facts) {
  for (const char* name : {fact_name::kGpuCores, fact_name::kGpuSmClockHertz,
                           fact_name::kGpuMemoryPeakBytesPerSecond, fact_name::kGpuPowerLimitWatts,
                           fact_name::kCpuPeakFlopsFp64, fact_name::kCpuPeakFlopsFp32}) {
    facts[name] = known(1e9);
  }
  facts[fact_name::kMemoryPeakBytesPerSecond] = known(1e9);
  facts[fact_name::kGpuPcieGeneration] = known(std::int64_t{5});
  facts[fact_name::kGpuPcieWidth] = known(std::int64_t{16});
  for (const model::Baseline& baseline : table.baselines) {
    const bool of_fact = baseline.kind == model::BaselineKind::kFraction;
    if (of_fact && !baseline.of.starts_with("peak.")) facts[baseline.of] = known(1e9);
  }
}

model::NodeInventory host_of(const model::PlatformTable& table, const std::string& name, int gpus) {
  model::NodeInventory node;
  node.host = name;
  state_facts(table, node.facts);
  node.facts[fact_name::kNumaCount] = known(std::int64_t{2});
  node.facts[kCount] = known(std::int64_t{gpus});
  node.facts[fact_name::kGpuCount] = known(std::int64_t{gpus});
  for (int i = 0; i < gpus; ++i) {
    model::DeviceFacts& device = node.devices.emplace_back();
    device.uuid = fmt::format("GPU-{}-{}", name, i);
    device.index = i;
    state_facts(table, device.facts);
    device.facts[kCapability] = known(capability_of(table));
    if (is_one_domain(table)) device.facts[kDomain] = known(std::string("rack"));
    const std::string port = fmt::format("infiniband.mlx5_{}.port1", i);
    node.facts[port + ".rate_bits_per_second"] = known(400e9);
    node.facts[port + ".state"] = known(std::string("ACTIVE"));
  }
  return node;
}

}  // namespace

int gpus_of(const model::PlatformTable& table) {
  if (!asks_for_gpus(table)) return 0;
  for (const model::FactExpectation& one : table.expect) {
    if (one.rule.fact != kCount || !one.rule.equals) continue;
    if (const auto* count = std::get_if<std::int64_t>(&*one.rule.equals)) {
      return static_cast<int>(*count);
    }
  }
  for (const model::FactRule& rule : table.recognise) {
    if (rule.fact != kCount || !rule.equals) continue;
    if (const auto* count = std::get_if<std::int64_t>(&*rule.equals)) {
      return static_cast<int>(*count);
    }
  }
  return 1;
}

std::string capability_of(const model::PlatformTable& table) {
  for (const model::FactRule& rule : table.recognise) {
    if (rule.fact == kCapability && rule.equals) return model::to_text(*rule.equals);
  }
  return "";
}

plan::Site site_of(const model::PlatformTable& table, int hosts) {
  plan::Site site;
  const int gpus = gpus_of(table);
  for (int host = 0; host < hosts; ++host) {
    const std::string name = fmt::format("host{:03}", host);
    site.nodes.push_back(host_of(table, name, gpus));
    for (int local = 0; local < std::max(gpus, 1); ++local) {
      site.ranks.push_back({static_cast<int>(site.ranks.size()), name, local});
    }
  }
  site.mpi = true;
  return site;
}

model::Report unmeasured_run(const model::PlatformTable& table, const config::Suite& suite,
                             int hosts) {
  plan::Site site = site_of(table, hosts);
  // The ranks of such a run have all that the suite wants of them.
  for (const config::Step& step : suite.steps) {
    if (step.backend == "mpi") site.in_rank_benches.push_back(step.bench + "-" + step.backend);
  }
  plan::Plan plan = plan::make_plan(suite, site, {});
  model::Report report;
  report.suite = suite.info;
  report.nodes = site.nodes;
  report.platforms = {table};
  for (const auto& node : site.nodes) report.platform_of_host[node.host] = table.id;
  report.steps = std::move(plan.infos);
  report.cells = std::move(plan.cells);
  return report;
}

}  // namespace rackproof::coverage
