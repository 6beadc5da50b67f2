#include <catch2/catch.hpp>
#include <filesystem>
#include <iostream>

#include "harness/config/bench.hpp"
#include "harness/config/platform.hpp"
#include "harness/coverage/coverage.hpp"

using namespace rackproof;

namespace {

const std::string kConfigs = std::string(RACKPROOF_SOURCE_DIR) + "/configs/";

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

config::MetricCatalogue shipped_catalogue() {
  config::MetricCatalogue all;
  for (const auto& bench :
       std::filesystem::directory_iterator(std::string(RACKPROOF_SOURCE_DIR) + "/benches")) {
    const auto file = bench.path() / "bench.json";
    if (!std::filesystem::exists(file)) continue;
    for (auto& kind : config::load_metrics(file.string())) all.push_back(std::move(kind));
  }
  return all;
}

std::vector<config::Suite> suites() {
  std::vector<config::Suite> all;
  for (const std::string& file : files_in(kConfigs + "suites")) {
    all.push_back(config::load_suite(file));
  }
  return all;
}

}  // namespace

TEST_CASE("each figure of the shipped tables is measured by a shipped suite") {
  const auto known = shipped_catalogue();
  const auto all = suites();
  std::set<coverage::Figure> stated;
  std::set<coverage::Figure> used;
  for (const std::string& file : files_in(kConfigs + "platforms")) {
    const model::PlatformTable table = config::load_platform(file, "");
    if (table.is_abstract) continue;
    stated.merge(coverage::figures(table));
    used.merge(coverage::measured(table, all, known));
  }
  CHECK(stated.size() > 100);
  for (const coverage::Figure& one : stated) {
    INFO(one.first << ": " << one.second);
    CHECK(used.contains(one));
  }
}
