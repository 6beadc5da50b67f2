#include <catch2/catch.hpp>
#include <string>

#include "harness/document/located_json.hpp"
#include "harness/topology/formats.hpp"

using namespace rackproof;

namespace {

const std::string kUp = "==( 4X        53.125 Gbps Active/  LinkUp)==>";

const std::string kSwitchBlock =
    "Switch: 0xfc6a1c0300000100 leaf1:\n"
    "           2    1[  ] " +
    kUp +
    "      11    1[  ] \"gb-01 mlx5_0\" ( )\n"
    "           2    2[  ] " +
    kUp +
    "      12    1[  ] \"gb-01 mlx5_1\" ( Could be 106.25 Gbps)\n"
    "           2    3[  ] ==(                Down/ Polling)==>             [  ] \"\" ( )\n"
    "           2   64[  ] " +
    kUp +
    "       3    1[  ] \"spine1\" ( )\n"
    "Switch: 0xfc6a1c0300000200 spine1:\n"
    "           3    1[  ] " +
    kUp + "       2   64[  ] \"leaf1\" ( )\n";

const std::string kAdapterBlock =
    "CA: gb-01 mlx5_0:\n"
    "      0xa088c20300ab0011     11    1[  ] " +
    kUp + "       2    1[  ] \"leaf1\" ( )\n";

auto linked_in(const std::string& text) { return topology::read_iblinkinfo("links.txt", text); }

}  // namespace

TEST_CASE("iblinkinfo: with both ends in the file the adapter's is taken, with its GUID") {
  const auto found = linked_in(kAdapterBlock + kSwitchBlock);
  REQUIRE(found.size() == 1);
  CHECK(found[0].host == "gb-01");
  CHECK(found[0].nic == "mlx5_0");
  CHECK(found[0].port_guid == 0xa088c20300ab0011U);
  CHECK(found[0].leaf == "leaf1");
  CHECK(found[0].leaf_port == "1");
  CHECK(found[0].line == 2);
}

TEST_CASE("iblinkinfo --switches-only: adapters by name, links between switches left out") {
  const auto found = linked_in(kSwitchBlock);
  REQUIRE(found.size() == 2);
  CHECK(found[1].host == "gb-01");
  CHECK(found[1].nic == "mlx5_1");
  CHECK_FALSE(found[1].port_guid);
  CHECK(found[1].leaf == "leaf1");
  CHECK(found[1].leaf_port == "2");
}

TEST_CASE("iblinkinfo --cas-only: what is at the other end is a switch, unless it is an adapter") {
  const auto found =
      linked_in(kAdapterBlock + "CA: a mlx4_0:\n      0x21     21    1[  ] " + kUp +
                "      22    1[  ] \"b mlx4_0\" ( )\nCA: b mlx4_0:\n      0x22     22    1[  ] " +
                kUp + "      21    1[  ] \"a mlx4_0\" ( )\n");
  REQUIRE(found.size() == 1);
  CHECK(found[0].leaf == "leaf1");
  const auto line =
      linked_in("0xa088c20300ab0011 \"                  gb-01 mlx5_0\"     11    1[  ] " + kUp +
                "  0xfc6a1c0300000100      2    7[  ] \"leaf1\" ( )\n");
  REQUIRE(line.size() == 1);
  CHECK(line[0].leaf_port == "7");
}

TEST_CASE("iblinkinfo -l: switches are those whose ports share a GUID") {
  const auto found =
      linked_in("0xfc6a1c0300000100 \"                         leaf1\"      2    1[  ] " + kUp +
                "  0xa088c20300ab0011     11    1[  ] \"gb-01 mlx5_0\" ( )\n"
                "0xfc6a1c0300000100 \"                         leaf1\"      2    2[  ] "
                "==(                Down/ Polling)==>             [  ] \"\" ( )\n"
                "0xfc6a1c0300000100 \"                         leaf1\"      2   64[  ] " +
                kUp +
                "  0xfc6a1c0300000200      3    1[  ] \"spine1\" ( )\n"
                "0xfc6a1c0300000200 \"                        spine1\"      3    1[  ] " +
                kUp +
                "  0xfc6a1c0300000100      2   64[  ] \"leaf1\" ( )\n"
                "0xfc6a1c0300000200 \"                        spine1\"      3    2[  ] "
                "==(                Down/ Polling)==>             [  ] \"\" ( )\n"
                "0xa088c20300ab0011 \"                  gb-01 mlx5_0\"     11    1[  ] " +
                kUp + "  0xfc6a1c0300000100      2    1[  ] \"leaf1\" ( )\n");
  REQUIRE(found.size() == 1);
  CHECK(found[0].host == "gb-01");
  CHECK(found[0].port_guid == 0xa088c20300ab0011U);
  CHECK(found[0].leaf == "leaf1");
  CHECK(found[0].leaf_port == "1");
}

TEST_CASE("iblinkinfo: a port whose peer did not answer is connected nowhere") {
  CHECK(linked_in("CA: gb-01 mlx5_0:\n      0x11     11    1[  ] " + kUp +
                  "    \"Port not available\"\n")
            .empty());
}

TEST_CASE("iblinkinfo: switches of one name are told apart by their GUIDs, or not at all") {
  const std::string switches = "Switch: 0x1 Quantum:\n           2    1[  ] " + kUp +
                               "      11    1[  ] \"gb-01 mlx5_0\" ( )\n"
                               "Switch: 0x2 Quantum:\n           3    1[  ] " +
                               kUp + "      12    1[  ] \"gb-02 mlx5_0\" ( )\n";
  const auto found = linked_in(switches);
  REQUIRE(found.size() == 2);
  CHECK(found[1].leaf == "Quantum 0x0000000000000002");
  CHECK_THROWS_WITH(linked_in(switches + "CA: gb-01 mlx5_0:\n      0x11     11    1[  ] " + kUp +
                              "       2    1[  ] \"Quantum\" ( )\n"),
                    Catch::Contains("links.txt:6: peer name: several switches are called "
                                    "'Quantum'"));
}

TEST_CASE("iblinkinfo: what it does not write is told with line and field") {
  CHECK_THROWS_WITH(linked_in("           2    1[  ] " + kUp + "      11    1[  ] \"a b\" ( )\n"),
                    Catch::Contains("links.txt:1: expected a node (Switch: or CA:)"));
  CHECK_THROWS_WITH(linked_in("Switch: 0x1 a:\n           2    1[  ] ==( Down\n"),
                    Catch::Contains("links.txt:2: link: expected ')==>'"));
  CHECK_THROWS_WITH(linked_in("Switch: 0x1 a:\n           2    x[  ] " + kUp + "\n"),
                    Catch::Contains("links.txt:2: port: "));
  CHECK_THROWS_WITH(linked_in("Switch: 0x1 a:\n           2    1[  ] " + kUp + "  11  1[  ] a\n"),
                    Catch::Contains("links.txt:2: peer name: expected a name in double quotes"));
  CHECK_THROWS_WITH(linked_in("ibwarn: [77] timeout\n"),
                    Catch::Contains("links.txt:1: expected a line of iblinkinfo"));
}
