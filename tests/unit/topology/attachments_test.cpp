#include "harness/topology/attachments.hpp"

#include <catch2/catch.hpp>

#include "harness/document/located_json.hpp"

using namespace rackproof;
using topology::Attachment;

namespace {

Attachment at_leaf(const std::string& leaf, const std::string& port, int line) {
  Attachment one;
  one.leaf = leaf;
  one.leaf_port = port;
  one.file = "fabric.txt";
  one.line = line;
  return one;
}

}  // namespace

TEST_CASE("a link that both ends tell of is one attachment with the names of both") {
  topology::Attachments all;
  Attachment from_switch = at_leaf("leaf2", "31", 4);
  from_switch.port_guid = 0xab;
  all.add(from_switch);
  Attachment from_adapter = at_leaf("leaf2", "31", 9);
  from_adapter.port_guid = 0xab;
  from_adapter.node_guid = 0xcd;
  from_adapter.host = "gb-07";
  from_adapter.nic = "mlx5_0";
  all.add(from_adapter);
  const auto found = all.take();
  REQUIRE(found.size() == 1);
  CHECK(found[0].host == "gb-07");
  CHECK(found[0].nic == "mlx5_0");
  CHECK(found[0].node_guid == 0xcdU);
  CHECK(found[0].line == 4);
}

TEST_CASE("one adapter at two places is an error that names both lines") {
  topology::Attachments all;
  Attachment first = at_leaf("leaf2", "31", 4);
  first.host = "gb-07";
  first.nic = "mlx5_0";
  all.add(first);
  Attachment second = at_leaf("leaf3", "31", 9);
  second.host = "gb-07";
  second.nic = "mlx5_0";
  CHECK_THROWS_WITH(
      all.add(second),
      "fabric.txt:9: gb-07 mlx5_0 is connected to leaf3 port 31 here and to leaf2 port 31 "
      "in line 4; expected one place");
  // The second port of an adapter is another one.
  second.port = 2;
  all.add(second);
  CHECK(all.take().size() == 2);
}

TEST_CASE("adapters that share a name and differ in GUID are several") {
  topology::Attachments all;
  for (std::uint64_t guid = 1; guid <= 3; ++guid) {
    Attachment one = at_leaf("leaf1", std::to_string(guid), static_cast<int>(guid));
    one.host = "localhost";
    one.nic = "mlx5_0";
    one.port_guid = guid;
    all.add(one);
  }
  CHECK(all.take().size() == 3);
}

TEST_CASE("an attachment is called by what it has") {
  Attachment one;
  one.port_guid = 0xa088c20300ab7bfe;
  CHECK(name_of(one) == "port GUID 0xa088c20300ab7bfe");
  one.port_guid.reset();
  one.node_guid = 1;
  one.port = 2;
  CHECK(name_of(one) == "node GUID 0x0000000000000001 port 2");
  one.host = "gb-07";
  one.nic = "mlx4_0";
  CHECK(name_of(one) == "gb-07 mlx4_0 port 2");
  one.leaf = "leaf2";
  CHECK(place_of(one) == "leaf2");
}
