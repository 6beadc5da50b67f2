#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "benches/protocol/version.hpp"
#include "harness/cli/probe.hpp"
#include "harness/cli/verbs.hpp"
#include "harness/config/located_json.hpp"
#include "harness/config/platform.hpp"
#include "harness/config/suite.hpp"
#include "reports/model/quantity.hpp"

namespace rackproof::cli {
namespace {

struct Row {
  std::string name;
  std::string text;
};

std::vector<Row> bench_rows(const Program& program) {
  std::vector<Row> rows;
  for (const auto& bench : describe_benches(program.paths.programs)) {
    rows.push_back({bench.program,
                    bench.problem.empty() ? bench.summary : "cannot be used: " + bench.problem});
  }
  for (const auto& bench : program.in_rank) {
    const auto known = std::find_if(rows.begin(), rows.end(),
                                    [&](const Row& row) { return row.name == bench.program; });
    if (known != rows.end()) known->text += " (inside the ranks)";
  }
  return rows;
}

std::vector<Row> suite_rows(const Program& program) {
  std::vector<Row> rows;
  for (const std::string& name : names_in(program.paths.suites, ".json")) {
    try {
      const config::Suite suite = config::load_suite(program.paths.suites + "/" + name + ".json");
      rows.push_back(
          {name, fmt::format("{} ({} steps, at most {})", suite.info.title, suite.steps.size(),
                             model::duration(suite.time_budget_seconds))});
    } catch (const config::ConfigError& error) {
      rows.push_back({name, std::string("cannot be used: ") + error.what()});
    }
  }
  return rows;
}

std::vector<Row> platform_rows(const Program& program) {
  std::vector<Row> rows;
  for (const std::string& name : names_in(program.paths.platforms, ".json")) {
    try {
      const auto table = config::load_platform(program.paths.platforms + "/" + name + ".json",
                                               program.paths.platforms);
      rows.push_back({name, fmt::format("{} ({} baselines{})", table.title, table.baselines.size(),
                                        table.generic ? ", generic checks only" : "")});
    } catch (const config::ConfigError& error) {
      rows.push_back({name, std::string("cannot be used: ") + error.what()});
    }
  }
  return rows;
}

std::vector<Row> feature_rows() {
  std::vector<Row> rows;
  for (const auto& feature : protocol::features()) {
    rows.push_back({std::string(feature.name),
                    feature.on
                        ? "on"
                        : fmt::format("off: {}; without it: {}", feature.why_off, feature.lost)});
  }
  return rows;
}

}  // namespace

int list_verb(const ListOptions& options, const Program& program) {
  const std::vector<std::pair<std::string, std::vector<Row>>> parts = {
      {"benches", bench_rows(program)},
      {"suites", suite_rows(program)},
      {"platforms", platform_rows(program)},
      {"features", feature_rows()}};
  if (options.json) {
    nlohmann::json document;
    for (const auto& [title, rows] : parts) {
      document[title] = nlohmann::json::array();
      for (const Row& row : rows) {
        document[title].push_back({{"name", row.name}, {"text", row.text}});
      }
    }
    print(document.dump(1) + "\n");
    return 0;
  }
  std::string out;
  for (const auto& [title, rows] : parts) {
    out += title + "\n";
    for (const Row& row : rows) out += fmt::format("  {:<18} {}\n", row.name, row.text);
  }
  print(out);
  return 0;
}

}  // namespace rackproof::cli
