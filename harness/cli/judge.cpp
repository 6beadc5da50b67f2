#include "harness/judge/judge.hpp"

#include <filesystem>

#include "harness/cli/force_platform.hpp"
#include "harness/cli/history_file.hpp"
#include "harness/cli/report_file.hpp"
#include "harness/cli/row_source.hpp"
#include "harness/cli/verbs.hpp"
#include "harness/config/platform.hpp"
#include "harness/learn/learn.hpp"
#include "reports/model/report_json.hpp"

namespace rackproof::cli {

int judge_verb(const JudgeOptions& options, const Program& program) {
  model::Report report = load_report(options.report);
  if (!options.platform.empty()) {
    const std::string path = resolve_config(options.platform, program.paths.platforms, "platform");
    force_platform(report, config::load_platform(path, program.paths.platforms),
                   options.force_platform);
  }
  if (!options.history.empty()) {
    report.history = learn::relevant_to(report, load_history(options.history));
  }
  judge::judge(report, on_all_cores);
  if (!options.out.empty()) {
    const std::filesystem::path path(options.out);
    warden::DirectoryStore store(path.has_parent_path() ? path.parent_path().string() : ".");
    store.write_durably(path.filename().string(), model::to_json(report));
  }
  print(summary(report, program, false));
  return model::exit_code_of(report.acceptance);
}

}  // namespace rackproof::cli
