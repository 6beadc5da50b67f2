#include "tests/unit/gate/nodes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace rackproof::gate {

contract::Scalar text(const char* words) { return std::string(words); }

void set(Look& look, const std::string& fact, contract::Scalar value) {
  look.node.facts[fact] = {std::move(value), "test", ""};
}

void set(Look& look, std::size_t gpu, const std::string& fact, contract::Scalar value) {
  look.node.devices.at(gpu).facts[fact] = {std::move(value), "test", ""};
}

void unread(Look& look, const std::string& fact) {
  look.node.facts[fact] = {std::nullopt, "test", "it cannot be read"};
}

Look sound_look() {
  Look look;
  look.node.host = "node7";
  set(look, "host.boot_id", text("boot-1"));
  set(look, "host.machine_id_hash", text("0123456789abcdef"));
  set(look, "machine.product", text("HGX"));
  set(look, "memory.total_bytes", std::int64_t{2'000'000'000'000});
  set(look, "gpu.nvml_count", std::int64_t{8});
  set(look, "gpu.count", std::int64_t{8});
  set(look, "gpu.driver_version", text("580.65.06"));
  set(look, "infiniband.count", std::int64_t{8});
  set(look, "infiniband.mlx5_0.port1.state", text("ACTIVE"));
  set(look, "cpu.governor", text("performance"));
  for (std::int64_t i = 0; i < 8; ++i) {
    model::DeviceFacts device{fmt::format("GPU-{}", i), i, {}};
    look.node.devices.push_back(std::move(device));
    const auto at = static_cast<std::size_t>(i);
    set(look, at, "gpu.name", text("NVIDIA H200"));
    set(look, at, "gpu.pci_address", fmt::format("0000:{:02x}:00.0", 0x18 + i));
    set(look, at, "gpu.ecc", true);
    set(look, at, "gpu.pcie_width_now", std::int64_t{16});
    set(look, at, "gpu.nvlinks_active", std::int64_t{18});
    set(look, at, "gpu.memory_bytes", std::int64_t{150'000'000'000});
    set(look, at, "gpu.row_remap_failed", false);
    set(look, at, "gpu.vbios", text("96.00.9f"));
    for (const char* counter :
         {"gpu.ecc_corrected", "gpu.ecc_uncorrected", "gpu.pcie_replays", "gpu.nvlink_replays",
          "gpu.nvlink_recoveries", "gpu.nvlink_data_crc_errors", "gpu.remapped_uncorrectable"}) {
      look.counters[{counter, fmt::format("GPU-{}", i)}] = 0;
    }
  }
  look.counters[{"memory.uncorrected_errors", "mc0"}] = 0;
  look.counters[{"memory.corrected_errors", "mc0"}] = 3;
  look.counters[{"pcie.fatal_errors", "0000:18:00.0"}] = 0;
  look.counters[{"infiniband.link_downs", "mlx5_0:1"}] = 1;
  look.last_message = 1000;
  look.uptime_seconds = 86400;
  return look;
}

Look later(Look look, double seconds) {
  look.uptime_seconds += seconds;
  look.last_message = look.last_message.value_or(0) + 20;
  look.events.clear();
  return look;
}

Look restarted(Look look) {
  set(look, "host.boot_id", text("boot-2"));
  look.uptime_seconds = 300;
  look.last_message = 900;
  look.events.clear();
  for (auto& [key, value] : look.counters) {
    if (!key.first.starts_with("gpu.remapped_")) value = 0;
  }
  return look;
}

State state_of(const Look& look, const std::string& platform) {
  return {StateKind::kGood, GoodLook{"2026-01-01T00:00:00.000Z", platform, "", look}, ""};
}

Measure shipped_measure() {
  Measure measure;
  measure.rules =
      config::load_comparison(std::string(RACKPROOF_SOURCE_DIR) + "/configs/comparison.json");
  model::PlatformTable hgx;
  hgx.id = "hgx";
  hgx.chain = {"hgx"};
  hgx.recognise = {{"machine.product", text("HGX"), {}, {}, {}},
                   {"gpu.nvml_count", std::int64_t{8}, {}, {}, {}}};
  hgx.expect = {{{"gpu.ecc", true, {}, {}, {}}, model::Severity::kError, "switch it on"}};
  model::PlatformTable any;
  any.id = "any";
  any.chain = {"any"};
  any.generic = true;
  measure.tables = {any, hgx};
  return measure;
}

std::vector<GateReason> deciding(const Decision& decision) {
  std::vector<GateReason> out;
  for (const Finding& finding : decision.findings) {
    if (verdict_of(finding.reason) != Verdict::kOk) out.push_back(finding.reason);
  }
  return out;
}

bool has(const Decision& decision, GateReason reason) {
  return std::any_of(decision.findings.begin(), decision.findings.end(),
                     [reason](const Finding& one) { return one.reason == reason; });
}

}  // namespace rackproof::gate
