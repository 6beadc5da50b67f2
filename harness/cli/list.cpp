#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>

#include "benches/protocol/version.hpp"
#include "harness/archive/rendering.hpp"
#include "harness/cli/verbs.hpp"
#include "harness/config/platform.hpp"
#include "harness/config/suite.hpp"
#include "harness/coverage/platform_coverage.hpp"
#include "harness/coverage/platform_page.hpp"
#include "harness/document/located_json.hpp"
#include "harness/fleet/rank_program.hpp"
#include "harness/job/installation.hpp"
#include "harness/job/probe.hpp"
#include "reports/catalogue/catalogue.hpp"
#include "reports/catalogue/quantity.hpp"
#include "reports/model/quantity.hpp"

namespace rackproof::cli {
namespace {

struct Row {
  std::string name;
  std::string text;
  nlohmann::json more = nlohmann::json::object();  ///< what only --json says
};

struct Part {
  std::string title;
  std::vector<Row> rows;
};

std::vector<Row> bench_rows(const Program& program) {
  std::vector<Row> rows;
  for (const auto& bench : job::describe_benches(program.paths.programs)) {
    rows.push_back({bench.program,
                    bench.problem.empty() ? bench.summary : "cannot be used: " + bench.problem});
    if (bench.program.ends_with("-mpi")) rows.back().text += " (inside the ranks)";
  }
  return rows;
}

std::vector<Row> suite_rows(const Program& program) {
  std::vector<Row> rows;
  for (const auto& [name, path] : config::files_of(program.paths, config::FileOf::kSuite)) {
    try {
      const config::Suite suite = config::load_suite(path);
      rows.push_back(
          {name, fmt::format("{} ({} steps, at most {})", suite.info.title, suite.steps.size(),
                             model::duration(suite.time_budget_seconds))});
    } catch (const document::ConfigError& error) {
      rows.push_back({name, std::string("cannot be used: ") + error.what()});
    }
  }
  return rows;
}

std::string word_of(const model::PlatformTable& table) {
  if (table.is_abstract) return "family";
  return table.generic ? "generic" : "platform";
}

Row platform_row(const model::PlatformTable& table) {
  const coverage::SourcedCount count = coverage::sourced_baselines(table);
  Row row;
  row.name = table.id;
  row.text = fmt::format("{} ({} sourced baselines", table.title, count.own + count.inherited);
  if (count.inherited > 0) row.text += fmt::format(", {} of them inherited", count.inherited);
  row.text += table.generic ? "; generic checks only)" : ")";
  row.more = {{"title", table.title},
              {"type", word_of(table)},
              {"extends", std::vector<std::string>(table.chain.begin() + 1, table.chain.end())},
              {"sourced_baselines", {{"own", count.own}, {"inherited", count.inherited}}}};
  return row;
}

// Machines and families apart: a family is recognised nowhere.
std::vector<Part> platform_parts(const Program& program) {
  std::vector<Row> platforms;
  std::vector<Row> families;
  for (const auto& [name, path] : config::files_of(program.paths, config::FileOf::kPlatform)) {
    try {
      const auto table = config::load_platform(path, program.paths.platforms);
      (table.is_abstract ? families : platforms).push_back(platform_row(table));
    } catch (const document::ConfigError& error) {
      platforms.push_back({name, std::string("cannot be used: ") + error.what()});
    }
  }
  return {{"platforms", std::move(platforms)}, {"families", std::move(families)}};
}

std::vector<Row> feature_rows(const Program& program) {
  std::vector<Row> rows;
  const std::string folder = std::filesystem::path(program.paths.self).parent_path().string();
  const bool alone =
      fleet::find_obstacle(folder, fleet::mpi_soname(), {}) == fleet::RankObstacle::kNotInstalled;
  for (const auto& feature : protocol::features()) {
    if (feature.name == "mpi" && alone) {
      rows.push_back({"mpi", fmt::format("off: {} is not installed; without it: {}",
                                         fleet::kRankProgram, feature.lost)});
      continue;
    }
    rows.push_back({std::string(feature.name),
                    feature.on
                        ? "on"
                        : fmt::format("off: {}; without it: {}", feature.why_off, feature.lost)});
  }
  return rows;
}

std::vector<Row> format_rows() {
  std::vector<Row> rows;
  for (const archive::Rendering& rendering : archive::renderings()) {
    rows.push_back({rendering.name, "beside a report as " + rendering.file});
  }
  return rows;
}

std::vector<Row> id_rows() {
  std::vector<Row> rows;
  for (const auto& entry : catalogue::catalogue()) {
    rows.push_back({std::string(entry.id), fmt::format("{}: {}", entry.kind, entry.title)});
  }
  return rows;
}

std::vector<Row> quantity_rows(std::span<const catalogue::Quantity> quantities) {
  std::vector<Row> rows;
  for (const catalogue::Quantity& one : quantities) {
    std::string text(one.meaning);
    // What is counted has no unit that anybody would write.
    if (!one.unit.empty() && one.unit != "count" && one.unit != "1") {
      text += fmt::format(", in {}", one.unit);
    }
    rows.push_back({std::string(one.name), std::move(text), {{"unit", one.unit}}});
  }
  return rows;
}

std::vector<Part> parts_of(const std::string& wanted, const Program& program) {
  const auto asked = [&wanted](const char* part) { return wanted.empty() || wanted == part; };
  std::vector<Part> parts;
  if (asked("benches")) parts.push_back({"benches", bench_rows(program)});
  if (asked("suites")) parts.push_back({"suites", suite_rows(program)});
  if (asked("platforms")) {
    for (Part& part : platform_parts(program)) parts.push_back(std::move(part));
  }
  if (asked("features")) parts.push_back({"features", feature_rows(program)});
  if (asked("formats")) parts.push_back({"formats", format_rows()});
  // There are many of these: only when they are asked for.
  if (wanted == "ids") parts.push_back({"ids", id_rows()});
  if (wanted == "facts") parts.push_back({"facts", quantity_rows(catalogue::facts())});
  if (wanted == "columns") parts.push_back({"columns", quantity_rows(catalogue::columns())});
  return parts;
}

// Coverage of one table.
Row coverage_row(const coverage::TableCoverage& one) {
  Row row;
  row.name = one.table;
  row.text = to_text(one.coverage);
  const auto rates = [](const coverage::Coverage::Rates& count) {
    return nlohmann::json{{"all", count.all}, {"limited", count.limited}};
  };
  nlohmann::json claims = nlohmann::json::array();
  for (const model::ClaimState& claim : one.coverage.claims) {
    claims.push_back({{"id", claim.id},
                      {"title", claim.title},
                      {"places", claim.places},
                      {"held", claim.held},
                      {"missing", claim.missing}});
    const auto deficit = one.coverage.deficits.find(claim.id);
    if (deficit != one.coverage.deficits.end()) claims.back()["finds_deficit"] = deficit->second;
  }
  row.more = {{"hosts", one.coverage.hosts},
              {"claims", std::move(claims)},
              {"rates", {{"gpu", rates(one.coverage.gpu)}, {"host", rates(one.coverage.host)}}},
              {"unlimited", one.coverage.unlimited}};
  return row;
}

std::vector<Part> coverage_parts(const ListOptions& options, const Program& program) {
  std::vector<Row> rows;
  for (const auto& one :
       coverage::coverage_of_tables(options.suite, options.hosts, program.paths)) {
    rows.push_back(coverage_row(one));
  }
  return {{"coverage", std::move(rows)}};
}

std::string as_json(const std::vector<Part>& parts) {
  nlohmann::json document;
  for (const Part& part : parts) {
    document[part.title] = nlohmann::json::array();
    for (const Row& row : part.rows) {
      nlohmann::json one = row.more;
      one["name"] = row.name;
      one["text"] = row.text;
      document[part.title].push_back(std::move(one));
    }
  }
  return document.dump(1) + "\n";
}

std::string as_text(const std::vector<Part>& parts) {
  constexpr std::size_t kNarrowest = 18;
  std::string out;
  for (const Part& part : parts) {
    std::size_t width = kNarrowest;
    for (const Row& row : part.rows) width = std::max(width, row.name.size());
    out += part.title + "\n";
    for (const Row& row : part.rows) out += fmt::format("  {:<{}} {}\n", row.name, width, row.text);
  }
  return out;
}

// A shell asks while somebody waits for it to complete a word: no file is read, no bench is
// started.
std::vector<std::string> names_of_part(const std::string& part, const Program& program) {
  std::vector<std::string> names;
  if (part == "suites" || part == "platforms") {
    const auto kind = part == "suites" ? config::FileOf::kSuite : config::FileOf::kPlatform;
    for (const auto& [name, path] : config::files_of(program.paths, kind)) names.push_back(name);
    return names;
  }
  if (part == "benches") {
    names = job::programs_in(program.paths.programs);
    for (const auto& bench : program.in_rank) names.push_back(bench.program);
  } else {
    for (const Part& one : parts_of(part, program)) {
      for (const Row& row : one.rows) names.push_back(row.name);
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

void print_names(const std::string& part, const Program& program) {
  std::string out;
  for (const std::string& name : names_of_part(part, program)) out += name + "\n";
  print(out);
}

}  // namespace

int list_verb(const ListOptions& options, const Program& program) {
  if (options.markdown) {
    if (options.part != "platforms") {
      throw UsageError("--markdown is for platforms: rackproof list platforms --markdown");
    }
    print(coverage::platform_page(program.paths));
    return 0;
  }
  if (options.names) {
    if (options.part.empty())
      throw UsageError("--names is for one part: rackproof list suites --names");
    print_names(options.part, program);
    return 0;
  }
  if (options.coverage && options.part != "platforms") {
    throw UsageError("--coverage is for platforms: rackproof list platforms --coverage");
  }
  const std::vector<Part> parts =
      options.coverage ? coverage_parts(options, program) : parts_of(options.part, program);
  print(options.json ? as_json(parts) : as_text(parts));
  return 0;
}

}  // namespace rackproof::cli
