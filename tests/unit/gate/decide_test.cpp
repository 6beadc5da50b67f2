#include "harness/gate/decide.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/gate/nodes.hpp"

namespace rackproof::gate {
namespace {

using Reasons = std::vector<GateReason>;

Decision after_good(const Look& now) {
  return decide(now, state_of(sound_look()), shipped_measure());
}

}  // namespace

TEST_CASE("a node that is as it was may get work, and nothing is said") {
  const Decision decision = after_good(later(sound_look()));
  CHECK(decision.verdict() == Verdict::kOk);
  CHECK(decision.findings.empty());
  CHECK(decision.platform == "hgx");
}

TEST_CASE("a first look has nothing to be held against, and says so") {
  const Decision decision = decide(sound_look(), {}, shipped_measure());
  CHECK(decision.verdict() == Verdict::kOk);
  CHECK(has(decision, GateReason::kFirstLook));
}

TEST_CASE("a GPU that is gone is missing, by its UUID and by the table that knew the node") {
  Look now = later(sound_look());
  now.node.devices.erase(now.node.devices.begin() + 3);
  set(now, "gpu.nvml_count", std::int64_t{7});
  set(now, "gpu.count", std::int64_t{7});
  const Decision decision = after_good(now);
  CHECK(deciding(decision) == Reasons{GateReason::kGpuMissing, GateReason::kGpuMissing});
  CHECK(decision.platform == "hgx");
  CHECK(decision.findings[1].part == "GPU-3");
  // On a first look only a table that is named can tell.
  CHECK(decide(now, {}, shipped_measure()).verdict() == Verdict::kOk);
  Measure named = shipped_measure();
  named.tables.erase(named.tables.begin());
  named.named = true;
  CHECK(deciding(decide(now, {}, named)) == Reasons{GateReason::kGpuMissing});
}

TEST_CASE(
    "a GPU that the driver counts and that is mute is bad, until somebody takes it as it is") {
  Look now = later(sound_look());
  set(now, "gpu.silent", text("3: GPU is lost"));
  CHECK(deciding(after_good(now)) == Reasons{GateReason::kGpuSilent});
  CHECK(deciding(decide(now, {}, shipped_measure())) == Reasons{GateReason::kGpuSilent});
  const Decision accepted = decide(later(now), state_of(now), shipped_measure());
  CHECK(accepted.verdict() == Verdict::kOk);
  CHECK(has(accepted, GateReason::kAsBefore));
  set(now, "gpu.silent", text("4: GPU is lost"));
  Look then = sound_look();
  set(then, "gpu.silent", text("3: GPU is lost"));
  CHECK(deciding(decide(now, state_of(then), shipped_measure())) ==
        Reasons{GateReason::kGpuSilent});
}

TEST_CASE("a driver that hangs is one reason, and not one for each fact that it would tell") {
  Look now = later(sound_look());
  now.driver_waited = 40;
  now.node.devices.clear();
  unread(now, "gpu.nvml_count");
  set(now, "gpu.silent", text("no answer in 40 s"));
  const Decision decision = after_good(now);
  CHECK(deciding(decision) == Reasons{GateReason::kDriverSilent});
  CHECK(decision.verdict() == Verdict::kIncomplete);
}

TEST_CASE("GPUs without a driver are bad where there were some, and on a first look") {
  Look now = later(sound_look());
  now.node.devices.clear();
  unread(now, "gpu.nvml_count");
  set(now, "gpu.unmanaged", text("0000:18:00.0"));
  const Decision decision = after_good(now);
  REQUIRE_FALSE(decision.findings.empty());
  CHECK(decision.findings.front().reason == GateReason::kDriverMissing);
  CHECK(decide(now, {}, shipped_measure()).findings.front().reason == GateReason::kDriverMissing);
  // Taken as it is by somebody: a host whose GPUs belong to virtual machines.
  CHECK(decide(later(now), state_of(now, ""), shipped_measure()).verdict() == Verdict::kOk);
}

TEST_CASE("a node without GPUs is well without a driver") {
  Look now = sound_look();
  now.node.devices.clear();
  set(now, "gpu.count", std::int64_t{0});
  unread(now, "gpu.nvml_count");
  CHECK(decide(now, {}, shipped_measure()).verdict() == Verdict::kOk);
  CHECK(decide(later(now), state_of(now, ""), shipped_measure()).verdict() == Verdict::kOk);
}

TEST_CASE("memory that is missing, a narrow link and a port that is down are unlike before") {
  const auto check = [](const auto& change, const char* part) {
    Look now = later(sound_look());
    change(now);
    const Decision decision = after_good(now);
    CHECK(deciding(decision) == Reasons{GateReason::kUnlikeBefore});
    CHECK(decision.findings.front().part == part);
  };
  check([](Look& now) { set(now, "memory.total_bytes", std::int64_t{1'900'000'000'000}); }, "");
  check([](Look& now) { set(now, 2, "gpu.pcie_width_now", std::int64_t{8}); }, "GPU-2");
  check([](Look& now) { set(now, 5, "gpu.nvlinks_active", std::int64_t{17}); }, "GPU-5");
  check([](Look& now) { set(now, "infiniband.mlx5_0.port1.state", text("DOWN")); }, "");
}

TEST_CASE("what matters less is told and drains nothing") {
  Look now = later(sound_look());
  set(now, "gpu.driver_version", text("580.95.05"));
  set(now, 1, "gpu.vbios", text("96.00.a0"));
  const Decision decision = after_good(now);
  CHECK(decision.verdict() == Verdict::kOk);
  CHECK(has(decision, GateReason::kChanged));
}

TEST_CASE("what the table demands is bad, but for what the last good look shows as well") {
  Look now = later(sound_look());
  set(now, 0, "gpu.ecc", false);
  CHECK(has(after_good(now), GateReason::kExpectation));
  Look then = sound_look();
  set(then, 0, "gpu.ecc", false);
  const Decision as_before = decide(now, state_of(then), shipped_measure());
  CHECK(as_before.verdict() == Verdict::kOk);
  CHECK(has(as_before, GateReason::kAsBefore));
}

TEST_CASE("a table that changed since the last good look drains nobody") {
  Measure newer = shipped_measure();
  newer.tables[1].recognise.push_back({"cpu.governor", text("schedutil"), {}, {}, {}});
  const Decision decision = decide(later(sound_look()), state_of(sound_look()), newer);
  CHECK(decision.verdict() == Verdict::kOk);
  CHECK(has(decision, GateReason::kAsBefore));
}

TEST_CASE("memory of a GPU that cannot be replaced is bad on a first look too") {
  Look now = sound_look();
  set(now, 6, "gpu.row_remap_failed", true);
  CHECK(deciding(decide(now, {}, shipped_measure())) == Reasons{GateReason::kRowRemapFailed});
}

TEST_CASE("what the kernel told since the last good look counts, and nothing from before") {
  Look now = later(sound_look());
  const std::uint64_t seen = *sound_look().last_message;
  now.events = {{seen, "xid", model::Severity::kError, "0000:18:00.0", "Xid 79"}};
  CHECK(after_good(now).verdict() == Verdict::kOk);
  now.events.push_back({seen + 1, "xid", model::Severity::kWarning, "0000:19:00.0", "Xid 31"});
  CHECK(after_good(now).verdict() == Verdict::kOk);
  CHECK(has(after_good(now), GateReason::kKernelWarning));
  now.events.push_back({seen + 2, "xid", model::Severity::kError, "0000:1a:00.0", "Xid 48"});
  const Decision decision = after_good(now);
  CHECK(deciding(decision) == Reasons{GateReason::kKernelError});
  CHECK(decision.findings.front().part == "0000:1a:00.0");
  // Of a first look nobody knows what was repaired since.
  CHECK(decide(now, {}, shipped_measure()).verdict() == Verdict::kOk);
}

TEST_CASE("after a new start all of the kernel's log is new, though it counts from the beginning") {
  Look now = restarted(sound_look());
  CHECK(after_good(now).verdict() == Verdict::kOk);
  CHECK(has(after_good(now), GateReason::kRestarted));
  now.events = {{12, "mce", model::Severity::kError, "cpu3", "machine check"}};
  CHECK(deciding(after_good(now)) == Reasons{GateReason::kKernelError});
}

TEST_CASE("a state that cannot be read is no pass, and what is wrong now is said first") {
  State broken{StateKind::kUnreadable, std::nullopt, "node7.json: it is damaged"};
  CHECK(deciding(decide(sound_look(), broken, shipped_measure())) ==
        Reasons{GateReason::kStateUnreadable});
  Look now = sound_look();
  set(now, "gpu.silent", text("3: GPU is lost"));
  const Decision decision = decide(now, broken, shipped_measure());
  CHECK(decision.verdict() == Verdict::kBad);
  CHECK(decision.findings.front().reason == GateReason::kGpuSilent);
}

TEST_CASE("the state of another machine or version makes a first look") {
  for (const StateKind kind : {StateKind::kForeign, StateKind::kOtherVersion}) {
    const Decision decision = decide(sound_look(), {kind, std::nullopt, "why"}, shipped_measure());
    CHECK(decision.verdict() == Verdict::kOk);
    CHECK_FALSE(decision.findings.empty());
  }
}

TEST_CASE("a golden inventory tells fewer GPUs, less memory and narrower links on a first look") {
  Measure measure = shipped_measure();
  measure.golden = sound_look().node;
  measure.golden->host = "golden";
  CHECK(decide(sound_look(), {}, measure).verdict() == Verdict::kOk);
  Look now = sound_look();
  now.node.devices.pop_back();
  CHECK(deciding(decide(now, {}, measure)) == Reasons{GateReason::kGpuMissing});
  now = sound_look();
  set(now, "memory.total_bytes", std::int64_t{1'000'000'000'000});
  set(now, 4, "gpu.pcie_width_now", std::int64_t{4});
  CHECK(deciding(decide(now, {}, measure)) ==
        Reasons{GateReason::kUnlikeGolden, GateReason::kUnlikeGolden});
}

TEST_CASE("a GPU that was exchanged is told, and a partition of one is no loss") {
  Look now = later(sound_look());
  now.node.devices[2].uuid = "GPU-new";
  CHECK(after_good(now).verdict() == Verdict::kOk);
  CHECK(has(after_good(now), GateReason::kGpuReplaced));
  now = later(sound_look());
  model::DeviceFacts part = now.node.devices[2];
  now.node.devices[2].uuid = "MIG-2-0";
  part.uuid = "MIG-2-1";
  now.node.devices.push_back(part);
  set(now, "gpu.nvml_count", std::int64_t{9});
  CHECK(after_good(now).verdict() == Verdict::kOk);
}

}  // namespace rackproof::gate
