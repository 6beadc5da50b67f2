#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <span>

#include "contract/throttle_reason.hpp"
#include "harness/cause/causes.hpp"
#include "harness/config/comparison.hpp"
#include "reports/catalogue/quantity.hpp"
#include "reports/model/glob.hpp"

namespace rackproof::cause {
namespace {

const std::string kRoot = RACKPROOF_SOURCE_DIR;

/// Every word between quotes in the sources of a room.
std::set<std::string> names_in(const char* room) {
  const std::regex name("\"([A-Za-z0-9_.-]+)\"");
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kRoot + "/harness/" + room)) {
    if (entry.path().extension() != ".cpp") continue;
    std::ifstream file(entry.path());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    for (std::sregex_iterator at(text.begin(), text.end(), name); at != std::sregex_iterator();
         ++at) {
      names.insert((*at)[1]);
    }
  }
  return names;
}

/// One that is described: by its name, as the pattern that it is there, or by what it fits.
bool is_known(const std::string& name, std::span<const catalogue::Quantity> described) {
  return std::any_of(described.begin(), described.end(), [&](const catalogue::Quantity& one) {
    return model::glob_match(name, one.name) || model::glob_match(one.name, name);
  });
}

/// {gpu.power_limit_watts} and {gpu.power:median} in a sentence.
void add_placeholders(const std::string& say, std::set<std::string>& facts,
                      std::set<std::string>& series) {
  for (std::size_t at = say.find('{'); at != std::string::npos; at = say.find('{', at + 1)) {
    const std::string name = say.substr(at + 1, say.find('}', at) - at - 1);
    if (name.find('.') == std::string::npos) continue;
    const std::size_t colon = name.find(':');
    (colon == std::string::npos ? facts : series).insert(name.substr(0, colon));
  }
}

}  // namespace

TEST_CASE("every series and fact of the shipped causes is one that the harness gives") {
  std::set<std::string> facts;
  std::set<std::string> series;
  std::set<std::string> bits;
  std::set<std::string> events;
  for (const auto& rule : cause::load_causes(kRoot + "/configs/causes.json").rules) {
    add_placeholders(rule.say, facts, series);
    for (const auto& condition : rule.when) {
      series.insert(condition.series);
      facts.insert(condition.fact);
      facts.insert(condition.of);
      bits.insert(condition.bit);
      events.insert(condition.event);
    }
  }
  const auto recorded = catalogue::columns();
  const auto known = catalogue::facts();
  const auto said = names_in("telemetry");
  series.erase("");
  facts.erase("");
  bits.erase("");
  events.erase("");
  CHECK(series.size() > 15);
  CHECK(facts.size() > 10);
  for (const std::string& name : series) {
    INFO(name);
    CHECK(is_known(name, recorded));
  }
  CHECK(bits.size() > 3);
  for (const std::string& name : bits) {
    INFO(name);
    CHECK(std::any_of(contract::kThrottleReasons.begin(), contract::kThrottleReasons.end(),
                      [&](const contract::ThrottleReason& reason) { return reason.name == name; }));
  }
  CHECK(events.size() > 5);
  for (const std::string& name : events) {
    INFO(name);
    CHECK(said.contains(name));
  }
  for (const std::string& name : facts) {
    INFO(name);
    CHECK(is_known(name, known));
  }
  CHECK_FALSE(is_known("gpu.powr", recorded));
  CHECK_FALSE(is_known("nic.*.pcie_widht", known));
}

TEST_CASE("every fact of the shipped comparison is one that the harness gives") {
  const auto known = catalogue::facts();
  for (const auto& rule : config::load_comparison(kRoot + "/configs/comparison.json")) {
    INFO(rule.fact);
    CHECK(is_known(rule.fact, known));
  }
}

}  // namespace rackproof::cause
