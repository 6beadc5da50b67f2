#include "harness/evidence/topology.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/judge/builder.hpp"
#include "tests/unit/judge/cluster.hpp"

using namespace rackproof;
using namespace rackproof::judge_test;

namespace {

evidence::Topology topology(const model::Report& report) {
  const evidence::Context context(report);
  return evidence::topology_of(context, report.platforms.at(0), report.cells.at(0));
}

}  // namespace

TEST_CASE("a host is a domain where its GPUs say nothing") {
  const evidence::Topology all = topology(Cluster{4, 8}.report("all_reduce.busbw"));
  CHECK(all.gpus == 32);
  CHECK(all.domains == 4);
  CHECK(all.domain_gpus == 8);
  CHECK(all.nvlink_bytes_per_second == 450e9);
  CHECK(all.network_bytes_per_second == 50e9);
  CHECK(all.contradiction.empty());
}

TEST_CASE("hosts whose GPUs joined one NVLink domain are one, and the smallest counts") {
  Cluster cluster{6, 4};
  cluster.domains = {"a", "a", "a", "a", "b", "b"};
  const evidence::Topology all = topology(cluster.report("all_gather.busbw"));
  CHECK(all.domains == 2);
  CHECK(all.domain_gpus == 8);
  cluster.domains.assign(6, "a");
  const evidence::Topology one = topology(cluster.report("all_gather.busbw"));
  CHECK(one.domains == 1);
  CHECK(one.domain_gpus == 24);
}

TEST_CASE("without a table's figure the ports of the worst host say what the network takes") {
  Cluster cluster{2, 8};
  cluster.nic_bytes_per_second = 0;
  SECTION("nothing where a host has none") {
    CHECK(topology(cluster.report("all_reduce.busbw")).network_bytes_per_second == 0);
  }
  SECTION("the share of a GPU where GPUs are more than ports") {
    cluster.ports = {400e9, 400e9, 400e9, 400e9};
    CHECK(topology(cluster.report("all_reduce.busbw")).network_bytes_per_second == 25e9);
  }
  SECTION("one port a GPU where some are for something else") {
    cluster.ports.assign(10, 400e9);
    CHECK(topology(cluster.report("all_reduce.busbw")).network_bytes_per_second == 50e9);
  }
  SECTION("and not those that are down") {
    cluster.ports.assign(8, 400e9);
    model::Report report = cluster.report("all_reduce.busbw");
    for (int port = 0; port < 4; ++port) {
      report.nodes[1].facts["infiniband.mlx5_" + std::to_string(port) + ".port1.state"] = {
          contract::Scalar(std::string("DOWN")), "test", ""};
    }
    CHECK(topology(report).network_bytes_per_second == 25e9);
  }
}

TEST_CASE("ranks that hosts cannot share equally contradict each other") {
  model::Report report = Cluster{2, 8}.report("all_reduce.busbw");
  report.cells[0].parameters["ranks"] = std::int64_t{15};
  CHECK(topology(report).contradiction == "15 ranks are not equally many on each of 2 hosts");
  report.cells[0].parameters["ranks"] = std::int64_t{1};
  CHECK_FALSE(topology(report).contradiction.empty());
  report.cells[0].parameters.erase("ranks");
  CHECK(topology(report).gpus == 0);
}
