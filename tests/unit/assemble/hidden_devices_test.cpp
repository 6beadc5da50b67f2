#include "harness/assemble/hidden_devices.hpp"

#include <catch2/catch.hpp>

using namespace rackproof;

namespace {

model::NodeInventory node(const std::string& host, int devices, const std::string& visible) {
  model::NodeInventory found;
  found.host = host;
  for (int i = 0; i < devices; ++i) found.devices.push_back({"GPU-" + std::to_string(i), i, {}});
  found.facts["environment.dropped.CUDA_VISIBLE_DEVICES"].value = visible;
  return found;
}

std::vector<model::Finding> findings(std::vector<model::NodeInventory> nodes) {
  model::Report report;
  report.nodes = std::move(nodes);
  assemble::note_hidden_devices(report);
  return report.findings;
}

}  // namespace

TEST_CASE("a variable that would have hidden GPUs is named, once for hosts that share it") {
  const auto found = findings({node("a1", 8, "0,1"), node("a2", 8, "0,1"), node("a3", 8, "3")});
  REQUIRE(found.size() == 2);
  CHECK(found[0].id == "visible-devices");
  CHECK(found[0].severity == model::Severity::kWarning);
  CHECK(found[0].subject == "a1, a2");
  CHECK_THAT(found[0].text,
             Catch::Contains("CUDA_VISIBLE_DEVICES=0,1 would hide GPUs: at most 2 of 8"));
  CHECK(found[1].subject == "a3");
}

TEST_CASE("CUDA stops at the first word that names no device") {
  CHECK(findings({node("a", 2, "")}).size() == 1);
  CHECK(findings({node("a", 2, "-1,0,1")}).size() == 1);
  CHECK(findings({node("a", 2, "0,,1")}).size() == 1);
  CHECK(findings({node("a", 2, "NoDevFiles")}).size() == 1);
}

TEST_CASE("a variable that hides none is no finding") {
  CHECK(findings({node("a", 2, "0,1")}).empty());
  CHECK(findings({node("a", 1, "GPU-5")}).empty());
  CHECK(findings({node("a", 0, "")}).empty());
  model::NodeInventory none = node("a", 2, "");
  none.facts.clear();
  CHECK(findings({none}).empty());
}
