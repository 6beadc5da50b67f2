#include "harness/judge/judge.hpp"

#include <filesystem>

#include "harness/cli/report_file.hpp"
#include "harness/cli/verbs.hpp"
#include "harness/config/platform.hpp"
#include "reports/model/report_json.hpp"

namespace rackproof::cli {
namespace {

// Every host is judged by this table from now on; the report says that it was chosen by hand.
void force_platform(model::Report& report, const model::PlatformTable& table) {
  report.platforms = {table};
  for (auto& [host, platform] : report.platform_of_host) platform = table.id;
  for (const auto& node : report.nodes) report.platform_of_host[node.host] = table.id;
  report.run.platform_choice = "judged again with --platform";
  std::erase_if(report.findings, [](const model::Finding& finding) {
    return finding.id == "platform-unrecognised" || finding.id == "mixed-platforms" ||
           finding.id == "ambiguous-platform" || finding.id == "platform-forced";
  });
  model::Finding finding;
  finding.id = "platform-forced";
  finding.severity = model::Severity::kWarning;
  finding.subject = table.id;
  finding.text = "judged again with the table " + table.id + ", named with --platform";
  report.findings.push_back(finding);
}

}  // namespace

int judge_verb(const JudgeOptions& options, const Program& program) {
  model::Report report = load_report(options.report);
  if (!options.platform.empty()) {
    const std::string path = resolve_config(options.platform, program.paths.platforms, "platform");
    force_platform(report, config::load_platform(path, program.paths.platforms));
  }
  judge::judge(report);
  if (!options.out.empty()) {
    const std::filesystem::path path(options.out);
    warden::DirectoryStore store(path.has_parent_path() ? path.parent_path().string() : ".");
    store.write_durably(path.filename().string(), model::to_json(report));
  }
  print(summary(report, program, false));
  return model::exit_code_of(report.acceptance);
}

}  // namespace rackproof::cli
