#include "harness/topology/line_scanner.hpp"

#include <catch2/catch.hpp>

#include "harness/document/located_json.hpp"

using namespace rackproof;
using topology::LineScanner;

TEST_CASE("lines are numbered from one, whatever ends them") {
  std::vector<std::pair<std::string, int>> lines;
  topology::for_each_line(
      "a\r\n\nb", [&](std::string_view line, int number) { lines.emplace_back(line, number); });
  CHECK(lines == std::vector<std::pair<std::string, int>>{{"a", 1}, {"", 2}, {"b", 3}});
}

TEST_CASE("what a line does not have is told with line, field and what comes instead") {
  const std::string file = "fabric.txt";
  LineScanner line(file, "[x]", 7);
  line.expect("[", "port");
  CHECK_THROWS_WITH(line.port("port"),
                    "fabric.txt:7: port: expected a whole number up to 255, got 'x]'");
  LineScanner end(file, "", 8);
  CHECK_THROWS_WITH(end.expect("]", "port"),
                    "fabric.txt:8: port: expected ']', got the end of the line");
  CHECK_THROWS_WITH(LineScanner(file, "0]", 9).port("port"),
                    Catch::Contains("expected a port from 1 to 255"));
  CHECK_THROWS_AS(LineScanner(file, "256", 9).port("port"), document::ConfigError);
  CHECK_THROWS_AS(LineScanner(file, "12345678901234567", 9).guid("GUID"), document::ConfigError);
}

TEST_CASE("a name is what is between the first and the last quote") {
  const std::string file = "f";
  LineScanner line(file, "x \"a \"b\" c\" y", 1);
  CHECK(line.quoted("name") == "a \"b\" c");
  CHECK(line.rest() == " y");
  CHECK_THROWS_AS(LineScanner(file, "\"open", 1).quoted("name"), document::ConfigError);
}

TEST_CASE("a name of an adapter is a host and a device, and nothing of any other form is") {
  using Pair = std::pair<std::string, std::string>;
  CHECK(topology::host_and_nic("gb-07 mlx5_0") == Pair{"gb-07", "mlx5_0"});
  CHECK(topology::host_and_nic(" gb-07 HCA-1 ") == Pair{"gb-07", "HCA-1"});
  CHECK(topology::host_and_nic("gb-07") == Pair{});
  CHECK(topology::host_and_nic("MT4129 ConnectX7 Mellanox Technologies") == Pair{});
  CHECK(topology::host_and_nic("") == Pair{});
}
