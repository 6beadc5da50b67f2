// Ten thousand gates of nodes that are well drain none, and each played fault is found in whatever
// such a node it lies.
#include <catch2/catch.hpp>
#include <functional>
#include <random>

#include "tests/unit/gate/nodes.hpp"

namespace rackproof::gate {
namespace {

using Random = std::mt19937_64;

int draw(Random& random, int most) { return std::uniform_int_distribution<int>(0, most)(random); }

bool once_in(Random& random, int times) { return draw(random, times - 1) == 0; }

// What happens to a node that is well: time goes by, corrected errors are counted, drivers and
// machines start again, the kernel tells of what programs did, firmware is updated, facts cannot be
// read for once.
Look next(Look look, Random& random) {
  look = later(look, 1 + draw(random, 86400));
  for (auto& [key, value] : look.counters) {
    const bool harmless = key.first == "gpu.ecc_corrected" || key.first == "gpu.pcie_replays" ||
                          key.first == "gpu.nvlink_replays" ||
                          key.first == "memory.corrected_errors" ||
                          key.first == "infiniband.link_downs";
    if (harmless && once_in(random, 4)) value += draw(random, 50);
    // Ten a second at most, over a second at least.
    if (key.first == "gpu.nvlink_data_crc_errors" && once_in(random, 10)) value += draw(random, 10);
  }
  if (once_in(random, 20)) {
    set(look, "host.boot_id", "boot-" + std::to_string(random()));
    look.uptime_seconds = 60 + draw(random, 1000);
    look.last_message = 800 + static_cast<std::uint64_t>(draw(random, 500));
  }
  if (once_in(random, 20)) {
    for (auto& [key, value] : look.counters) {
      if (!key.first.starts_with("gpu.remapped_")) value = 0;
    }
  }
  if (once_in(random, 5)) {
    look.events.push_back({*look.last_message, "xid", model::Severity::kWarning, "0000:18:00.0",
                           "Xid 31 of a program"});
  }
  set(look, "gpu.driver_version", once_in(random, 50) ? text("580.95.05") : text("580.65.06"));
  set(look, "cpu.governor", once_in(random, 30) ? text("powersave") : text("performance"));
  set(look, "memory.total_bytes", std::int64_t{2'000'000'000'000} - draw(random, 4) * 1'000'000);
  if (once_in(random, 30)) unread(look, "infiniband.count");
  if (once_in(random, 30)) look.kernel_problem = "the kernel's log cannot be read";
  return look;
}

struct Fault {
  const char* name;
  GateReason reason;
  std::function<void(Look&, std::size_t gpu)> plant;
};

std::vector<Fault> faults() {
  const auto grave = [](const char* kind) {
    return [kind](Look& look, std::size_t) {
      look.last_message = look.last_message.value_or(0) + 1;
      look.events.push_back(
          {*look.last_message, kind, model::Severity::kError, "0000:1a:00.0", "it"});
    };
  };
  const auto count = [](const char* counter) {
    return [counter](Look& look, std::size_t gpu) {
      look.counters[{counter, "GPU-" + std::to_string(gpu)}] += 1;
    };
  };
  return {
      {"a GPU gone", GateReason::kGpuMissing,
       [](Look& look, std::size_t gpu) {
         look.node.devices.erase(look.node.devices.begin() + static_cast<std::ptrdiff_t>(gpu));
         set(look, "gpu.nvml_count", std::int64_t{7});
       }},
      {"a GPU lost", GateReason::kGpuSilent,
       [](Look& look, std::size_t) { set(look, "gpu.silent", text("2: GPU is lost")); }},
      {"a GPU off the driver", GateReason::kGpuSilent,
       [](Look& look, std::size_t) { set(look, "gpu.unmanaged", text("0000:18:00.0")); }},
      {"no driver", GateReason::kDriverMissing,
       [](Look& look, std::size_t) {
         look.node.devices.clear();
         unread(look, "gpu.nvml_count");
       }},
      {"memory missing", GateReason::kUnlikeBefore,
       [](Look& look, std::size_t) {
         set(look, "memory.total_bytes", std::int64_t{1'900'000'000'000});
       }},
      {"a narrow link", GateReason::kUnlikeBefore,
       [](Look& look, std::size_t gpu) { set(look, gpu, "gpu.pcie_width_now", std::int64_t{8}); }},
      {"an NVLink down", GateReason::kUnlikeBefore,
       [](Look& look, std::size_t gpu) { set(look, gpu, "gpu.nvlinks_active", std::int64_t{17}); }},
      {"a port down", GateReason::kUnlikeBefore,
       [](Look& look, std::size_t) { set(look, "infiniband.mlx5_0.port1.state", text("DOWN")); }},
      {"ECC off", GateReason::kExpectation,
       [](Look& look, std::size_t gpu) { set(look, gpu, "gpu.ecc", false); }},
      {"a row that cannot be replaced", GateReason::kRowRemapFailed,
       [](Look& look, std::size_t gpu) { set(look, gpu, "gpu.row_remap_failed", true); }},
      {"an uncorrected ECC error", GateReason::kEccUncorrected, count("gpu.ecc_uncorrected")},
      {"a recovery of an NVLink", GateReason::kNvlinkErrors, count("gpu.nvlink_recoveries")},
      {"an uncorrected error of the host", GateReason::kHostMemory,
       [](Look& look, std::size_t) {
         look.counters[{"memory.uncorrected_errors", "mc0"}] += 1;
       }},
      {"a fatal error on PCIe", GateReason::kPcieErrors,
       [](Look& look, std::size_t) {
         look.counters[{"pcie.fatal_errors", "0000:18:00.0"}] += 1;
       }},
      {"a grave Xid", GateReason::kKernelError, grave("xid")},
      {"a machine check", GateReason::kKernelError, grave("mce")},
      {"another machine", GateReason::kOtherPlatform,
       [](Look& look, std::size_t) { set(look, "machine.product", text("ABC")); }},
  };
}

}  // namespace

TEST_CASE("ten thousand gates of a node that is well drain it never") {
  Random random(20260101);
  const Measure measure = shipped_measure();
  Look look = sound_look();
  State state;
  int unwell = 0;
  for (int i = 0; i < 10'000; ++i) {
    look = next(look, random);
    const Decision decision = decide(look, state, measure);
    if (decision.verdict() != Verdict::kOk) {
      ++unwell;
      UNSCOPED_INFO(decision.findings.front().text);
    }
    // As it is kept and read again.
    state = read_state(state_text({"", decision.platform, "", remembered(look, state)}));
    REQUIRE(state.kind == StateKind::kGood);
    look.kernel_problem.clear();
    set(look, "infiniband.count", std::int64_t{8});
  }
  CHECK(unwell == 0);
}

TEST_CASE("each played fault is found, on whatever node that was well before") {
  Random random(20260102);
  const Measure measure = shipped_measure();
  for (const Fault& fault : faults()) {
    Look look = sound_look();
    for (int i = 0; i < 50; ++i) {
      look = next(look, random);
      set(look, "infiniband.count", std::int64_t{8});
      Look now = next(look, random);
      fault.plant(now, static_cast<std::size_t>(draw(random, 7)));
      const Decision decision = decide(now, state_of(remembered(look, {}), "hgx"), measure);
      INFO(fault.name);
      CHECK(decision.verdict() == Verdict::kBad);
      CHECK(has(decision, fault.reason));
    }
  }
}

}  // namespace rackproof::gate
