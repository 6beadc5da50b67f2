#include <catch2/catch.hpp>
#include <string>

#include "harness/document/located_json.hpp"
#include "harness/topology/formats.hpp"

using namespace rackproof;

namespace {

const std::string kSwitchSection =
    "vendid=0x2c9\n"
    "devid=0xd2f2\n"
    "sysimgguid=0xfc6a1c0300000100\n"
    "switchguid=0xfc6a1c0300000100(fc6a1c0300000100)\n"
    "Switch\t65 \"S-fc6a1c0300000100\"\t\t# \"MF0;leaf1:MQM9700/U1\" enhanced port 0 lid 2 lmc 0\n"
    "[1]\t\"H-a088c20300ab0010\"[1](a088c20300ab0011) \t\t# \"gb-01 mlx5_0\" lid 11 4xNDR\n"
    "[2]\t\"H-a088c20300ab0020\"[1](a088c20300ab0021) \t\t# \"MT4129 ConnectX7   Mellanox "
    "Technologies\" lid 12 4xNDR s=4 w=2 v=4\n"
    "[64]\t\"S-fc6a1c0300000200\"[1]\t\t# \"spine1\" lid 3 4xNDR\n";

const std::string kAdapterSection =
    "\nvendid=0x2c9\n"
    "devid=0x1021\n"
    "sysimgguid=0xa088c20300ab0010\n"
    "caguid=0xa088c20300ab0010\n"
    "Ca\t2 \"H-a088c20300ab0010\"\t\t# \"gb-01 mlx5_0\"\n"
    "[1](a088c20300ab0011) \t\"S-fc6a1c0300000100\"[1]\t\t# lid 11 lmc 0 \"MF0;leaf1:MQM9700/U1\" "
    "lid 2 4xNDR\n"
    "[2](a088c20300ab0012) \t\"S-fc6a1c0300000200\"[7]\t\t# lid 13 lmc 0 \"spine1\" lid 3 4xNDR\n";

std::string discovered(const std::string& sections) {
  return "#\n# Topology file: generated on Thu Nov 26 10:00:00 2026\n#\n"
         "# Initiated from node a088c20300ab0010 port a088c20300ab0011\n\n" +
         sections;
}

auto discovered_in(const std::string& text) {
  return topology::read_ibnetdiscover("fabric.txt", text);
}

}  // namespace

TEST_CASE("ibnetdiscover: adapters with switch, port and GUIDs, told once for both ends") {
  const auto found = discovered_in(discovered(kSwitchSection + kAdapterSection));
  REQUIRE(found.size() == 3);
  CHECK(found[0].host == "gb-01");
  CHECK(found[0].nic == "mlx5_0");
  CHECK(found[0].node_guid == 0xa088c20300ab0010U);
  CHECK(found[0].port_guid == 0xa088c20300ab0011U);
  CHECK(found[0].port == 1);
  CHECK(found[0].leaf == "MF0;leaf1:MQM9700/U1");
  CHECK(found[0].leaf_port == "1");
  CHECK(found[0].line == 11);
  // Nobody named the host of this one: its GUIDs are its names.
  CHECK(found[1].host.empty());
  CHECK(found[1].node_guid == 0xa088c20300ab0020U);
  CHECK(found[1].leaf_port == "2");
  CHECK(found[2].port == 2);
  CHECK(found[2].leaf == "spine1");
  CHECK(found[2].leaf_port == "7");
}

TEST_CASE("ibnetdiscover: the section of an adapter alone is enough, and so is that of a switch") {
  CHECK(discovered_in(discovered(kAdapterSection)).size() == 2);
  CHECK(discovered_in(discovered(kSwitchSection)).size() == 2);
}

TEST_CASE("ibnetdiscover -g: headings of groups and numbers on the outside are passed over") {
  const auto found = discovered_in(
      "Chassis 1 (guid 0xfc6a1c0300000100)\n\n# Spine Nodes\n# Line Nodes\n"
      "switchguid=0x1(1)\t# Line 1\n"
      "Switch\t36 \"S-0000000000000001\"\t\t# \"leaf1\" base port 0 lid 2 lmc 0\n"
      "[1][ext 14]\t\"H-0000000000000002\"[1](3) \t\t# \"gb-01 mlx5_0\" lid 11 4xHDR\n"
      "\nNon-Chassis Nodes\n\ncaguid=0x2\n"
      "Ca\t1 \"H-0000000000000002\"\t\t# \"gb-01 mlx5_0\"\n"
      "[1](3) \t\"S-0000000000000001\"[1][ext 14]\t\t# lid 11 lmc 0 \"leaf1\" lid 2 4xHDR\n"
      "\nrtguid=0x9\nRt\t1 \"R-0000000000000009\"\t\t# \"router\"\n"
      "[1](9) \t\"S-0000000000000001\"[3]\t\t# lid 17 lmc 0 \"leaf1\" lid 2 4xHDR\n");
  REQUIRE(found.size() == 1);
  CHECK(found[0].leaf == "leaf1");
  CHECK(found[0].leaf_port == "1");
}

TEST_CASE("ibnetdiscover: switches that share a name have their GUID in it") {
  const auto found = discovered_in(
      "Switch\t36 \"S-0000000000000001\"\t\t# \"Quantum\" base port 0 lid 2 lmc 0\n"
      "[1]\t\"H-0000000000000011\"[1](11) \t\t# \"gb-01 mlx5_0\" lid 11 4xHDR\n"
      "Switch\t36 \"S-0000000000000002\"\t\t# \"Quantum\" base port 0 lid 3 lmc 0\n"
      "[1]\t\"H-0000000000000012\"[1](12) \t\t# \"gb-02 mlx5_0\" lid 12 4xHDR\n");
  REQUIRE(found.size() == 2);
  CHECK(found[0].leaf == "Quantum 0x0000000000000001");
  CHECK(found[1].leaf == "Quantum 0x0000000000000002");
}

TEST_CASE("ibnetdiscover: what it does not write is told with line and field") {
  CHECK_THROWS_WITH(discovered_in("Switch\t36 \"S-1\"\t\t# \"a\" base\nibwarn: timeout\n"),
                    Catch::Contains("fabric.txt:2: expected a line of ibnetdiscover") &&
                        Catch::Contains("got 'ibwarn: timeout'"));
  CHECK_THROWS_WITH(discovered_in("[1]\t\"S-1\"[1]\t\t# \"a\" lid 1 4xNDR\n"),
                    Catch::Contains("fabric.txt:1: expected a node"));
  const std::string section = "Switch\t36 \"S-1\"\t\t# \"a\" base\n";
  CHECK_THROWS_WITH(discovered_in(section + "[300]\t\"H-2\"[1](3) \t\t# \"b c\" lid 1 4xNDR\n"),
                    Catch::Contains("fabric.txt:2: port: ") && Catch::Contains("255"));
  CHECK_THROWS_WITH(discovered_in(section + "[3]\t\"X-2\"[1](3) \t\t# \"b c\" lid 1 4xNDR\n"),
                    Catch::Contains("fabric.txt:2: node: expected S-, H- or R-"));
  CHECK_THROWS_WITH(discovered_in(section + "[3]\t\"H-2\"[1](3) \t\t# lid 1 4xNDR\n"),
                    Catch::Contains("fabric.txt:2: peer name: "));
  CHECK_THROWS_WITH(
      discovered_in(section + "[3]\t\"H-2\"[1](3) \t\t# \"b c\" lid 1 4xNDR\n" +
                    "[4]\t\"H-2\"[1](3) \t\t# \"b c\" lid 1 4xNDR\n"),
      Catch::Contains("fabric.txt:3: b c is connected to a port 4 here and to a port 3 in "
                      "line 2"));
}
