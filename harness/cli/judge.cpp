#include "harness/judge/judge.hpp"

#include <filesystem>
#include <optional>

#include "harness/cause/explain.hpp"
#include "harness/cli/force_platform.hpp"
#include "harness/cli/history_file.hpp"
#include "harness/cli/report_file.hpp"
#include "harness/cli/row_source.hpp"
#include "harness/cli/stream_judge.hpp"
#include "harness/cli/verbs.hpp"
#include "harness/config/causes.hpp"
#include "harness/config/platform.hpp"
#include "harness/learn/learn.hpp"
#include "reports/model/report_json.hpp"

namespace rackproof::cli {

namespace {

void choose_platform(const JudgeOptions& options, const Program& program, model::Report& report) {
  if (options.platform.empty()) return;
  const std::string path = resolve_config(options.platform, program.paths.platforms, "platform");
  force_platform(report, config::load_platform(path, program.paths.platforms),
                 options.force_platform);
}

void choose_causes(const JudgeOptions& options, model::Report& report) {
  if (!options.causes.empty()) report.cause_table = config::load_causes(options.causes);
}

/// Without having all cells in memory; nothing for a report that is laid out in another way.
std::optional<int> judge_where_it_is(const JudgeOptions& options, const Program& program) {
  const std::string path = report_file(options.report);
  const InputFile file(path);
  try {
    const model::ReportPieces pieces(file.bytes(), file.size());
    model::Report report = pieces.without_cells(on_all_cores);
    require_policy(report, path);
    choose_platform(options, program, report);
    choose_causes(options, report);
    const terminal::PassedCells passed = judge_in_pieces(pieces, report);
    print(summary(report, passed, program));
    return model::exit_code_of(report.acceptance);
  } catch (const model::NotPlain&) {
    return std::nullopt;
  }
}

}  // namespace

int judge_verb(const JudgeOptions& options, const Program& program) {
  keep_freed_memory();
  // A report that is to be written, or given a history, is needed as a whole.
  if (options.out.empty() && options.history.empty()) {
    if (const auto code = judge_where_it_is(options, program)) return *code;
  }
  model::Report report = load_report(options.report);
  choose_platform(options, program, report);
  choose_causes(options, report);
  if (!options.history.empty()) {
    report.history = learn::relevant_to(report, load_history(options.history));
  }
  judge::judge(report, on_all_cores);
  cause::explain(report);
  if (!options.out.empty()) {
    const std::filesystem::path path(options.out);
    warden::DirectoryStore store(path.has_parent_path() ? path.parent_path().string() : ".");
    store.write_durably(path.filename().string(), model::to_json(report));
  }
  print(summary(report, program, false));
  return model::exit_code_of(report.acceptance);
}

}  // namespace rackproof::cli
