#include <algorithm>
#include <catch2/catch.hpp>

#include "harness/recognise/recognise.hpp"

namespace model = rackproof::model;
namespace recognise = rackproof::recognise;

namespace {

model::NodeInventory node(const std::string& host, const std::string& gpu, std::int64_t count = 8) {
  model::NodeInventory out;
  out.host = host;
  out.facts["gpu.name"].value = gpu;
  out.facts["gpu.nvml_count"].value = count;
  out.facts["broken"].unreadable = "no permission";
  return out;
}

model::FactRule rule_about(const std::string& fact) {
  model::FactRule out;
  out.fact = fact;
  return out;
}

model::PlatformTable table(const std::string& id, const std::string& gpu,
                           std::optional<std::int64_t> count = std::nullopt) {
  model::PlatformTable out;
  out.id = id;
  out.chain = {id};
  out.recognise = {rule_about("gpu.name")};
  out.recognise[0].matches = gpu;
  if (count) {
    out.recognise.push_back(rule_about("gpu.nvml_count"));
    out.recognise[1].equals = *count;
  }
  return out;
}

model::PlatformTable generic() {
  model::PlatformTable out;
  out.id = "any";
  out.chain = {"any"};
  out.generic = true;
  return out;
}

std::vector<model::Finding> with_id(const recognise::PlatformChoice& choice,
                                    const std::string& id) {
  std::vector<model::Finding> out;
  std::copy_if(choice.findings.begin(), choice.findings.end(), std::back_inserter(out),
               [&](const model::Finding& finding) { return finding.id == id; });
  return out;
}

}  // namespace

TEST_CASE("hosts of one platform give no finding") {
  const auto choice = recognise::choose_platforms({node("n1", "H100"), node("n2", "H100")},
                                                  {table("h100", "*H100*", 8), generic()});
  CHECK(choice.of_host.at("n2") == "h100");
  CHECK(choice.findings.empty());
}

TEST_CASE("a host of another platform than most is named with both tables") {
  const auto choice = recognise::choose_platforms(
      {node("n1", "H100"), node("n2", "A100"), node("n3", "H100")},
      {table("h100", "*H100*", 8), table("a100", "*A100*", 8), generic()});
  CHECK(choice.of_host.at("n2") == "a100");
  REQUIRE(choice.findings.size() == 1);
  CHECK(choice.findings[0].id == "mixed-platforms");
  CHECK(choice.findings[0].subject == "n2");
  CHECK(choice.findings[0].text.find("table a100") != std::string::npos);
  CHECK(choice.findings[0].text.find("table h100 fits 2 of 3 hosts") != std::string::npos);
}

TEST_CASE("a host that no table fits is mixed among others and unjudged") {
  const auto choice = recognise::choose_platforms(
      {node("n1", "H100"), node("n2", "X1"), node("n3", "H100")}, {table("h100", "*H100*", 8)});
  CHECK_FALSE(choice.of_host.contains("n2"));
  REQUIRE(with_id(choice, "mixed-platforms").size() == 1);
  CHECK(with_id(choice, "mixed-platforms")[0].text.find("no table") != std::string::npos);
  REQUIRE(with_id(choice, "platform-unrecognised").size() == 1);
  CHECK(with_id(choice, "platform-unrecognised")[0].subject == "n2");
}

TEST_CASE("without a majority the cluster is named with all its tables") {
  const auto choice =
      recognise::choose_platforms({node("n1", "H100"), node("n2", "A100")},
                                  {table("h100", "*H100*", 8), table("a100", "*A100*", 8)});
  REQUIRE(choice.findings.size() == 1);
  CHECK(choice.findings[0].subject == "the cluster");
  CHECK(choice.findings[0].text.find("table a100: n2; table h100: n1") != std::string::npos);
}

TEST_CASE("what no particular table fits tells which came nearest and where it fails") {
  const auto choice = recognise::choose_platforms(
      {node("n1", "H100", 7), node("n2", "H100", 7)},
      {table("b200", "*B200*", 7), table("h100", "*H100*", 8), generic()});
  CHECK(choice.of_host.at("n1") == "any");
  const auto found = with_id(choice, "platform-unrecognised");
  REQUIRE(found.size() == 1);
  CHECK(found[0].subject == "any");
  CHECK(found[0].text.find("fits n1, n2") != std::string::npos);
  CHECK(found[0].text.find("the closest table is ") != std::string::npos);
  const auto bare =
      recognise::choose_platforms({node("n1", "X1", 0)}, {table("h100", "*H100*", 8)});
  CHECK(with_id(bare, "platform-unrecognised")[0].text.find("no table comes close") !=
        std::string::npos);
}

TEST_CASE("a table is refused for a host that contradicts it, with the rule and what is there") {
  const model::PlatformTable h100 = table("h100", "*H100*", 8);
  CHECK(recognise::refusal(h100, {node("n1", "NVIDIA H100")}).empty());
  CHECK(recognise::refusal(h100, {node("n1", "NVIDIA H100"), node("n2", "NVIDIA H100", 7)}) ==
        "table h100 is not for n2: gpu.nvml_count is 7; the table requires 8");
  CHECK(recognise::refusal(h100, {node("n1", "A100", 4)}).find("1 more") != std::string::npos);
  CHECK(recognise::refusal(generic(), {node("n1", "A100", 4)}).empty());
  model::PlatformTable other = table("other", "*");
  other.recognise.push_back(rule_about("broken"));
  other.recognise.back().min = 1;
  CHECK(recognise::refusal(other, {node("n1", "A100")}) ==
        "table other is not for n1: broken is not known (no permission); the table requires at "
        "least 1");
}

TEST_CASE("a host without an inventory contradicts nothing") {
  model::NodeInventory unknown;
  unknown.host = "n9";
  CHECK(recognise::refusal(table("h100", "*H100*", 8), {unknown}).empty());
}

TEST_CASE("a forced table judges every host and each contradiction is said once") {
  const auto choice =
      recognise::force_platform({node("n1", "A100"), node("n2", "A100"), node("n3", "H100")},
                                table("h100", "*H100*", 8), "by hand");
  CHECK(choice.of_host.at("n1") == "h100");
  REQUIRE(choice.findings.size() == 2);
  CHECK(choice.findings[0].id == "platform-forced");
  CHECK(choice.findings[1].id == "platform-contradicted");
  CHECK(choice.findings[1].subject == "n1, n2");
  CHECK(choice.findings[1].text.find("gpu.name is A100; the table requires *H100*") !=
        std::string::npos);
  for (const model::Finding& finding : choice.findings)
    CHECK(recognise::is_choice_finding(finding.id));
  CHECK_FALSE(recognise::is_choice_finding("flaky"));
}
