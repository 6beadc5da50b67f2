#include "harness/fleet/launch_command.hpp"

#include <catch2/catch.hpp>
#include <sstream>

using namespace rackproof::fleet;

namespace {

using Texts = std::vector<std::string>;

Texts words(const std::string& text) {
  std::istringstream stream(text);
  Texts out;
  for (std::string word; stream >> word;) out.push_back(word);
  return out;
}

const std::vector<HostRanks> kStaying = {{"node1", 2}, {"node3", 2}};
const std::vector<HostRanks> kGone = {{"node2", 2}};

// As it is started again after node2, with two ranks, is lost.
std::string again(const std::string& text, const std::vector<HostRanks>& listed = {}) {
  std::string out;
  for (const auto& word :
       continue_without(parse_launch(words(text)), kStaying, kGone, {"node2"}, listed)) {
    out += (out.empty() ? "" : " ") + word;
  }
  return out;
}

}  // namespace

TEST_CASE("a launch is taken apart") {
  const LaunchCommand command = parse_launch(
      words("timeout 60 /usr/bin/mpirun -n 2 --mca a b wrap.sh x /opt/rackproof run --out rack7"));
  CHECK(command.kind == LaunchCommand::Kind::kMpirun);
  CHECK(command.prefix == words("timeout 60 /usr/bin/mpirun"));
  CHECK(command.options == words("-n 2 --mca a b wrap.sh x"));
  CHECK(command.program == "/opt/rackproof");
  CHECK(command.run == words("--out rack7"));
  CHECK(command.directory == "rack7");
  for (const char* out : {"--out=a/b", "--out a/b", "-o a/b", "-oa/b"}) {
    CHECK(parse_launch(words("srun rackproof run --suite s " + std::string(out))).directory ==
          "a/b");
  }
  CHECK(parse_launch(words("srun rackproof run --resume c")).directory == "c");
}

TEST_CASE("what cannot be continued is refused") {
  const auto refused = [](const char* text) {
    CHECK_THROWS_AS(parse_launch(words(text)), BadLaunch);
  };
  refused("");
  refused("rackproof run --out x");
  refused("mpirun -n 2 rackproof assemble x");
  refused("mpirun -n 2 ./other run --out x");
  refused("mpirun -n 2 rackproof run --suite smoke");
  refused("mpirun -n 1 rackproof run --out x : -n 1 rackproof run --out x");
  refused("mpirun -n 1 rackproof");
}

TEST_CASE("mpirun goes on without a host of its list") {
  CHECK(again("mpirun -n 6 --host node1:2,node2:2,node3:2 rackproof run --suite s --out d") ==
        "mpirun --host node1:2,node3:2 -n 4 rackproof run --resume d --without node2");
  CHECK(again("mpirun -H a,node2.site,b -np 6 rackproof run --hook ./tell --out d") ==
        "mpirun --host a,b -np 4 rackproof run --resume d --without node2 --hook ./tell");
  CHECK(again("mpirun -H a,node2.site,b -np 6 rackproof run --out d --time-budget 9") ==
        "mpirun --host a,b -np 4 rackproof run --resume d --without node2 --time-budget 9");
  CHECK(again("mpirun -H a,node2.site,b -np 6 rackproof run --out d --compress=never") ==
        "mpirun --host a,b -np 4 rackproof run --resume d --without node2 --compress never");
  CHECK(parse_launch(words("mpirun rackproof run --out d --compress=never")).compress == "never");
  CHECK(parse_launch(words("mpirun rackproof run --out d")).compress == "auto");
  CHECK(again("mpirun --map-by ppr:2:node -host node2,node1 rackproof run --out d") ==
        "mpirun --host node1 --map-by ppr:2:node rackproof run --resume d --without node2");
}

TEST_CASE("mpirun is given the hosts that are left where it was given none, or others") {
  CHECK(again("mpirun -n 6 rackproof run --out d") ==
        "mpirun --host node1:2,node3:2 -n 4 rackproof run --resume d --without node2");
  CHECK(again("mpirun -n 6 --host 10.0.0.1:2,10.0.0.2:2,10.0.0.3:2 rackproof run --out d") ==
        "mpirun --host node1:2,node3:2 -n 4 rackproof run --resume d --without node2");
}

TEST_CASE("a hostfile becomes a list without the host") {
  const std::string text = "# the rack\nnode1 slots=4\n\nnode2 slots=4 max_slots=8\nnode3\n";
  const auto listed = parse_hostfile(text);
  REQUIRE(listed.size() == 3);
  CHECK(listed[0].ranks == 4);
  CHECK(listed[2].ranks == 0);
  const std::string command = "mpirun --hostfile rack.txt -n 6 rackproof run --out d";
  CHECK(hostfile_of(parse_launch(words(command))) == "rack.txt");
  CHECK(again(command, listed) ==
        "mpirun --host node1:4,node3 -n 4 rackproof run --resume d --without node2");
}

TEST_CASE("srun goes on without a host") {
  CHECK(again("srun -N3 -n6 --mpi=pmix rackproof run --out d") ==
        "srun --exclude=node2 -N2 -n4 --mpi=pmix rackproof run --resume d --without node2");
  CHECK(again("srun --nodes=3 --ntasks=6 -x node9 rackproof run --out d") ==
        "srun --nodes=2 --ntasks=4 -x node9,node2 rackproof run --resume d --without node2");
  CHECK(again("srun -N 3 -w node[1-3] --exclude=node9 rackproof run --out d") ==
        "srun -N 2 -w node1,node3 --exclude=node9,node2 rackproof run --resume d --without node2");
}

TEST_CASE("without a lost host the launcher is started as it was") {
  const auto command = parse_launch(words("mpirun -n 6 --host a,b rackproof run --out d"));
  CHECK(continue_without(command, kStaying, {}, {"node9"}, {}) ==
        words("mpirun -n 6 --host a,b rackproof run --resume d --without node9"));
}
