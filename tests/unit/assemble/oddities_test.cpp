#include <catch2/catch.hpp>

#include "reports/json/report_json.hpp"
#include "tests/fakes/sealed.hpp"
#include "tests/unit/assemble/scene.hpp"

using namespace rackproof;
using namespace rackproof::assemble_test;

TEST_CASE("a build that is slow by its nature is told") {
  Scene scene;
  scene.whole_run();
  CHECK(findings(scene.report(), "debug-build").empty());
  std::string bytes = fakes::unsealed(scene.bytes(0));
  const std::string tool = R"("build":{)";
  const std::string fact =
      GENERATE(R"("type":"Debug")", R"("sanitizers":"address","type":"Release")");
  REQUIRE(bytes.find(tool) != std::string::npos);
  bytes.insert(bytes.find(tool) + tool.size(), fact);
  scene.bytes(0) = fakes::sealed(bytes);
  const auto found = findings(scene.report(), "debug-build");
  REQUIRE(found.size() == 1);
  CHECK(found[0].subject == "rackproof");
}

TEST_CASE("what the kernel killed for want of memory is a finding of that step") {
  Scene scene;
  scene.begin();
  scene.attempt(0, "a", 1, [](const warden::Launch& launch) {
    fakes::Performance out = fakes::good(launch, kMetric, {100, 100});
    out.facts.signal = 9;
    out.facts.oom_kills = 2;
    return out;
  });
  scene.attempt(0, "b");
  scene.end();
  scene.close_all();
  const auto found = findings(scene.report(), "out-of-memory");
  REQUIRE(found.size() == 1);
  CHECK(found[0].step == "a");
  CHECK(found[0].text.find("killed 2 process(es)") != std::string::npos);
}

TEST_CASE("a host that is told twice is one") {
  Scene scene;
  scene.whole_run();
  std::string bytes = fakes::unsealed(scene.bytes(0));
  const std::size_t begin = bytes.rfind('\n', bytes.find(R"("j":"node")")) + 1;
  const std::string line = bytes.substr(begin, bytes.find('\n', begin) + 1 - begin);
  bytes.insert(begin, line);
  scene.bytes(0) = fakes::sealed(bytes);
  const model::Report report = scene.report();
  CHECK(report.nodes.size() == 1);
  CHECK(model::host_told_twice(report).empty());
}
