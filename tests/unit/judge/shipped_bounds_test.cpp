#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <filesystem>
#include <map>

#include "harness/config/platform.hpp"
#include "harness/limits/bound.hpp"
#include "harness/limits/limits.hpp"
#include "tests/unit/judge/builder.hpp"
#include "tests/unit/judge/cluster.hpp"

using namespace rackproof;
using namespace rackproof::judge_test;

namespace {

constexpr std::int64_t kGibi = std::int64_t{1} << 30;

const std::vector<model::PlatformTable>& tables() {
  static const std::vector<model::PlatformTable> all = [] {
    namespace fs = std::filesystem;
    std::vector<model::PlatformTable> found;
    for (const auto& entry :
         fs::directory_iterator(std::string(RACKPROOF_SOURCE_DIR) + "/configs/platforms")) {
      auto table = config::load_platform(entry.path().string(), "");
      if (!table.is_abstract && !table.generic) found.push_back(std::move(table));
    }
    return found;
  }();
  return all;
}

/// Lowest and highest published busbw, as parts of the bound: the pairs are in docs/judging.md.
struct Published {
  const char* op;
  double lowest;
  double highest;
};

constexpr std::array kInNode = {
    Published{"all_reduce", 0.72, 1.07}, Published{"all_gather", 0.77, 0.80},
    Published{"reduce_scatter", 0.77, 0.81}, Published{"alltoall", 0.75, 0.75}};
constexpr std::array kBetween = {
    Published{"all_reduce", 0.73, 1.21}, Published{"all_gather", 0.68, 0.96},
    Published{"reduce_scatter", 0.68, 0.96}, Published{"alltoall", 0.63, 0.96}};

bool has_nvlink(const model::PlatformTable& table) {
  return table.facts.contains("peak.nvlink_bytes_per_second");
}

int gpus_of(const model::PlatformTable& table) {
  for (const model::FactExpectation& one : table.expect) {
    if (one.rule.fact == "gpu.nvml_count" && one.rule.equals) {
      return static_cast<int>(std::get<std::int64_t>(*one.rule.equals));
    }
  }
  return 1;
}

/// So many hosts of this type, with an adapter of 400 Gb/s a GPU where the table names none.
model::Report rack_of(const model::PlatformTable& table, int hosts, const std::string& op,
                      std::int64_t bytes) {
  Cluster cluster{hosts, gpus_of(table)};
  if (table.facts.contains("nvlink.domain_gpus")) {
    cluster.domains.assign(static_cast<std::size_t>(hosts), "a");
  }
  cluster.ports.assign(static_cast<std::size_t>(gpus_of(table)), 400e9);
  model::Report report = cluster.report(op + ".busbw", bytes);
  report.platforms = {table};
  for (auto& [host, id] : report.platform_of_host) id = table.id;
  // As tables demand it: all ports carry their part.
  report.attempts.resize(static_cast<std::size_t>(hosts), report.attempts[0]);
  for (std::size_t host = 0; host < report.attempts.size(); ++host) {
    model::Attempt& attempt = report.attempts[host];
    if (host > 0) attempt.nonce += "-" + std::to_string(host);
    attempt.host = report.nodes[host].host;
    attempt.member = static_cast<int>(host);
    attempt.members = hosts == 1 ? 0 : hosts;
    for (int port = 0; port < gpus_of(table); ++port) {
      model::SeriesSummary& sent = attempt.recorded.emplace_back();
      sent.name = "infiniband.sent";
      sent.subject = "mlx5_" + std::to_string(port) + ":1";
      sent.delta = 1e12;
    }
  }
  return report;
}

model::Outcome outcome_at(model::Report report, double busbw, const std::string& algorithm) {
  for (model::Measurement& one : report.cells[0].measurements) {
    one.value = busbw;
    one.samples = samples_around(busbw);
    // As tables demand it.
    one.conditions = {
        {"network", std::string("IB")}, {"gdr", true}, {"nvls", true}, {"algorithm", algorithm}};
  }
  return judged(report).outcome;
}

/// What a healthy machine reaches: the table's figure, else what was published of others.
struct Healthy {
  double least = 0;
  double most = 0;
  bool by_bound = false;
};

Healthy healthy(const model::Report& report, const Published& published,
                const std::string& algorithm) {
  const contract::Parameters shown = {{"algorithm", algorithm}};
  const evidence::Context context(report);
  const model::PlatformTable& table = report.platforms[0];
  const model::Cell& cell = report.cells[0];
  const limits::Choice choice =
      limits::choose_limits(context, cell, table, cell.measurements.at(0), shown);
  INFO(choice.sentence << choice.limits.why_correctness);
  REQUIRE(choice.limits.baseline != nullptr);
  REQUIRE_FALSE(choice.limits.by_correctness);
  if (choice.limits.baseline->kind != model::BaselineKind::kBound) {
    // What an operator's limit lets pass is a little above it.
    const bool is_limit = choice.limits.baseline->source.kind == "published-threshold";
    return {choice.limits.expected * (is_limit ? 1.02 : 1), choice.limits.expected, false};
  }
  const double most =
      limits::bound_of(model::BoundOf::kCollective, context, table, cell, shown).value;
  return {published.lowest * most, published.highest * most, true};
}

/// Tables that say why they hold no bound against it.
bool is_exempt(const model::PlatformTable& table, int hosts) {
  if (table.id == "gcp-a3-high") return hosts > 1;
  const auto& chain = table.chain;
  return hosts == 1 && std::find(chain.begin(), chain.end(), "quad-gh200") != chain.end();
}

}  // namespace

TEST_CASE("a fabric at half its speed fails on every shipped table, and a healthy one on none") {
  int judged_tables = 0;
  int by_bound = 0;
  for (const model::PlatformTable& table : tables()) {
    if (!has_nvlink(table)) continue;
    ++judged_tables;
    for (const int hosts : {1, 2, 4, 16}) {
      if (hosts * gpus_of(table) < 2) continue;
      if (is_exempt(table, hosts)) continue;
      for (const Published& one : hosts == 1 ? kInNode : kBetween) {
        for (const std::int64_t bytes : {8 * kGibi, 16 * kGibi}) {
          for (const char* algorithm : {"RING", "NVLS_TREE"}) {
            INFO(table.id << ", " << hosts << " hosts, " << one.op << " of " << bytes << " by "
                          << algorithm);
            const model::Report report = rack_of(table, hosts, one.op, bytes);
            const Healthy speed = healthy(report, one, algorithm);
            by_bound += speed.by_bound ? 1 : 0;
            CHECK(outcome_at(report, speed.least, algorithm) == model::Outcome::kPass);
            CHECK(outcome_at(report, 0.5 * speed.most, algorithm) == model::Outcome::kFail);
            CHECK(outcome_at(report, 0.1 * speed.most, algorithm) == model::Outcome::kFail);
          }
        }
      }
    }
  }
  CHECK(judged_tables >= 40);
  CHECK(by_bound > 500);
}

TEST_CASE("operations a clock give the peaks of the data sheets") {
  // Multiprocessors, the clock that NVIDIA computes the sheet's figures with, cores of one.
  struct Gpu {
    const char* table;
    const char* capability;
    int multiprocessors;
    double clock;
    int cores;
  };
  for (const Gpu& gpu :
       {Gpu{"dgx-a100-80gb", "8.0", 108, 1.41e9, 64}, Gpu{"dgx-h100", "9.0", 132, 1.83e9, 128},
        Gpu{"hgx-h200", "9.0", 132, 1.83e9, 128}, Gpu{"l40s", "8.9", 142, 2.52e9, 128}}) {
    const auto table = std::find_if(tables().begin(), tables().end(),
                                    [&](const auto& one) { return one.id == gpu.table; });
    REQUIRE(table != tables().end());
    for (const auto& [type, fact] : std::map<std::string, std::string>{{"bf16", "bf16"},
                                                                       {"fp16", "fp16"},
                                                                       {"tf32", "tf32"},
                                                                       {"fp8_e4m3", "fp8"},
                                                                       {"int8", "int8"}}) {
      const auto peak = table->facts.find("peak.gpu.flops_" + fact);
      if (peak == table->facts.end()) continue;
      model::Report report = one_cell();
      report.platforms[0].facts.clear();
      report.nodes = {{kHost, {}, {}}};
      model::DeviceFacts& device_facts = report.nodes[0].devices.emplace_back();
      device_facts.uuid = "GPU-1";
      device_facts.facts["gpu.cores"] = {std::int64_t{gpu.multiprocessors} * gpu.cores, "test", ""};
      device_facts.facts["gpu.sm_clock_hertz"] = {gpu.clock, "test", ""};
      device_facts.facts["gpu.compute_capability"] = {std::string(gpu.capability), "test", ""};
      report.cells[0].subject = device(kHost, "GPU-1");
      report.cells[0].parameters = {{"dtype", type}};
      const evidence::Context context(report);
      INFO(gpu.table << " " << type);
      const limits::Bound most = limits::bound_of(model::BoundOf::kGpuFlops, context,
                                                  report.platforms[0], report.cells[0], {});
      CHECK(most.value == Approx(std::get<double>(peak->second)).epsilon(0.015));
    }
  }
}
