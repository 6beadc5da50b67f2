#include "harness/topology/topology.hpp"

#include <catch2/catch.hpp>

#include "harness/document/located_json.hpp"
#include "tests/unit/folder.hpp"

using namespace rackproof;
using topology::Format;

namespace {

const std::string kNeighbour =
    R"({"lldp": {"interface": {"eth2": {"via": "LLDP", "chassis": {"leaf1": {}},
        "port": {"id": {"type": "ifname", "value": "swp3"}}}}}})";

}  // namespace

TEST_CASE("the format is told by the first line that only one of them has") {
  CHECK(topology::format_of("#\n\nvendid=0x2c9\n") == Format::kIbnetdiscover);
  CHECK(topology::format_of("Switch\t36 \"S-1\"\t\t# \"a\" base\n") == Format::kIbnetdiscover);
  // Copied from a terminal.
  CHECK(topology::format_of("Switch  36 \"S-1\"    # \"a\" base\n") == Format::kIbnetdiscover);
  CHECK(topology::format_of("Switch: 0x1 leaf1:\n") == Format::kIblinkinfo);
  CHECK(topology::format_of("0x1 \" a, b\"  2  1[  ] ==( Down/ Polling)==>  [  ] \"\" ( )\n") ==
        Format::kIblinkinfo);
  CHECK(topology::format_of("\n  {\"lldp\": {}}") == Format::kLldp);
  CHECK(topology::format_of("# ours\nhost,nic,leaf\n") == Format::kCsv);
  CHECK_FALSE(topology::format_of("gb-07 mlx5_0 leaf2\n"));
  CHECK_FALSE(topology::format_of(""));
}

TEST_CASE("a file that is none of them is refused with what was expected") {
  CHECK_THROWS_WITH(
      topology::read_topology("x", "gb-07 mlx5_0 leaf2\n"),
      Catch::Contains("x: expected the output of ibnetdiscover, iblinkinfo or lldpctl"));
  CHECK_THROWS_WITH(topology::read_topology("x", ""), Catch::Contains("x: expected"));
  CHECK_THROWS_WITH(topology::read_topology("x", std::string("host,nic\n\x7f"
                                                             "ELF\0",
                                                             14)),
                    Catch::Contains("x:2: is no text: byte 0x7f"));
  CHECK_THROWS_WITH(topology::read_topology("x", "host,nic,leaf\na,b,\xff\n"),
                    Catch::Contains("is not UTF-8"));
  CHECK_THROWS_WITH(
      topology::read_topology("x", "host,nic,leaf\na,b," + std::string(257, 'l') + "\n"),
      Catch::Contains("x:2: leaf: is 257 bytes long; expected at most 256"));
  // As Excel begins its files.
  CHECK(topology::read_topology("x", "\xEF\xBB\xBFhost,nic,leaf\na,b,c\n").size() == 1);
}

TEST_CASE("a folder has a file of LLDP for each host, and files of several kinds add up") {
  const test::Folder folder;
  folder.write("lldp/gb-01.json", kNeighbour);
  folder.write("lldp/gb-02", kNeighbour);
  folder.write("lldp/.gb-03.json.swp", "nonsense");
  folder.write("cables.csv", "host,nic,cable_serial\ngb-01,eth2,C1\n");
  const auto all = topology::load_topology({folder.path("lldp"), folder.path("cables.csv")});
  REQUIRE(all.size() == 3);
  CHECK(all[0].host == "gb-01");
  CHECK(all[1].host == "gb-02");
  CHECK(all[2].cable_serial == "C1");
  CHECK(topology::load_topology({}).empty());
}

TEST_CASE("files that say nothing, or that are not there") {
  const test::Folder folder;
  folder.write("one/gb-01.json", R"({"lldp": {}})");
  CHECK_THROWS_WITH(topology::load_topology({folder.path("one")}),
                    Catch::Contains("says of no adapter where it is connected"));
  CHECK_THROWS_AS(topology::load_topology({folder.path("none")}), document::ConfigError);
  folder.write("two/.hidden", "");
  CHECK_THROWS_WITH(topology::load_topology({folder.path("two")}),
                    Catch::Contains("is a directory without files"));
}
