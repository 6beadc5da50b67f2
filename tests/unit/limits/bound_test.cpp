#include "harness/limits/bound.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/judge/builder.hpp"
#include "tests/unit/judge/cluster.hpp"

using namespace rackproof;
using namespace rackproof::judge_test;
using model::BoundOf;

namespace {

const contract::Parameters kTree = {{"algorithm", std::string("NVLS_TREE")}};
const contract::Parameters kRing = {{"algorithm", std::string("RING")}};

limits::Bound bound(const model::Report& report, BoundOf of = BoundOf::kCollective,
                    const contract::Parameters& shown = kTree) {
  const evidence::Context context(report);
  return limits::bound_of(of, context, report.platforms.at(0), report.cells.at(0), shown);
}

double bus_bandwidth(const Cluster& cluster, const std::string& op,
                     const contract::Parameters& shown = kTree) {
  const limits::Bound most = bound(cluster.report(op + ".busbw"), BoundOf::kCollective, shown);
  CHECK(most.unit == "B/s");
  return most.value;
}

/// One GPU with these facts, and a cell of it.
model::Report with_gpu(const std::map<std::string, contract::Scalar>& facts,
                       const std::string& dtype = "bf16") {
  model::Report report = one_cell();
  report.platforms[0].facts.clear();
  report.nodes = {{kHost, {}, {}}};
  model::DeviceFacts& gpu = report.nodes[0].devices.emplace_back();
  gpu.uuid = "GPU-1";
  for (const auto& [name, value] : facts) gpu.facts[name] = {value, "test", ""};
  report.cells[0].subject = device(kHost, "GPU-1");
  report.cells[0].parameters = {{"dtype", dtype}};
  return report;
}

const std::map<std::string, contract::Scalar> kH100 = {
    {"gpu.compute_capability", std::string("9.0")},
    {"gpu.cores", std::int64_t{16896}},
    {"gpu.sm_clock_hertz", 1.98e9},
    {"gpu.memory_peak_bytes_per_second", 3.352e12},
    {"gpu.pcie_generation", std::int64_t{5}},
    {"gpu.pcie_width", std::int64_t{16}}};

}  // namespace

TEST_CASE("within a domain NVLink bounds every collective") {
  for (const char* op : {"all_reduce", "all_gather", "reduce_scatter", "alltoall", "broadcast"}) {
    CHECK(bus_bandwidth({1, 8}, op) == 450e9);
  }
  Cluster rack{18, 4};
  rack.nvlink_bytes_per_second = 900e9;
  rack.domains.assign(18, "a");
  CHECK(bus_bandwidth(rack, "alltoall") == 900e9);
}

TEST_CASE("between domains what leaves one bounds a ring, and a tree over two of them") {
  CHECK(bus_bandwidth({4, 8}, "all_gather") == 400e9);
  CHECK(bus_bandwidth({4, 8}, "all_reduce") == 400e9);
  CHECK(bus_bandwidth({4, 8}, "broadcast") == 400e9);
  CHECK(bus_bandwidth({4, 8}, "sendrecv") == 50e9);
  // Twice 15 / 16 of 400 GB/s, which NVLink does not carry.
  CHECK(bus_bandwidth({2, 8}, "all_reduce") == 450e9);
  Cluster slow{2, 8};
  slow.nic_bytes_per_second = 25e9;
  CHECK(bus_bandwidth(slow, "all_reduce") == Approx(375e9));
  CHECK(bus_bandwidth(slow, "all_gather") == 200e9);
}

TEST_CASE("over two domains the bound is that of the algorithm that NCCL took") {
  Cluster two{2, 8};
  two.nic_bytes_per_second = 25e9;
  CHECK(bus_bandwidth(two, "all_reduce", kRing) == 200e9);
  CHECK(bus_bandwidth(two, "all_reduce", {{"algorithm", std::string("TREE")}}) == Approx(375e9));
  const limits::Bound unknown =
      bound(two.report("all_reduce.busbw"), BoundOf::kCollective, contract::Parameters{});
  CHECK(unknown.value == 0);
  CHECK_FALSE(unknown.contradictory);
  CHECK(unknown.text.find("which algorithm NCCL took") != std::string::npos);
  // Elsewhere both are bounded alike.
  CHECK(bus_bandwidth({4, 8}, "all_reduce", {}) == 400e9);
  CHECK(bus_bandwidth({2, 8}, "all_gather", {}) == 400e9);
  CHECK(bus_bandwidth({1, 8}, "all_reduce", {}) == 450e9);
}

TEST_CASE("of alltoall only what goes to another domain crosses") {
  // The published asymptotes of AWS P5 over 4 and 8 hosts, 53.9 and 51.1 GB/s, lie below.
  CHECK(bus_bandwidth({4, 8}, "alltoall") == Approx(50e9 * 31 / 24));
  CHECK(bus_bandwidth({8, 8}, "alltoall") == Approx(50e9 * 63 / 56));
  CHECK(bus_bandwidth({2, 1}, "alltoall") == 50e9);
}

TEST_CASE("what is missing is named, and is no bound") {
  Cluster cluster{2, 8};
  cluster.nic_bytes_per_second = 0;
  const limits::Bound without = bound(cluster.report("all_gather.busbw"));
  CHECK(without.value == 0);
  CHECK_FALSE(without.contradictory);
  CHECK(without.text.starts_with("peak.nic_bytes_per_second, or an active"));
  Cluster alone{1, 8};
  alone.nvlink_bytes_per_second = 0;
  CHECK(bound(alone.report("all_gather.busbw")).text ==
        "peak.nvlink_bytes_per_second is not known");
  for (const auto& [of, fact] :
       {std::pair(BoundOf::kPcie, "gpu.pcie_width"), std::pair(BoundOf::kGpuFlops, "gpu.cores"),
        std::pair(BoundOf::kGpuMemory, "gpu.memory_peak_bytes_per_second"),
        std::pair(BoundOf::kGpuFlops, "gpu.sm_clock_hertz"),
        std::pair(BoundOf::kGpuFlops, "gpu.compute_capability")}) {
    auto facts = kH100;
    facts.erase(fact);
    CHECK(bound(with_gpu(facts), of).text == std::string(fact) + " is not known");
    facts[fact] = std::int64_t{0};
    if (std::string(fact) != "gpu.compute_capability") {
      CHECK(bound(with_gpu(facts), of).text == std::string(fact) + " is not known");
    }
  }
}

TEST_CASE("a host's memory and a GPU's NVLink are bounds where they are known") {
  model::Report report = one_cell();
  report.platforms[0].facts.clear();
  report.nodes = {{kHost, {}, {}}};
  CHECK(bound(report, BoundOf::kHostMemory).text == "memory.peak_bytes_per_second is not known");
  report.nodes[0].facts["memory.peak_bytes_per_second"] = {614.4e9, "test", ""};
  CHECK(bound(report, BoundOf::kHostMemory).value == 614.4e9);
  CHECK(bound(report, BoundOf::kHostMemory).unit == "B/s");
  CHECK(bound(report, BoundOf::kNvlink).text == "peak.nvlink_bytes_per_second is not known");
  report.platforms[0].facts["peak.nvlink_bytes_per_second"] = 450e9;
  CHECK(bound(report, BoundOf::kNvlink).value == 450e9);
}

TEST_CASE("ranks that make no sense are no bound, and say so") {
  model::Report report = Cluster{2, 8}.report("all_gather.busbw");
  report.cells[0].parameters["ranks"] = std::int64_t{15};
  CHECK(bound(report).contradictory);
  report.cells[0].parameters.erase("ranks");
  CHECK_FALSE(bound(report).contradictory);
  CHECK(bound(report).value == 0);
}

TEST_CASE("a GPU's memory, and half of it for what is copied within") {
  CHECK(bound(with_gpu(kH100), BoundOf::kGpuMemory).value == 3.352e12);
  CHECK(bound(with_gpu(kH100), BoundOf::kGpuCopy).value == 1.676e12);
}

TEST_CASE("multiprocessors, clock and type give what an H100 does at its highest clock") {
  const limits::Bound bf16 = bound(with_gpu(kH100), BoundOf::kGpuFlops);
  CHECK(bf16.value == Approx(132 * 1.98e9 * 4096));
  CHECK(bf16.unit == "FLOP/s");
  CHECK(bound(with_gpu(kH100, "int8"), BoundOf::kGpuFlops).unit == "OP/s");
  const limits::Bound unknown = bound(with_gpu(kH100, "nvfp4"), BoundOf::kGpuFlops);
  CHECK(unknown.value == 0);
  CHECK(unknown.text == "how much nvfp4 a GPU of compute capability 9.0 does a clock is not known");
}

TEST_CASE("a PCIe link carries what its generation and width say") {
  CHECK(bound(with_gpu(kH100), BoundOf::kPcie).value == Approx(63.015e9).epsilon(1e-4));
  auto facts = kH100;
  facts["gpu.pcie_generation"] = std::int64_t{4};
  CHECK(bound(with_gpu(facts), BoundOf::kPcie).value == Approx(31.508e9).epsilon(1e-4));
  facts["gpu.pcie_generation"] = std::int64_t{9};
  CHECK(bound(with_gpu(facts), BoundOf::kPcie).contradictory);
}

TEST_CASE(
    "a pair has what a GPU sends, or its share of the network, and both ways are twice that") {
  const auto pair = [](const Cluster& cluster, const std::string& direction) {
    model::Report report = cluster.report("pairs.bandwidth_worst");
    report.cells[0].parameters["direction"] = direction;
    return bound(report, BoundOf::kPair, {}).value;
  };
  CHECK(pair({1, 8}, "one") == 450e9);
  CHECK(pair({1, 8}, "both") == 900e9);
  CHECK(pair({2, 8}, "one") == 50e9);
}

TEST_CASE(
    "the time of a small message is NCCL's own prediction, and its bandwidth follows from it") {
  const limits::Bound time = bound(Cluster{1, 8}.report("all_reduce.time", 8), BoundOf::kNcclModel);
  CHECK(time.unit == "s");
  CHECK(time.value == Approx(15e-6).epsilon(1e-3));
  const limits::Bound rate =
      bound(Cluster{1, 8}.report("all_reduce.busbw", 8), BoundOf::kNcclModel);
  CHECK(rate.unit == "B/s");
  CHECK(rate.value == Approx(8 * 1.75 / time.value));
  // Over 16 hosts a tree of four levels.
  CHECK(bound(Cluster{16, 8}.report("all_reduce.time", 8), BoundOf::kNcclModel).value ==
        Approx(55.2e-6).epsilon(1e-3));
  // A large one has what its links carry.
  CHECK(bound(Cluster{1, 8}.report("all_gather.busbw"), BoundOf::kNcclModel).value ==
        Approx(450e9).epsilon(0.01));
  CHECK(bound(Cluster{1, 8}.report("copy.h2d"), BoundOf::kNcclModel).value == 0);
}

TEST_CASE(
    "the latency of GPUs without NVLink is that of half their PCIe links, and no bandwidth is") {
  Cluster cluster{1, 4};
  cluster.nvlink_bytes_per_second = 0;
  model::Report report = cluster.report("all_gather.time");
  CHECK(bound(report, BoundOf::kNcclModel).text == "gpu.pcie_generation is not known");
  for (model::NodeInventory& node : report.nodes) {
    for (model::DeviceFacts& gpu : node.devices) {
      gpu.facts["gpu.pcie_generation"] = {std::int64_t{4}, "test", ""};
      gpu.facts["gpu.pcie_width"] = {std::int64_t{16}, "test", ""};
    }
  }
  const double bytes = 8.0 * (1 << 30) * 3 / 4;
  CHECK(bound(report, BoundOf::kNcclModel).value == Approx(bytes / 15.75e9).epsilon(0.01));
  report.nodes[0].devices[3].facts["gpu.pcie_width"] = {std::int64_t{8}, "test", ""};
  CHECK(bound(report, BoundOf::kNcclModel).value == Approx(bytes / 7.88e9).epsilon(0.01));
  report.cells[0].metric = "all_gather.busbw";
  CHECK(bound(report, BoundOf::kNcclModel).text == "peak.nvlink_bytes_per_second is not known");
}

TEST_CASE("a host's cores are its bound, half of them where they may be threads") {
  model::Report report = one_cell();
  report.platforms[0].facts.clear();
  report.nodes = {{kHost, {}, {}}};
  report.cells[0].parameters = {{"dtype", std::string("fp64")}};
  CHECK(bound(report, BoundOf::kHostFlops).text == "cpu.peak_flops_fp64 is not known");
  report.nodes[0].facts["cpu.peak_flops_fp64"] = {2e12, "test", ""};
  CHECK(bound(report, BoundOf::kHostFlops).value == 2e12);
  CHECK(bound(report, BoundOf::kHostFlops).unit == "FLOP/s");
  report.nodes[0].facts["machine.virtual"] = {false, "test", ""};
  CHECK(bound(report, BoundOf::kHostFlops).value == 2e12);
  report.nodes[0].facts["machine.virtual"] = {true, "test", ""};
  CHECK(bound(report, BoundOf::kHostFlops).value == 1e12);
}

TEST_CASE("a GPU's power limit bounds its power") {
  auto facts = kH100;
  facts["gpu.power_limit_watts"] = 700.0;
  const limits::Bound power = bound(with_gpu(facts), BoundOf::kGpuPower);
  CHECK(power.value == 700);
  CHECK(power.unit == "W");
}
