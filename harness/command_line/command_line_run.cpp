#include "harness/command_line/command_line_run.hpp"

#include "harness/archive/report_file.hpp"
#include "harness/command_line/option_values.hpp"

namespace rackproof::command_line {
namespace {

void add_rescue(CommandLine& line, CLI::App* sub) {
  line.takes(sub->add_option("--rescue", line.options.run.rescue,
                             "where rank 0 saves the run if the run directory is lost"),
             manual::directory("DIR"))
      ->default_str("the temporary folder");
}

/// Which suite, by which table, where to, and which of its steps.
void add_what(CommandLine& line, CLI::App* sub) {
  line.takes(sub->add_option("--suite", line.options.run.suite, "name or file of the suite"),
             manual::listed_or_file("SUITE", "suites"))
      ->capture_default_str();
  line.takes(
          sub->add_option("--platform", line.options.run.platform,
                          "platform table, by name or file; auto: the one that matches the host"),
          CommandLine::platform_value())
      ->capture_default_str();
  sub->add_flag("--force-platform", line.options.run.force_platform,
                "use the --platform table even where a host does not match it");
  line.takes(sub->add_option("--out,-o", line.options.run.out,
                             "run directory; the report is DIR/report.json, or report.json.zst"),
             manual::directory("DIR"))
      ->default_str("rackproof- and the time");
  add_rescue(line, sub);
  line.takes(sub->add_option("--filter", line.options.run.filters,
                             "run only steps whose id or program matches"),
             manual::listed("GLOB", "benches"));
  line.takes(sub->add_option("--exclude", line.options.run.excludes,
                             "skip steps whose id or program matches"),
             manual::listed("GLOB", "benches"));
  manual::Value hosts = manual::text("HOST");
  hosts.joined = true;
  line.takes(sub->add_option("--only-host", line.options.run.only_hosts,
                             "test only these hosts of the job; a part of it is never accepted"),
             hosts)
      ->delimiter(',')
      ->allow_extra_args(false);
  line.takes(sub->add_option("--failed", line.options.run.failed,
                             "test only what did not pass in this report of the same suite; a part "
                             "of a run is never accepted"),
             manual::file("REPORT"))
      ->excludes("--only-host");
}

/// When no step is started any more, what is recorded, and in which forms the report is written.
void add_course(CommandLine& line, CLI::App* sub) {
  line.takes(sub->add_option("--time-budget", line.options.run.time_budget,
                             "start no step after this time: 90 s, 10 min, 2 h"),
             manual::text("TIME"))
      ->check(is_time())
      ->default_str("the suite's");
  sub->add_flag("--no-record", line.options.run.no_record,
                "do not sample host and GPU telemetry during the run");
  line.add_render_option(sub, line.options.run.render);
  add_compress(line, sub, line.options.run.compress);
  add_hook(line, sub, line.options.run.hook);
}

CLI::Option* add_detail(CommandLine& line, CLI::App* sub, const char* all_text) {
  CLI::Option* quiet = sub->add_flag(
      "--quiet,-q", line.options.run.quiet,
      "print problems while it runs, and at the end the verdict and where the report is");
  sub->add_flag("--verbose,-v", line.options.run.verbose,
                "print the whole summary at the end, as show")
      ->excludes(quiet);
  CLI::Option* all = sub->add_flag("--all", line.options.run.all, all_text);
  all->excludes(quiet);
  return all;
}

void add_dry_run(CommandLine& line, CLI::App* sub, CLI::Option* all) {
  CLI::Option* dry =
      sub->add_flag("--dry-run", line.options.run.dry_run,
                    "print what would be measured, by step, with its limits and the time it takes; "
                    "run nothing and exit with 8");
  sub->add_flag("--json", line.options.run.json, "print the --dry-run as JSON")
      ->needs(dry)
      ->excludes(all);
  dry->excludes("--hook");
}

void add_resume(CommandLine& line, CLI::App* sub) {
  line.takes(sub->add_option("--resume", line.options.run.resume,
                             "continue the run in this directory"),
             manual::directory("DIR"))
      ->excludes("--out")
      ->excludes("--suite")
      ->excludes("--label")
      ->excludes("--expect")
      ->excludes("--filter")
      ->excludes("--exclude")
      ->excludes("--only-host")
      ->excludes("--failed")
      ->excludes("--history")
      ->excludes("--require")
      ->excludes("--disturbed")
      ->excludes("--accept-groups")
      ->excludes("--accept-unjudged")
      ->excludes("--waive")
      ->excludes("--topology");
  line.takes(sub->add_option("--without", line.options.run.without,
                             "resume without this host; its missing cells stay untested"),
             manual::text("HOST"))
      ->needs("--resume")
      ->allow_extra_args(false);
  sub->add_flag("--allow-upgrade", line.options.run.allow_upgrade,
                "resume although programs changed since; noted in the report")
      ->needs("--resume");
}

}  // namespace

CLI::Option* add_hook(CommandLine& line, CLI::App* sub, job::HookOptions& hook) {
  CLI::Option* program = line.takes(
      sub->add_option("--hook", hook.program,
                      "start this program after the verdict, with the path of the report; its exit "
                      "code changes nothing"),
      manual::file("PROGRAM"));
  line.takes(sub->add_option("--hook-timeout", hook.timeout, "kill the hook after this time"),
             manual::text("TIME"))
      ->check(is_time())
      ->capture_default_str()
      ->needs(program);
  return program;
}

void add_topology(CommandLine& line, CLI::App* sub, std::vector<std::string>& files) {
  line.takes(
          sub->add_option("--topology", files,
                          "where adapters are connected, to name slow parts: output of "
                          "ibnetdiscover or iblinkinfo, lldpctl -f json of each host as HOST.json, "
                          "CSV with a header, or a folder of these"),
          manual::file("FILE"))
      ->allow_extra_args(false);
}

void add_compress(CommandLine& line, CLI::App* sub, std::string& compress) {
  manual::Value when = manual::choice("WHEN", {});
  for (const auto& entry : archive::words_of(archive::Compress{})) {
    when.words.emplace_back(entry.text);
  }
  line.takes(sub->add_option("--compress", compress,
                             "write the report as report.json.zst (zstd); auto: above 8 MiB"),
             when)
      ->capture_default_str();
}

void add_waive(CommandLine& line, CLI::App* sub, std::vector<std::string>& given) {
  line.takes(
          sub->add_option("--waive", given,
                          "waive results that do not pass: a file of waivers (*.json), or one as "
                          "'METRIC on SUBJECT until YYYY-MM-DD by NAME: REASON'"),
          manual::file("WAIVER"))
      ->allow_extra_args(false);
}

void add_run(CommandLine& line) {
  CLI::App* sub = line.verb("run", "Run a suite on this machine, or over all ranks of a launcher");
  add_what(line, sub);
  line.takes(sub->add_option("--label", line.options.run.labels, "label to store in the report"),
             manual::text("KEY=VALUE"));
  // What is wrong with a value is said by run itself.
  manual::Value hardware = manual::text("KIND");
  hardware.words = {"gpu"};
  line.takes(sub->add_option("--require", line.options.run.require,
                             "gpu: accept only if every host has GPUs and all of them passed"),
             hardware);
  line.takes(sub->add_option("--expect", line.options.run.expect,
                             "expected hardware: hosts=18,gpus=72, or an asset list file; a run on "
                             "anything else is incomplete"),
             manual::file("EXTENT"));
  line.takes(sub->add_option("--history", line.options.run.history,
                             "history of earlier runs, written by learn --history"),
             manual::file("FILE"));
  add_topology(line, sub, line.options.run.topology);
  line.takes(sub->add_option("--allow-programs", line.options.run.allow_programs,
                             "folder with further programs that a suite may run"),
             manual::directory("DIR"));
  line.takes(
          sub->add_option("--disturbed", line.options.run.disturbed,
                          "results measured while other programs took CPU time: repeat them, and "
                          "leave them untested if that does not help, or ignore the disturbance "
                          "(noted in the report)"),
          manual::choice("WORD", {"repeat", "ignore"}))
      ->default_str("the suite's");
  line.takes(sub->add_option(
                 "--accept-groups", line.options.run.accept_groups,
                 "accept parts of one kind whose results fall into two groups, for this reason"),
             manual::text("REASON"));
  line.takes(sub->add_option("--accept-unjudged", line.options.run.accept_unjudged,
                             "accept a claim of the suite that no limit judged, for this reason"),
             manual::text("CLAIM=REASON"))
      ->allow_extra_args(false);
  add_waive(line, sub, line.options.run.waive);
  add_resume(line, sub);
  add_course(line, sub);
  CLI::Option* all = add_detail(
      line, sub,
      "print every cell: at the end, or of a --dry-run with the limit that would judge it");
  add_dry_run(line, sub, all);
  sub->callback(
      [&line] { line.chosen = [&line] { return cli::run_verb(line.options.run, line.program); }; });
}

void add_retest(CommandLine& line) {
  CLI::App* sub =
      line.verb("retest", "After a repair: measure what it touches again, and amend the report");
  job::RunOptions& run = line.options.run;
  line.takes(sub->add_option("report", run.retest.report,
                             "run directory or report to amend, with its journals beside it"),
             manual::file("REPORT"))
      ->required();
  line.takes(sub->add_option("--repaired", run.retest.repaired,
                             "host that was repaired, or HOST/GPU: UUID or index of one GPU of it; "
                             "everything else must be as it was"),
             manual::text("HOST"))
      ->required()
      ->allow_extra_args(false);
  line.takes(sub->add_option("--reason", run.retest.reason, "what was done; kept in the report"),
             manual::text("TEXT"))
      ->required();
  line.takes(sub->add_option("--ticket", run.retest.ticket, "where it is on record"),
             manual::text("ID"))
      ->required();
  line.takes(sub->add_option("--valid", run.retest.valid,
                             "measure results of the report that are older than this again"),
             manual::text("TIME"))
      ->check(is_time())
      ->capture_default_str();
  line.takes(sub->add_option("--out,-o", run.out, "directory of the new run"),
             manual::directory("DIR"))
      ->default_str("rackproof- and the time");
  add_rescue(line, sub);
  sub->add_flag("--allow-upgrade", run.allow_upgrade,
                "go on although programs changed since; noted in the report");
  add_course(line, sub);
  add_detail(line, sub, "print every cell at the end");
  sub->callback(
      [&line] { line.chosen = [&line] { return cli::run_verb(line.options.run, line.program); }; });
}

}  // namespace rackproof::command_line
