#include "harness/job/run_request.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "benches/protocol/version.hpp"
#include "harness/assemble/directory.hpp"
#include "harness/cause/causes.hpp"
#include "harness/config/comparison.hpp"
#include "harness/config/day.hpp"
#include "harness/config/extent.hpp"
#include "harness/config/installed.hpp"
#include "harness/config/metrics.hpp"
#include "harness/document/nearest.hpp"
#include "harness/job/accepted_claims.hpp"
#include "harness/job/failed.hpp"
#include "harness/job/installation.hpp"
#include "harness/job/resume_check.hpp"
#include "harness/job/run_directory.hpp"
#include "harness/job/run_lock.hpp"
#include "harness/job/site_waivers.hpp"
#include "harness/learn/history_file.hpp"
#include "harness/lint/judging_tables.hpp"
#include "harness/prove/proof_file.hpp"
#include "harness/resume/resume.hpp"
#include "harness/support/errors.hpp"
#include "harness/support/files.hpp"
#include "harness/topology/topology.hpp"
#include "reports/model/finding_id.hpp"
#include "reports/model/words.hpp"

namespace rackproof::job {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSuiteCopy = "suite.json";
// Where the report says that a suite could name other programs.
constexpr const char* kAllowedPrograms = "allowed_programs";
constexpr const char* kSite = "site_folders";
// How long a resume waits for the last of the run before it.
constexpr double kEndingSeconds = 10;

std::map<std::string, std::string> parse_labels(const std::vector<std::string>& texts) {
  std::map<std::string, std::string> labels;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw support::UsageError("--label " + text + ": expected KEY=VALUE");
    }
    labels[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return labels;
}

// Each once, in the order given.
std::vector<std::string> parse_requirements(const std::vector<std::string>& texts) {
  std::vector<std::string> required;
  for (const std::string& text : texts) {
    if (text != "gpu") {
      throw support::UsageError("--require " + text + ": not a kind of hardware; expected gpu");
    }
    if (std::find(required.begin(), required.end(), text) == required.end()) {
      required.push_back(text);
    }
  }
  return required;
}

std::vector<std::string> claims_in(const config::Suite& suite) {
  std::vector<std::string> ids;
  for (const model::Claim& claim : suite.info.claims) ids.push_back(claim.id);
  if (!ids.empty()) return ids;
  for (const config::Step& step : suite.steps) ids.push_back(step.id);
  return ids;
}

model::Extent parse_expect(const std::string& text) {
  if (text.empty()) return {};
  std::error_code error;
  // A file may have any name; a pair has an equals sign.
  if (text.find('=') == std::string::npos || fs::exists(text, error)) {
    return config::load_assets(text);
  }
  try {
    return config::parse_extent(text);
  } catch (const std::invalid_argument& bad) {
    throw support::UsageError(std::string("--expect ") + bad.what());
  }
}

void refuse_empty_selection(const resume::Request& request) {
  const auto& steps = request.suite.steps;
  if (std::any_of(steps.begin(), steps.end(), [&](const config::Step& step) {
        return plan::selected(step, request.selection);
      })) {
    return;
  }
  const std::vector<std::string> known = plan::names(request.suite);
  const std::vector<std::string_view> views(known.begin(), known.end());
  std::string text = "no step of suite " + request.suite.info.id + " is left";
  for (const std::string& filter : request.selection.filters) {
    text +=
        fmt::format("; --filter {} matches nothing{}", filter, document::suggestion(filter, views));
  }
  throw NothingSelected(text);
}

// Named on the command line, yet whoever may write there would choose what runs.
void refuse_open_folder(const std::string& folder) {
  struct stat status {};
  if (stat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) {
    throw support::UsageError("--allow-programs " + folder + ": there is no such directory");
  }
  if ((status.st_mode & S_IWOTH) != 0) {
    throw support::UsageError("--allow-programs " + folder +
                              ": everybody may write to this directory");
  }
}

void refuse_missing_programs(const resume::Request& request, const Program& program,
                             const std::string& allowed) {
  for (const config::Step& step : request.suite.steps) {
    if (!plan::selected(step, request.selection)) continue;
    const std::string name = step.bench + "-" + step.backend;
    const std::string path = program.paths.programs + "/" + name;
    const bool in_rank =
        std::any_of(program.in_rank.begin(), program.in_rank.end(),
                    [&](const crew::InRank& bench) { return bench.program == name; });
    // A world step of one rank is waived; its program may be missing, as in a build without MPI.
    const bool alone = step.backend == "mpi" && !request.mpi;
    // What a build leaves out is waived where there is no device, and untested where there is one.
    const bool optional = step.no_gpu_waives && plan::wants_devices(step);
    if (in_rank || alone || optional || access(path.c_str(), X_OK) == 0) continue;
    if (!allowed.empty() && access((allowed + "/" + name).c_str(), X_OK) == 0) continue;
    throw support::UsageError(fmt::format("step {}: there is no bench program {}{}", step.id, path,
                                          allowed.empty() ? "" : ", and none in " + allowed));
  }
}

void take_tables(lint::JudgingTables&& judging, resume::Request& request) {
  request.tables = std::move(judging.tables);
  request.forced_platform = judging.forced;
  request.table_warnings = std::move(judging.warnings);
}

// Why a host does not come back: what the report so far says of it, or that the user wants it so.
std::string why_without(const model::Report& before, const std::string& host) {
  for (const model::Finding& finding : before.findings) {
    if (finding.id == model::finding_id::kHostSetAside && finding.subject == host)
      return finding.text;
  }
  for (const model::Finding& finding : before.findings) {
    const auto on = finding.evidence.find("host");
    if (finding.id == model::finding_id::kRankLost && on != finding.evidence.end() &&
        on->second == contract::Scalar(host)) {
      return finding.text;
    }
  }
  return "it was named with --without";
}

// What was owed, as it was planned.
void keep_cells(const model::Report& before, resume::Request& request) {
  for (model::Cell cell : before.cells) {
    cell.measurements.clear();
    cell.confirmations.clear();
    cell.verdict = {};
    request.cells_before.push_back(std::move(cell));
  }
}

void set_aside(const RunOptions& options, const model::Report& before, resume::Request& request) {
  for (const std::string& host : options.without) {
    resume::SetAside one{host, why_without(before, host), std::nullopt, ""};
    for (const model::NodeInventory& node : before.nodes) {
      if (node.host == host) one.node = node;
    }
    const auto platform = before.platform_of_host.find(host);
    if (platform != before.platform_of_host.end()) one.platform = platform->second;
    request.set_aside.push_back(std::move(one));
  }
  if (request.set_aside.empty() && request.repairs.empty()) return;
  keep_cells(before, request);
}

// What the command line said when the run began.
void keep_policy(const model::Report& before, resume::Request& request) {
  request.suite.info.policy.disturbed = before.suite.policy.disturbed;
  request.suite.info.policy.accept_groups = before.suite.policy.accept_groups;
}

void keep_tables(const model::Report& before, resume::Request& request) {
  request.tables = before.platforms;
  request.bounds = before.bounds;
  if (before.run.platform_choice != model::PlatformChoice::kForced) return;
  request.forced_platform = before.platforms.front().id;
  request.force_platform = true;  // what contradicts it was settled when the run began
}

std::vector<std::string> in_rank_of(const Program& program) {
  std::vector<std::string> names;
  for (const crew::InRank& bench : program.in_rank) names.push_back(bench.program);
  return names;
}

PreparedRun prepare_retest(const RunOptions& options) {
  PreparedRun prepared;
  prepared.earlier = read_earlier_run(options.retest.report);
  const EarlierRun& earlier = *prepared.earlier;
  const model::Report& before = earlier.report;
  prepared.tool_before = before.tool;
  prepared.suite_text = earlier.suite_text;
  resume::Request& request = prepared.request;
  request.suite = config::load_suite(earlier.suite_file);
  if (request.suite.info.digest != before.suite.digest) {
    throw support::UsageError(earlier.suite_file +
                              ": is not the suite that the report was made with");
  }
  if (before.platforms.empty() || before.cells.empty()) {
    throw support::UsageError(options.retest.report +
                              ": the run ended before its plan was whole; begin a new run");
  }
  keep_policy(before, request);
  request.run_id = new_run_id();
  amend(earlier, options.retest, request);
  keep_tables(before, request);
  keep_cells(before, request);
  prepared.out = options.out.empty() ? new_directory_name("rackproof") : options.out;
  return prepared;
}

PreparedRun prepare_resume(const RunOptions& options, const Program& program) {
  PreparedRun prepared;
  prepared.out = options.resume;
  support::DirectoryStore store(options.resume);
  refuse_links(prepared.out);
  // The warden of a run whose rank 0 was killed still writes the report.
  if (!options.dry_run && store.exists(kSuiteCopy)) {
    prepared.lock = lock_directory(prepared.out, kEndingSeconds);
    sign_lock(prepared.lock);
  }
  const model::Report before = assemble::assemble_directory(store, options.resume);
  prepared.nothing_left = before.run.completed;
  prepared.tool_before = before.tool;
  prepared.suite_text = support::read_file(store.path(kSuiteCopy));
  resume::Request& request = prepared.request;
  request.suite = config::load_suite(store.path(kSuiteCopy));
  if (request.suite.info.digest != before.suite.digest) {
    throw support::UsageError(store.path(kSuiteCopy) +
                              ": is not the suite that the run began with");
  }
  keep_policy(before, request);
  resume::continue_from(before, request);
  request.segment = std::max(before.run.segments, resume::last_segment(store)) + 1;
  const bool forced = before.run.platform_choice == model::PlatformChoice::kForced;
  if (before.platforms.empty()) {
    // It ended before its plan was whole: which tables it had is not known any more.
    if (forced && options.platform == "auto") {
      throw support::UsageError(
          prepared.out + ": the run ended before its plan was whole; say its --platform again");
    }
    take_tables(lint::load_judging_tables(options.platform, program.paths), request);
    request.force_platform = options.force_platform;
  } else {
    if (options.platform != "auto" || options.force_platform) {
      throw support::UsageError(
          "--platform: the run was begun with its tables; judge the report by another one "
          "afterwards, or begin a new run");
    }
    keep_tables(before, request);
  }
  request.bounds = before.bounds;
  set_aside(options, before, request);
  return prepared;
}

PreparedRun prepare_new(const RunOptions& options, const Program& program) {
  PreparedRun prepared;
  resume::Request& request = prepared.request;
  const std::string path =
      config::resolve_config(options.suite, program.paths, config::FileOf::kSuite);
  request.suite = config::load_suite(path);
  prepared.suite_text = support::read_file(path);
  if (!options.disturbed.empty()) {
    request.suite.info.policy.disturbed =
        contract::enumerator_of<model::Disturbed>(options.disturbed).value();
  }
  if (!options.accept_groups.empty()) {
    request.suite.info.policy.accept_groups = options.accept_groups;
  }
  take_tables(lint::load_judging_tables(options.platform, program.paths), request);
  request.force_platform = options.force_platform;
  if (!options.history.empty()) request.history = learn::load_history(options.history);
  request.selection = {options.filters, options.excludes};
  request.only_hosts = options.only_hosts;
  request.only_hosts_of = "--only-host";
  if (!options.failed.empty()) select_failed(options.failed, in_rank_of(program), request);
  request.labels = parse_labels(options.labels);
  request.required = parse_requirements(options.require);
  request.extent = parse_expect(options.expect);
  request.accept_unjudged =
      parse_accepted_claims(options.accept_unjudged, claims_in(request.suite));
  request.waivers = waivers_of(options.waive);
  request.topology = topology::load_topology(options.topology);
  request.run_id = new_run_id();
  prepared.out = options.out.empty() ? new_directory_name("rackproof") : options.out;
  return prepared;
}

}  // namespace

std::string allowed_programs(const RunOptions& options) {
  if (options.allow_programs.empty()) return "";
  return fs::absolute(options.allow_programs).lexically_normal().string();
}

double parse_seconds(const std::string& text) { return config::parse_time(text, "s"); }

PreparedRun prepare_run(const RunOptions& options, const Program& program,
                        const fleet::Launcher& launcher, double budget_override_seconds) {
  PreparedRun prepared = !options.retest.report.empty() ? prepare_retest(options)
                         : options.resume.empty()       ? prepare_new(options, program)
                                                        : prepare_resume(options, program);
  resume::Request& request = prepared.request;
  request.launcher = launcher.name;
  request.mpi = launcher.wants_mpi;
  request.record = !options.no_record && !options.dry_run;
  request.command = program.command;
  request.time_budget_seconds =
      budget_override_seconds > 0 ? budget_override_seconds : request.suite.time_budget_seconds;
  request.in_rank_programs = in_rank_of(program);
  request.comparison = config::load_comparison(program.paths.comparison);
  request.causes = cause::load_causes(program.paths.causes);
  if (request.bounds.empty()) {
    request.bounds = config::bounds_of(lint::installed_metrics(program.paths));
  }
  refuse_empty_selection(request);
  const std::string allowed = allowed_programs(options);
  if (!allowed.empty()) refuse_open_folder(allowed);
  refuse_missing_programs(request, program, allowed);
  request.tool.version = protocol::version();
  request.tool.commit = protocol::commit();
  request.tool.build = protocol::build_facts();
  prepared.installed_benches = hash_benches(program.paths.programs);
  request.tool.bench_sha256 = prepared.installed_benches;
  if (!program.paths.sites.empty()) {
    request.tool.build[kSite] = fmt::format("{}", fmt::join(program.paths.sites, ", "));
  }
  if (!allowed.empty()) {
    request.tool.build[kAllowedPrograms] = allowed;
    request.tool.bench_sha256.merge(hash_benches(allowed));
  }
  if (prepared.tool_before) {
    const std::string why = changed_programs(*prepared.tool_before, request.tool, request.suite);
    if (!why.empty() && !options.allow_upgrade) {
      throw support::UsageError(
          why +
          ": results of both would stand in one report; begin a new run, or go on "
          "with --allow-upgrade, and the report says so");
    }
  }
  request.tool.proof =
      prove::read_proof(prove::proof_path(program.environment)).value_or(model::ProofInfo{});
  request.directory = fs::absolute(prepared.out).lexically_normal().string();
  if (options.resume.empty() && !options.dry_run) prepared.lock = take_new_directory(prepared.out);
  if (prepared.earlier) copy_earlier_run(*prepared.earlier, prepared.out);
  prepared.earlier.reset();  // it may be large
  return prepared;
}

}  // namespace rackproof::job
