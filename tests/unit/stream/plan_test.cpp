#include "benches/stream/plan.hpp"

#include <catch2/catch.hpp>

#include "benches/kit/errors.hpp"
#include "tests/unit/kit/lines.hpp"
#include "tests/unit/kit/machine.hpp"

using namespace rackproof;
using namespace rackproof::stream;

namespace {

SizeRule rule_of(std::int64_t elements, std::int64_t cache, std::int64_t available) {
  return {elements, 8, cache, available, 3e-8};
}

std::string refusal(const SizeRule& rule) {
  try {
    choose_elements(rule);
  } catch (const kit::UsageError& error) {
    return error.what();
  }
  return "";
}

constexpr std::int64_t kGiB = std::int64_t{1} << 30;

}  // namespace

TEST_CASE("arrays are at least four times the caches") {
  CHECK(choose_elements(rule_of(0, 32 << 20, kGiB)) == 16 << 20);
  CHECK(choose_elements(rule_of(16 << 20, 32 << 20, kGiB)) == 16 << 20);
  const std::string why = refusal(rule_of((16 << 20) - 1, 32 << 20, kGiB));
  CHECK(kit::has(why, "16777215 elements"));
  CHECK(kit::has(why, "at least 4 times the last-level caches in use (33554432 B)"));
  CHECK(kit::has(why, "that is 16777216 elements"));
}

TEST_CASE("the least is rounded up") {
  SizeRule rule = rule_of(0, (32 << 20) + 1, kGiB);
  CHECK(choose_elements(rule) == (16 << 20) + 1);
  rule.elements = 16 << 20;
  CHECK_THROWS_AS(choose_elements(rule), kit::UsageError);
}

TEST_CASE("a coarse clock makes the arrays larger") {
  SizeRule rule = rule_of(0, 1 << 20, kGiB);
  rule.clock_resolution = 1e-6;
  CHECK(static_cast<double>(choose_elements(rule)) * 16 / 20e12 >= 20e-6 * 0.999);
}

TEST_CASE("memory that is not there is refused") {
  CHECK(kit::has(refusal(rule_of(100 << 20, 32 << 20, kGiB)), "do not fit"));
  CHECK_THROWS_AS(choose_elements(rule_of(0, 128 << 20, kGiB)), kit::Unavailable);
}

TEST_CASE("unknown caches make a large default and refuse nothing") {
  CHECK(choose_elements(rule_of(0, 0, 4 * kGiB)) * 8 == kGiB);
  CHECK(choose_elements(rule_of(1000, 0, kGiB)) == 1000);
}

TEST_CASE("domains of a machine with two NUMA domains and SMT") {
  kit::Machine machine;
  for (int cpu = 0; cpu < 8; ++cpu) {
    const std::string core = std::to_string(cpu % 4) + "," + std::to_string(cpu % 4 + 4);
    machine.write(
        "sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/thread_siblings_list",
        core);
    machine.cache(cpu, 0, 3, "Unified", "8M", cpu % 4 < 2 ? "0-1,4-5" : "2-3,6-7");
  }
  const std::vector<kit::NumaDomain> numa = {{0, {0, 1, 4, 5}}, {1, {2, 3, 6, 7}}};
  Settings settings;
  auto domains = choose_domains(settings, numa, machine.root());
  REQUIRE(domains.size() == 3);
  CHECK(domains[0].name == "node");
  CHECK(domains[0].cpus == std::vector<int>{0, 1, 2, 3});
  CHECK(domains[0].cache_bytes == 16 << 20);
  CHECK(domains[2].name == "numa1");
  CHECK(domains[2].cpus == std::vector<int>{2, 3});
  CHECK(domains[2].cache_bytes == 8 << 20);

  settings.domain = "node";
  settings.threads = 2;
  domains = choose_domains(settings, numa, machine.root());
  REQUIRE(domains.size() == 1);
  CHECK(domains[0].cpus == std::vector<int>{0, 2});
  settings.threads = 6;
  CHECK(choose_domains(settings, numa, machine.root())[0].cpus.size() == 6);
  settings.threads = 9;
  CHECK_THROWS_AS(choose_domains(settings, numa, machine.root()), kit::UsageError);

  settings.threads = 0;
  settings.domain = "all";
  CHECK(choose_domains(settings, {{0, {0, 1}}}, machine.root()).size() == 1);
  settings.domain = "numa";
  CHECK(choose_domains(settings, {{0, {0, 1}}}, machine.root())[0].name == "numa0");
}
