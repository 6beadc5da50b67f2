#include "harness/gate/drain.hpp"

#include <catch2/catch.hpp>

namespace rackproof::gate {
namespace {

Finding missing(const std::string& text = "it is gone") {
  return {GateReason::kGpuMissing, "GPU-3", text, ""};
}

}  // namespace

TEST_CASE("the reason begins with what it is and names the part") {
  CHECK(scheduler_reason({missing()}) == "rackproof: gpu-missing: GPU-3: it is gone");
  CHECK(scheduler_reason({missing(), missing(), {GateReason::kFirstLook, "", "", ""}}) ==
        "rackproof: gpu-missing: GPU-3: it is gone, and 1 more");
  CHECK(scheduler_reason({{GateReason::kFirstLook, "", "first", ""}}).empty());
}

TEST_CASE("a reason is one short line of harmless letters, whatever a driver says") {
  const std::string reason = scheduler_reason(
      {missing("a\nb \"c\" 'd' $(e) `f` \\ \xc3\xa9; " + std::string(1000, 'x')), missing()});
  CHECK(reason.size() == kLongestReason);
  CHECK(reason.ends_with("..., and 1 more"));
  CHECK(reason.find_first_of("\n\"'`$\\") == std::string::npos);
}

TEST_CASE("the node is Slurm's name of it, else the host's, and never a list of nodes") {
  CHECK(node_name({{"SLURMD_NODENAME", "n7"}}, "rack7.example.org") == "n7");
  CHECK(node_name({}, "rack7.example.org") == "rack7");
  CHECK_FALSE(node_name({{"SLURMD_NODENAME", "n[1-9]"}}, "rack7"));
  for (const char* many : {"", "n1,n2", "n[1-2]", "ALL", "-n", "n 1", "n1\n"}) {
    CHECK_FALSE(is_one_node(many));
  }
}

TEST_CASE("the command has its words apart, and a line for people to type") {
  CHECK(drain_command("/usr/bin/scontrol", "n7", "rackproof: x") ==
        std::vector<std::string>{"/usr/bin/scontrol", "update", "NodeName=n7", "State=DRAIN",
                                 "Reason=rackproof: x"});
  CHECK(drain_line("n7", "rackproof: x") ==
        "scontrol update NodeName=n7 State=DRAIN Reason='rackproof: x'");
  CHECK(state_command("/usr/bin/scontrol", "n7").back() == "--oneliner");
}

TEST_CASE("a node that is set aside already is known by its state alone") {
  CHECK(is_drained("NodeName=n7 CPUAlloc=0 State=IDLE+DRAIN ThreadsPerCore=1 Reason=moved"));
  CHECK_FALSE(is_drained("NodeName=n7 State=MIXED Comment=DRAIN Reason=DRAIN"));
  CHECK_FALSE(is_drained(""));
}

}  // namespace rackproof::gate
