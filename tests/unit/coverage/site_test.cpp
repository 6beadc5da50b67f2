#include "harness/coverage/site.hpp"

#include <catch2/catch.hpp>

using namespace rackproof;
using coverage::capability_of;
using coverage::gpus_of;
using coverage::site_of;

namespace {

model::FactRule rule_on(const std::string& fact, const contract::Scalar& value) {
  model::FactRule rule;
  rule.fact = fact;
  rule.equals = value;
  return rule;
}

model::PlatformTable board() {
  model::PlatformTable table;
  table.id = "board";
  table.chain = {"board"};
  table.recognise = {rule_on("gpu.name", std::string("NVIDIA H100")),
                     rule_on("gpu.compute_capability", std::string("9.0"))};
  return table;
}

}  // namespace

TEST_CASE("a host has the GPUs that its table expects, then those that it recognises, then one") {
  model::PlatformTable table = board();
  CHECK(gpus_of(table) == 1);
  table.recognise.push_back(rule_on("gpu.nvml_count", std::int64_t{2}));
  CHECK(gpus_of(table) == 2);
  table.expect.push_back({rule_on("gpu.nvml_count", std::int64_t{8}), model::Severity::kError, ""});
  CHECK(gpus_of(table) == 8);
  table.recognise = {rule_on("gpu.nvml_count", std::int64_t{0})};
  CHECK(gpus_of(table) == 0);
  table.recognise = {rule_on("cpu.model", std::string("Xeon"))};
  CHECK(gpus_of(table) == 0);
}

TEST_CASE("a site has a rank for each GPU and one on a host without") {
  CHECK(capability_of(board()) == "9.0");
  model::PlatformTable table = board();
  table.expect.push_back({rule_on("gpu.nvml_count", std::int64_t{4}), model::Severity::kError, ""});
  const plan::Site site = site_of(table, 3);
  CHECK(site.nodes.size() == 3);
  CHECK(site.ranks.size() == 12);
  CHECK(site.nodes[2].devices.size() == 4);
  CHECK(site.ranks[5].host == site.nodes[1].host);
  table.recognise = {rule_on("cpu.model", std::string("Xeon"))};
  CHECK(site_of(table, 2).ranks.size() == 2);
}

TEST_CASE("trays of a rack are in one NVLink domain") {
  model::PlatformTable table = board();
  CHECK_FALSE(site_of(table, 1).nodes[0].devices[0].facts.contains("nvlink.domain"));
  table.facts["nvlink.domain_gpus"] = std::int64_t{72};
  CHECK(site_of(table, 1).nodes[0].devices[0].facts.contains("nvlink.domain"));
}
