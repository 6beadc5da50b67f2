#include "benches/kit/nccl/log.hpp"

#include <catch2/catch.hpp>

using namespace rackproof;
using namespace rackproof::kit::nccl;

namespace {

// Lines as NCCL 2.28's format strings make them.
constexpr const char* kBringUp =
    "node1:4711:4711 [0] NCCL INFO NCCL version 2.28.9+cuda13.0\n"
    "node1:4711:4720 [0] NCCL INFO Using network IB\n"
    "node1:4711:4720 [0] NCCL INFO NVLS multicast support is available on dev 0 (NVLS_NCHANNELS "
    "16)\n"
    "node1:4711:4720 [0] NCCL INFO comm 0x55d0 rank 0 nRanks 16 nNodes 2 localRanks 8 localRank 0 "
    "MNNVL 0\n"
    "node1:4711:4720 [0] NCCL INFO Channel 00/0 : 8[0] -> 0[0] [receive] via NET/IB/0/GDRDMA\n"
    "node1:4711:4720 [0] NCCL INFO Channel 01/0 : 0[0] -> 8[0] [send] via NET/IB/3(1)/GDRDMA\n"
    "node1:4711:4720 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM\n"
    "node1:4711:4720 [0] NCCL INFO Channel 01/0 : 0[0] -> 1[1] via P2P/CUMEM\n"
    "node1:4711:4720 [0] NCCL INFO Channel 02/0 : 0[0] -> 1[1] via P2P/direct pointer/read\n"
    "node1:4711:4720 [0] NCCL INFO Channel 02 : 0[0] -> 1[1] via SHM/direct/direct\n"
    "node1:4711:4720 [0] NCCL INFO 24 coll channels, 24 collnet channels, 16 nvls channels, 32 p2p "
    "channels, 2 p2p channels per peer\n"
    "some line of another program\n";

template <class T>
T get(const contract::Parameters& facts, const char* name) {
  REQUIRE(facts.contains(name));
  return std::get<T>(facts.at(name));
}

}  // namespace

TEST_CASE("what NCCL made of a group is read from its log") {
  const contract::Parameters facts = to_facts(parse_log(kBringUp));
  CHECK(get<std::int64_t>(facts, "nodes") == 2);
  CHECK(get<std::int64_t>(facts, "coll_channels") == 24);
  CHECK(get<std::int64_t>(facts, "nvls_channels") == 16);
  CHECK(get<std::int64_t>(facts, "p2p_channels") == 32);
  CHECK(get<bool>(facts, "nvls"));
  CHECK(get<bool>(facts, "multicast"));
  CHECK_FALSE(get<bool>(facts, "mnnvl"));
  CHECK(get<std::string>(facts, "network") == "IB");
  CHECK(get<std::string>(facts, "transports") ==
        "NET/IB/GDRDMA x2, P2P/CUMEM x2, P2P/direct pointer/read x1, SHM/direct/direct x1");
}

TEST_CASE("what a table can demand of a group is told where the log tells it") {
  const contract::Parameters all = to_conditions(parse_log(kBringUp));
  CHECK(all ==
        contract::Parameters{
            {"network", std::string("IB")}, {"nvls", true}, {"mnnvl", false}, {"gdr", true}});
  CHECK(to_conditions(parse_log("")).empty());
}

TEST_CASE("one connection beside the memory of the GPU is no GPUDirect RDMA") {
  const std::string text = std::string(kBringUp) +
                           "n:1:1 [0] NCCL INFO Channel 02/0 : 8[0] -> 0[0] [receive] via "
                           "NET/IB/5/Shared\n";
  CHECK_FALSE(get<bool>(to_conditions(parse_log(text)), "gdr"));
}

TEST_CASE("names of network plugins may have blanks") {
  const Log log = parse_log(
      "n:1:1 [0] NCCL INFO Using network AWS Libfabric\n"
      "n:1:1 [0] NCCL INFO Channel 00/0 : 8[0] -> 0[0] [receive] via NET/AWS Libfabric/0/GDRDMA\r\n"
      "n:1:1 [0] NCCL INFO Channel 01 : 0[1b000] -> 1[1c000] via P2P/IPC/read comm 0x55d0 nRanks 8"
      "\n");
  CHECK(log.network == "AWS Libfabric");
  CHECK(log.transports ==
        std::map<std::string, int>{{"NET/AWS Libfabric/GDRDMA", 1}, {"P2P/IPC/read", 1}});
  CHECK(get<bool>(to_conditions(log), "gdr"));
}

TEST_CASE("multicast counts only where every device has it") {
  const std::string text =
      "n:1:1 [0] NCCL INFO NVLS multicast support is not available on dev 0 (NVLS_NCHANNELS 0)\n"
      "n:1:1 [1] NCCL INFO NVLS multicast support is available on dev 1 (NVLS_NCHANNELS 16)\n";
  CHECK_FALSE(get<bool>(to_facts(parse_log(text)), "multicast"));
}

TEST_CASE("the algorithm and protocol of each launch are read in order") {
  const std::string text =
      "n:1:1 [0] NCCL INFO AllReduce: 4 Bytes -> Algo TREE proto LL channel{Lo..Hi}={0..0}\n"
      "n:1:1 [0] NCCL INFO AllReduce: 1048576 Bytes -> Algo NVLS proto SIMPLE "
      "channel{Lo..Hi}={0..15}\r\n"
      "n:1:1 [0] NCCL INFO AllGather [Symmetric]: 2048 Bytes -> Kernel AllGather_LL nchannels 4 "
      "nthreads 512 nWorks 1\n";
  const Log log = parse_log(text);
  REQUIRE(log.choices.size() == 3);
  CHECK(log.choices[0].operation == "AllReduce");
  CHECK(log.choices[0].bytes == 4);
  CHECK(log.choices[0].algorithm == "TREE");
  CHECK(log.choices[0].protocol == "LL");
  CHECK(log.choices[0].channels == 1);
  CHECK(log.choices[1].bytes == 1048576);
  CHECK(get<std::string>(to_facts(log.choices[1]), "algorithm") == "NVLS");
  CHECK(get<std::string>(to_facts(log.choices[1]), "protocol") == "SIMPLE");
  CHECK(get<std::int64_t>(to_facts(log.choices[1]), "channels") == 16);
  CHECK(log.choices[2].operation == "AllGather");
  CHECK(log.choices[2].algorithm == "SYMMETRIC");
  CHECK(log.choices[2].protocol == "AllGather_LL");
  CHECK(log.choices[2].channels == 4);
}

TEST_CASE("what is not said is not told and broken lines are passed over") {
  CHECK(to_facts(parse_log("")).empty());
  const std::string broken =
      "NCCL INFO AllReduce: many Bytes -> Algo RING proto LL channel{Lo..Hi}={0..1}\n"
      "NCCL INFO AllReduce: 8 Bytes -> Algo RING proto LL channel{Lo..Hi}={0\n"
      "NCCL INFO x -> Kernel y\n"
      "NCCL INFO 24 coll channels, x collnet channels\n"
      "NCCL INFO comm 0x1 rank 0 nRanks 2 nNodes\n"
      "NCCL INFO Channel 00/0 : 0[0] -> 1[1] via \n"
      "NCCL INFO Using network \n"
      "Using network IB\n"
      "NCCL INFO ";
  const Log log = parse_log(broken);
  CHECK(log.choices.empty());
  CHECK(log.coll_channels == -1);
  CHECK(log.nodes == -1);
  CHECK(log.network.empty());
  CHECK(log.transports.empty());
}
