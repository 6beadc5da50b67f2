#include <catch2/catch.hpp>
#include <string>

#include "harness/document/located_json.hpp"
#include "harness/topology/formats.hpp"

using namespace rackproof;

namespace {

auto rows_in(const std::string& text) { return topology::read_csv("cables.csv", text); }

}  // namespace

TEST_CASE("CSV: columns in any order, comments, quotes and what is left out") {
  const auto found = rows_in(
      "# rack 7\n"
      "nic,host,rail,leaf,leaf_port,cable_serial,port\r\n"
      "mlx5_0, gb-07 ,0,leaf2,31,MT2325VS01234,\r\n"
      "\n"
      "mlx4_0,gb-07,,\"leaf \"\"2\"\", east\",,,2\n");
  REQUIRE(found.size() == 2);
  CHECK(found[0].host == "gb-07");
  CHECK(found[0].nic == "mlx5_0");
  CHECK(found[0].rail == "0");
  CHECK(found[0].leaf == "leaf2");
  CHECK(found[0].leaf_port == "31");
  CHECK(found[0].cable_serial == "MT2325VS01234");
  CHECK(found[0].port == 1);
  CHECK(found[0].line == 3);
  CHECK(found[1].leaf == "leaf \"2\", east");
  CHECK(found[1].rail.empty());
  CHECK(found[1].port == 2);
}

TEST_CASE("CSV: headers that are not as they should be") {
  CHECK_THROWS_WITH(rows_in("host,nic,leef\n"),
                    Catch::Contains("cables.csv:1: leef: is not a known column; did you mean "
                                    "'leaf'?"));
  CHECK_THROWS_WITH(rows_in("host,nic,leaf,leaf\n"), Catch::Contains("a second time"));
  CHECK_THROWS_WITH(rows_in("nic,leaf\n"), Catch::Contains("cables.csv:1: the header has no column "
                                                           "'host'"));
  CHECK_THROWS_WITH(rows_in("nic,host\n"), Catch::Contains("expected a column more"));
}

TEST_CASE("CSV: rows that are not as they should be") {
  const std::string header = "host,nic,port,leaf\n";
  CHECK_THROWS_WITH(rows_in(header + "gb-07,mlx5_0\n"),
                    Catch::Contains("cables.csv:2: has 2 values; expected 4"));
  CHECK_THROWS_WITH(rows_in(header + ",mlx5_0,1,a\n"),
                    Catch::Contains("cables.csv:2: host: is empty"));
  CHECK_THROWS_WITH(rows_in(header + "gb-07,,1,a\n"),
                    Catch::Contains("cables.csv:2: nic: is empty"));
  CHECK_THROWS_WITH(rows_in(header + "gb-07,mlx5_0,0,a\n"),
                    Catch::Contains("cables.csv:2: port: expected a port from 1 to 255"));
  CHECK_THROWS_WITH(rows_in(header + "gb-07,mlx5_0,1x,a\n"),
                    Catch::Contains("cables.csv:2: port: "));
  CHECK_THROWS_WITH(rows_in(header + "gb-07,mlx5_0,1,\"a\n"),
                    Catch::Contains("expected a closing quote"));
  CHECK_THROWS_WITH(rows_in(header + "gb-07,mlx5_0,1,\"a\"b\n"),
                    Catch::Contains("cables.csv:2: leaf: expected a comma"));
  CHECK_THROWS_WITH(rows_in(header + "gb-07,mlx5_0,1,a\"b\"\n"),
                    Catch::Contains("cables.csv:2: leaf: a quote in the middle"));
  CHECK_THROWS_WITH(rows_in(header + "gb-07,mlx5_0,,a\ngb-07,mlx5_0,1,b\n"),
                    Catch::Contains("cables.csv:3: nic: gb-07 mlx5_0 is listed a second time, "
                                    "after line 2"));
}
