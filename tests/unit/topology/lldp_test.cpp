#include <catch2/catch.hpp>
#include <string>

#include "harness/document/located_json.hpp"
#include "harness/topology/formats.hpp"

using namespace rackproof;

namespace {

auto neighbours_in(const std::string& text) {
  return topology::read_lldp("gb-01.json", text, "gb-01");
}

std::string neighbour(const std::string& chassis, const std::string& port) {
  return R"({"via": "LLDP", "rid": "1", "age": "0 day, 00:01:02", "chassis": )" + chassis +
         R"(, "port": )" + port + "}";
}

const std::string kLeaf1 =
    R"({"leaf1": {"id": {"type": "mac", "value": "0c:42:a1:00:00:01"}, "descr": "SONiC",
        "mgmt-ip": "10.0.0.1", "capability": [{"type": "Bridge", "enabled": true}]}})";
const std::string kPort3 = R"({"id": {"type": "ifname", "value": "swp3"}, "descr": "to gb-01",
        "ttl": "120"})";

}  // namespace

TEST_CASE("lldpctl -f json: one interface is an object, several are a list") {
  const auto one =
      neighbours_in(R"({"lldp": {"interface": {"eth2": )" + neighbour(kLeaf1, kPort3) + "}}}");
  REQUIRE(one.size() == 1);
  CHECK(one[0].host == "gb-01");
  CHECK(one[0].nic == "eth2");
  CHECK(one[0].leaf == "leaf1");
  CHECK(one[0].leaf_port == "swp3");
  const auto two =
      neighbours_in(R"({"lldp": {"interface": [{"eth2": )" + neighbour(kLeaf1, kPort3) +
                    R"(}, {"eth3": )" + neighbour(kLeaf1, kPort3) + "}]}}");
  REQUIRE(two.size() == 2);
  CHECK(two[1].nic == "eth3");
}

TEST_CASE("lldpctl -f json0: everything is a list and every text an object") {
  const auto found =
      neighbours_in(R"({"lldp": [{"interface": [{"name": "eth2", "via": "LLDP", "rid": "1",
      "age": "0 day, 00:01:02",
      "chassis": [{"id": [{"type": "mac", "value": "0c:42:a1:00:00:01"}],
        "name": [{"value": "leaf1"}], "descr": [{"value": "SONiC"}]}],
      "port": [{"id": [{"type": "ifname", "value": "swp3"}], "descr": [{"value": "to gb-01"}]}]}]}]})");
  REQUIRE(found.size() == 1);
  CHECK(found[0].nic == "eth2");
  CHECK(found[0].leaf == "leaf1");
  CHECK(found[0].leaf_port == "swp3");
}

TEST_CASE(
    "lldpctl: a switch without a name is its id, a port with a mere address its description") {
  const auto found = neighbours_in(
      R"({"lldp": {"interface": {"eth2": )" +
      neighbour(R"({"id": {"type": "mac", "value": "0c:42:a1:00:00:01"}})",
                R"({"id": {"type": "mac", "value": "0c:42:a1:00:00:09"}, "descr": "Eth1/3"})") +
      "}}}");
  REQUIRE(found.size() == 1);
  CHECK(found[0].leaf == "0c:42:a1:00:00:01");
  CHECK(found[0].leaf_port == "Eth1/3");
}

TEST_CASE("lldpctl: nobody answers, or in another protocol") {
  CHECK(neighbours_in(R"({"lldp": {}})").empty());
  CHECK(neighbours_in(R"({"lldp": [{}]})").empty());
  CHECK(neighbours_in(R"({"lldp": {"interface": {"eth2": {"via": "CDPv2"}}}})").empty());
}

TEST_CASE("lldpctl: of an interface at which two switches answer nothing is known") {
  const std::string other = R"({"leaf2": {"id": {"type": "mac", "value": "0c:42:a1:00:00:02"}}})";
  const auto twice = [&](const std::string& second) {
    return neighbours_in(R"({"lldp": {"interface": [{"eth2": )" + neighbour(kLeaf1, kPort3) +
                         R"(}, {"eth2": )" + neighbour(second, kPort3) + R"(}, {"eth3": )" +
                         neighbour(kLeaf1, kPort3) + "}]}}");
  };
  REQUIRE(twice(other).size() == 1);
  CHECK(twice(other)[0].nic == "eth3");
  // The same one twice is one.
  CHECK(twice(kLeaf1).size() == 2);
}

TEST_CASE("lldpctl: what it does not write is told with line and field") {
  CHECK_THROWS_WITH(neighbours_in("{\n\"neighbours\": 1}"),
                    Catch::Contains("gb-01.json:1: 'lldp' is missing"));
  CHECK_THROWS_WITH(neighbours_in("{\"lldp\":\n 7}"),
                    Catch::Contains("gb-01.json:2: lldp: expected an object"));
  CHECK_THROWS_WITH(neighbours_in("{\"lldp\": {\"interface\": [\n{\"eth2\": []}]}}"),
                    Catch::Contains("gb-01.json:2: lldp.interface[0].eth2: expected an object"));
  CHECK_THROWS_WITH(neighbours_in("{\"lldp\": {\"interface\": {\"eth2\": {\"via\": \"LLDP\"}}}}"),
                    Catch::Contains("lldp.interface.eth2: 'chassis' is missing"));
  CHECK_THROWS_WITH(neighbours_in(R"({"lldp": {"interface": {"eth2": )" +
                                  neighbour(R"({"a": {}, "b": {}})", kPort3) + "}}}"),
                    Catch::Contains("chassis: expected the name of a switch, or its 'id'"));
  CHECK_THROWS_AS(neighbours_in("{\"lldp\": {"), document::ConfigError);
}
