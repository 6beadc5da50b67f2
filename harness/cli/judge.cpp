#include "harness/judge/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "harness/archive/report_file.hpp"
#include "harness/assemble/assemble.hpp"
#include "harness/cause/causes.hpp"
#include "harness/cli/summary.hpp"
#include "harness/cli/verbs.hpp"
#include "harness/evidence/claims.hpp"
#include "harness/job/accepted_claims.hpp"
#include "harness/job/hook.hpp"
#include "harness/job/site_waivers.hpp"
#include "harness/learn/history_file.hpp"
#include "harness/learn/learn.hpp"
#include "harness/lint/judging_tables.hpp"
#include "harness/rejudge/before_claims.hpp"
#include "harness/rejudge/check_document.hpp"
#include "harness/rejudge/force_platform.hpp"
#include "harness/rejudge/held_against.hpp"
#include "harness/rejudge/stream_judge.hpp"
#include "harness/support/files.hpp"
#include "harness/support/memory.hpp"
#include "harness/support/parallel.hpp"
#include "harness/topology/attach.hpp"
#include "harness/topology/topology.hpp"

namespace rackproof::cli {

namespace {

// What a report says of suite and tables is what it is judged by: a verdict of a report that has
// them otherwise than they are would be worth nothing.
void refuse(const rejudge::Complaints& complaints, const std::string& path) {
  if (complaints.empty()) return;
  throw IntegrityError(fmt::format("{}: {}{}", path, complaints.front(),
                                   complaints.size() == 1
                                       ? std::string()
                                       : fmt::format(" (and {} more)", complaints.size() - 1)));
}

void refuse_others(const rejudge::OwedCells& owed,
                   const std::vector<rejudge::OwedCells::Mark>& cells, const std::string& path) {
  refuse(owed.steps(), path);
  refuse(owed.compare(cells), path);
}

void choose_platform(const JudgeOptions& options, const Program& program, model::Report& report) {
  if (options.platform.empty()) return;
  const lint::JudgingTables judging = lint::load_judging_table(options.platform, program.paths);
  rejudge::force_platform(report, judging.tables.front(), options.force_platform);
}

void accept(const JudgeOptions& options, model::Report& report) {
  if (!options.accept_groups.empty()) report.suite.policy.accept_groups = options.accept_groups;
  std::vector<std::string> ids;
  for (const model::Claim& claim : evidence::claims_of(report)) ids.push_back(claim.id);
  for (auto& [id, why] : job::parse_accepted_claims(options.accept_unjudged, ids)) {
    report.run.accept_unjudged[id] = std::move(why);
  }
  for (model::CellWaiver& waiver : job::waivers_of(options.waive)) {
    report.run.waivers.push_back(std::move(waiver));
  }
}

void choose_causes(const JudgeOptions& options, model::Report& report) {
  if (!options.causes.empty()) report.cause_table = cause::load_causes(options.causes);
}

void place_adapters(const JudgeOptions& options, model::Report& report) {
  topology::Attached attached =
      topology::attach(topology::load_topology(options.topology), report.nodes);
  for (model::Finding& gap : attached.gaps) {
    auto& findings = report.findings;
    if (std::find(findings.begin(), findings.end(), gap) == findings.end()) {
      findings.push_back(std::move(gap));
    }
  }
}

/// Without having all cells in memory; nothing for a report that is laid out in another way.
std::optional<int> judge_where_it_is(const JudgeOptions& options, const Program& program) {
  const std::string path = archive::report_file(options.report);
  const support::InputFile file(path);
  try {
    const model::ReportPieces pieces(file.bytes(), file.size());
    model::Report report = pieces.without_cells(support::on_all_cores);
    archive::require_policy(report, path);
    refuse(rejudge::contradictions(report, program.paths), path);
    const rejudge::OwedCells owed(report, program.paths);
    accept(options, report);
    rejudge::mark_generic_limits(report, program.paths);
    choose_platform(options, program, report);
    choose_causes(options, report);
    place_adapters(options, report);
    std::vector<rejudge::OwedCells::Mark> marks;
    const terminal::PassedCells passed =
        rejudge::judge_in_pieces(pieces, report, owed.known() ? &marks : nullptr);
    refuse_others(owed, marks, path);
    print(summary(report, passed, program));
    return model::exit_code_of(report.acceptance);
  } catch (const model::NotPlain&) {
    return std::nullopt;
  }
}

}  // namespace

int judge_verb(const JudgeOptions& options, const Program& program) {
  support::keep_freed_memory();
  const job::Hook hook = job::parse_hook(options.hook);
  // A report that is to be written, or given a history, is needed as a whole.
  if (options.out.empty() && options.history.empty()) {
    if (const auto code = judge_where_it_is(options, program)) return *code;
  }
  model::Report report = archive::load_report(options.report);
  const std::string path = archive::report_file(options.report);
  refuse(rejudge::contradictions(report, program.paths), path);
  std::vector<rejudge::OwedCells::Mark> marks;
  for (const model::Cell& cell : report.cells) marks.push_back(rejudge::OwedCells::mark(cell));
  refuse_others(rejudge::OwedCells(report, program.paths), marks, path);
  accept(options, report);
  rejudge::mark_generic_limits(report, program.paths);
  choose_platform(options, program, report);
  choose_causes(options, report);
  place_adapters(options, report);
  if (!options.history.empty()) {
    report.history = learn::relevant_to(report, learn::load_history(options.history));
  }
  judge::judge(report, support::on_all_cores);
  report.schema_version = model::kSchemaVersion;  // whose terms the verdicts are
  assemble::explain(report);
  if (!options.out.empty()) archive::write_json(options.out, report);
  print(summary(report, program, false));
  if (!options.out.empty()) job::run_hook(hook, job::judged_of(report, options.out));
  return model::exit_code_of(report.acceptance);
}

}  // namespace rackproof::cli
