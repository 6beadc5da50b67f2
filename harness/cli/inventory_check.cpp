#include "harness/cli/inventory_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "harness/config/comparison.hpp"
#include "harness/config/installed.hpp"
#include "harness/config/suite.hpp"
#include "harness/inventory/inventory.hpp"
#include "harness/job/run_request.hpp"
#include "harness/lint/judging_tables.hpp"
#include "harness/recognise/expectations.hpp"
#include "harness/recognise/recognise.hpp"
#include "harness/support/clock.hpp"
#include "harness/support/files.hpp"
#include "harness/uniformity/compare.hpp"
#include "reports/json/report_json.hpp"
#include "reports/model/printable.hpp"
#include "reports/model/words.hpp"

namespace rackproof::cli {
namespace {

model::NodeInventory read_inventory(const std::string& path) {
  try {
    return model::node_from_json(support::read_file(path));
  } catch (const std::runtime_error& error) {
    throw UsageError(
        fmt::format("{}: is not what rackproof inventory --json prints: {}", path, error.what()));
  }
}

std::vector<model::NodeInventory> read_nodes(const InventoryOptions& options) {
  if (options.files.empty()) {
    return {inventory::collect(options.sysroot, job::parse_seconds(options.nvml_deadline))};
  }
  std::vector<model::NodeInventory> nodes;
  std::map<std::string, std::string> file_of_host;
  for (const std::string& path : options.files) {
    nodes.push_back(read_inventory(path));
    const auto [other, fresh] = file_of_host.emplace(nodes.back().host, path);
    if (!fresh) {
      throw UsageError(fmt::format("{}: is of the host {}, and so is {}; expected one of each host",
                                   path, nodes.back().host, other->second));
    }
  }
  return nodes;
}

std::string summary_of(const model::Report& report) {
  std::map<std::string, std::size_t> platforms;
  std::size_t devices = 0;
  for (const auto& node : report.nodes) {
    const auto platform = report.platform_of_host.find(node.host);
    ++platforms[platform == report.platform_of_host.end() ? "no platform" : platform->second];
    devices += node.devices.size();
  }
  std::string names;
  for (const auto& [id, hosts] : platforms) {
    names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", id, hosts);
  }
  const auto counted = [](std::size_t n, const char* what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
  };
  return fmt::format("{}, {}: {}\n", counted(report.nodes.size(), "host"),
                     counted(devices, "device"), names);
}

std::string text_of(const model::Report& report) {
  std::string text = summary_of(report);
  for (const model::Finding& finding : report.findings) {
    text += model::printable(fmt::format("{} {}, {}: {}", contract::word(finding.severity),
                                         finding.id, finding.subject, finding.text)) +
            "\n";
  }
  if (report.findings.empty()) text += "nothing found\n";
  return text;
}

std::string json_of(const model::Report& report) {
  nlohmann::json document;
  document["schema"] = "rackproof/inventory-check/1";
  document["hosts"] = report.nodes.size();
  document["platform_of_host"] = report.platform_of_host;
  document["findings"] = nlohmann::json::array();
  for (const model::Finding& finding : report.findings) {
    document["findings"].push_back(nlohmann::json::parse(model::to_json_line(finding)));
  }
  return document.dump() + "\n";
}

}  // namespace

int check_inventories(const InventoryOptions& options, const Program& program) {
  model::Report report;
  report.nodes = read_nodes(options);
  report.run.began_utc = support::SystemClock().utc();
  if (!options.suite.empty()) {
    report.suite = config::load_suite(
                       config::resolve_config(options.suite, program.paths, config::FileOf::kSuite))
                       .info;
  }
  lint::JudgingTables judging = lint::load_judging_tables(options.platform, program.paths);
  report.platforms = std::move(judging.tables);
  const recognise::PlatformChoice choice =
      judging.forced.empty() ? recognise::choose_platforms(report.nodes, report.platforms)
                             : recognise::force_platform(report.nodes, report.platforms.front(),
                                                         "the platform was named with --platform");
  report.platform_of_host = choice.of_host;
  report.findings = uniformity::compare(report.nodes, report.platform_of_host,
                                        config::load_comparison(program.paths.comparison));
  report.findings.insert(report.findings.end(), choice.findings.begin(), choice.findings.end());
  for (model::Finding& finding : report.findings) {
    model::suppress(finding, report.suite.suppress, report.run.began_utc);
  }
  for (model::Finding& finding : recognise::find_unmet(report)) {
    report.findings.push_back(std::move(finding));
  }
  std::stable_sort(report.findings.begin(), report.findings.end(),
                   [](const auto& a, const auto& b) { return a.severity > b.severity; });
  print(options.json ? json_of(report) : text_of(report));
  const bool grave =
      !report.findings.empty() && report.findings.front().severity >= model::Severity::kError;
  return grave ? kRejected : kAccepted;
}

}  // namespace rackproof::cli
