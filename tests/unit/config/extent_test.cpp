#include "harness/config/extent.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>

#include "harness/document/located_json.hpp"
#include "tests/unit/config/support.hpp"

using namespace rackproof;
using namespace rackproof::config;

TEST_CASE("what is expected is said in numbers") {
  const model::Extent extent = parse_extent("hosts=18,gpus=72");
  CHECK(extent.hosts == 18);
  CHECK(extent.gpus == 72);
  CHECK(parse_extent("gpus=0").gpus == 0);
  CHECK_FALSE(parse_extent("gpus=8").hosts);
  for (const char* bad :
       {"", "hosts", "hosts=", "hosts=x", "hosts=0", "hosts=-1", "gpus=-1", "hosts=18,",
        "hosts=18,hosts=18", "nodes=18", "hosts=18 ", "hosts=1e2", "hosts=99999999999999999999"}) {
    CAPTURE(bad);
    CHECK_THROWS_AS(parse_extent(bad), std::invalid_argument);
  }
}

TEST_CASE("a list of assets names each host and each GPU once") {
  const TemporaryFolder folder;
  const auto load = [&folder](const std::string& hosts) {
    const std::string path =
        folder.file("assets.json", R"({"schema": "rackproof/assets/1", "hosts": )" + hosts + "}");
    return load_assets(path);
  };
  const model::Extent extent = load(R"([{"host": "a", "gpus": ["S1", "S2"]}, {"host": "b"}])");
  REQUIRE(extent.assets.size() == 2);
  CHECK(extent.assets[0] == model::Asset{"a", {"S1", "S2"}, ""});
  CHECK(load(R"([{"host": "a", "serial": "C1"}])").assets[0] == model::Asset{"a", {}, "C1"});
  CHECK_FALSE(extent.gpus);
  CHECK(load(R"([{"host": "a", "gpus": ["S1"]}, {"host": "b", "gpus": ["S2"]}])").gpus == 2);
  const auto refused = [&load](const std::string& hosts) {
    return complaint([&] { load(hosts); });
  };
  CHECK(refused("[]").find("expected at least one host") != std::string::npos);
  CHECK(refused(R"([{"host": "a"}, {"host": "a"}])").find("listed a second time") !=
        std::string::npos);
  CHECK(refused(R"([{"host": "a", "serial": "C1"}, {"host": "b", "serial": "C1"}])")
            .find("the serial number 'C1' is listed a second time") != std::string::npos);
  CHECK(refused(R"([{"host": "a", "gpus": ["S1"]}, {"host": "b", "gpus": ["S1"]}])")
            .find("'S1' is listed a second time") != std::string::npos);
  CHECK(refused(R"([{"host": "a", "gpus": []}])").find("is an empty list") != std::string::npos);
  CHECK(refused(R"([{"name": "a"}])").find("assets.json:1") != std::string::npos);
}
