#include "harness/telemetry/kernel_lines.hpp"

#include <catch2/catch.hpp>

#include "reports/model/words.hpp"

namespace rackproof::telemetry {
namespace {

struct Known {
  const char* text;
  const char* kind;
  const char* severity;
  const char* device;
  int code;
};

// As kernels and drivers write them.
constexpr Known kKnown[] = {
    {"NVRM: Xid (PCI:0000:41:00): 79, pid=1234, name=python3, GPU has fallen off the bus.", "xid",
     "error", "0000:41:00", 79},
    {"NVRM: Xid (PCI:0000:C3:00.0): 13, pid='<unknown>', name=<unknown>, Graphics SM Warp "
     "Exception",
     "xid", "warning", "0000:c3:00.0", 13},
    {"NVRM: Xid (PCI:0000:1b:00): 48, Double Bit ECC Error", "xid", "error", "0000:1b:00", 48},
    {"NVRM: GPU 0000:41:00.0: GPU has fallen off the bus.", "gpu-lost", "error", "0000:41:00.0", 0},
    {"nvidia-nvswitch3: SXid (PCI:0000:c3:00.0): 12028, Non-fatal, Link 32 egress non-posted PRIV "
     "error",
     "sxid", "warning", "0000:c3:00.0", 12028},
    {"nvidia-nvswitch0: SXid (PCI:0000:c1:00.0): 20034, Fatal, Link 30 LTSSM Fault Up", "sxid",
     "error", "0000:c1:00.0", 20034},
    {"nvidia 0000:41:00.0: PCIe Bus Error: severity=Corrected, type=Physical Layer, (Receiver ID)",
     "aer", "info", "0000:41:00.0", 0},
    {"mlx5_core 0000:17:00.0: PCIe Bus Error: severity=Correctable, type=Data Link Layer", "aer",
     "info", "0000:17:00.0", 0},
    {"pcieport 0000:16:01.0: PCIe Bus Error: severity=Uncorrected (Non-Fatal), type=Transaction "
     "Layer, (Requester ID)",
     "aer", "warning", "0000:16:01.0", 0},
    {"pcieport 0000:16:01.0: PCIe Bus Error: severity=Uncorrected (Fatal), type=Transaction Layer",
     "aer", "error", "0000:16:01.0", 0},
    {"pcieport 0000:16:01.0: PCIe Bus Error: severity=Uncorrectable (Fatal), type=Inaccessible",
     "aer", "error", "0000:16:01.0", 0},
    {"pcieport 0000:16:01.0: AER: device recovery failed", "aer", "error", "0000:16:01.0", 0},
    {"EDAC MC0: 1 CE memory read error on CPU_SrcID#0_MC#0_Chan#1_DIMM#0 (channel:1 slot:0)",
     "edac", "warning", "mc0", 0},
    {"EDAC MC3: 1 UE memory scrubbing error on unknown memory", "edac", "error", "mc3", 0},
    {"mce: [Hardware Error]: CPU 3: Machine Check Exception: 5 Bank 4: be00000000800400", "mce",
     "error", "cpu3", 0},
    {"mce: [Hardware Error]: CPU 17: Machine Check: 0 Bank 7: 8c00004000010090", "mce", "warning",
     "cpu17", 0},
    {"mce: [Hardware Error]: Machine check events logged", "mce", "warning", "", 0},
    {"[Hardware Error]: Corrected error, no action required.", "mce", "warning", "", 0},
    {"[Hardware Error]: Uncorrected, software restartable error.", "mce", "error", "", 0},
    {"mlx5_core 0000:98:00.0 ens2f0np0: Link down", "link", "warning", "ens2f0np0", 0},
    {"mlx5_core 0000:98:00.0 ens2f0np0: Link up", "link", "info", "ens2f0np0", 0},
    {"ixgbe 0000:01:00.0 eth0: NIC Link is Down", "link", "warning", "eth0", 0},
    {"ixgbe 0000:01:00.0 eth0: NIC Link is Up 10 Gbps, Flow Control: RX/TX", "link", "info", "eth0",
     0},
    {"e1000e 0000:00:1f.6 eno1: NIC Link is Down", "link", "warning", "eno1", 0},
    {"igb 0000:04:00.0: enp4s0 NIC Link is Down", "link", "warning", "enp4s0", 0},
    {"tg3 0000:02:00.0 eth1: Link is down", "link", "warning", "eth1", 0},
    {"infiniband mlx5_0: Port: 1 Link DOWN", "link", "warning", "mlx5_0", 0},
    {"infiniband mlx5_0: Port: 1 Link ACTIVE", "link", "info", "mlx5_0", 0},
    {"Out of memory: Killed process 4321 (stream-host) total-vm:1kB, anon-rss:1kB", "oom",
     "warning", "", 0},
    {"Memory cgroup out of memory: Killed process 99 (burn-host) total-vm:1kB", "oom", "warning",
     "", 0},
    {"INFO: task nvidia-smi:4321 blocked for more than 120 seconds.", "hung-task", "warning", "",
     0},
    {"watchdog: BUG: soft lockup - CPU#7 stuck for 22s! [gemm-host:77]", "hung-task", "warning",
     "cpu7", 0},
    {"mce: CPU12: Core temperature above threshold, cpu clock throttled (total events = 1)",
     "thermal", "warning", "cpu12", 0},
    {"CPU0: Package temperature above threshold, cpu clock throttled (total events = 7)", "thermal",
     "warning", "cpu0", 0},
};

std::optional<Event> said(const std::string& text) { return event_in("4,17,5140900,-;" + text); }

}  // namespace

TEST_CASE("known lines of the kernel are events") {
  for (const Known& known : kKnown) {
    INFO(known.text);
    const auto event = said(known.text);
    REQUIRE(event);
    CHECK(event->kind == known.kind);
    CHECK(contract::word(event->severity) == known.severity);
    CHECK(event->device == known.device);
    CHECK(event->code == known.code);
    CHECK(event->text == known.text);
    CHECK(event->monotonic_ns == 5140900000);
    CHECK(event->count == 1);
  }
}

TEST_CASE("other lines of the kernel are none") {
  for (const char* text :
       {"", "br0: port 2(port2) entered blocking state",
        "IPv6: ADDRCONF(NETDEV_CHANGE): veth1: link becomes ready", "NVRM: Xid (PCI:): 79",
        "NVRM: Xid (PCI:0000:41:00): many", "NVRM: loading NVIDIA UNIX x86_64 Kernel Module",
        "EDAC MC0: Giving out device to module skx_edac controller", "EDAC MC0: 1 CE",
        "a (b): Link down", "mce: CPU12: Core temperature/speed normal", "CPU: Core temperature"}) {
    INFO(text);
    CHECK_FALSE(said(text));
  }
}

TEST_CASE("only whole records of the kernel itself are read") {
  const std::string xid = "NVRM: Xid (PCI:0000:41:00): 79, x";
  CHECK(event_in("0,1,2,-;" + xid));
  CHECK(event_in("6,1,2,c,caller=T1;" + xid));
  // Written into /dev/kmsg by a program.
  CHECK_FALSE(event_in("12,1,2,-;" + xid));
  for (const std::string head :
       {"", ";", "4;", "4,1;", "4,1,2;", "4,1,x,-;", "-4,1,2,-;", " SUBSYSTEM=pci;",
        "4,1,99999999999999999999,-;", "4,1,18446744073709551615,-;", "4,1,2,-"}) {
    INFO(head);
    CHECK_FALSE(event_in(head + xid));
  }
}

TEST_CASE("the text of an event is one line that can be shown") {
  const auto event = said("EDAC MC0: 1 UE \x1b[31m\xff\t" + std::string(1000, 'x'));
  REQUIRE(event);
  CHECK(event->text.starts_with("EDAC MC0: 1 UE ?[31m? x"));
  CHECK(event->text.size() <= 303);
}

}  // namespace rackproof::telemetry
