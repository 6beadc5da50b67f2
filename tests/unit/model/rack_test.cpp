#include "reports/model/rack.hpp"

#include <catch2/catch.hpp>

using namespace rackproof;

TEST_CASE("a rack is called as its label says, as its first host, or as its run") {
  model::Report report;
  report.run.id = "r1";
  CHECK(model::rack_of(report) == "r1");
  report.nodes.emplace_back().host = "gb-01";
  report.run.labels["rack"] = "";
  CHECK(model::rack_of(report) == "gb-01");
  report.run.labels["rack"] = "7";
  CHECK(model::rack_of(report) == "7");
}
