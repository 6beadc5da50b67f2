#include "harness/cli/command_line.hpp"

namespace rackproof::cli {

void CommandLine::add_run() {
  CLI::App* sub = verb("run", "Run a suite on this machine, or over all ranks of a launcher");
  takes(sub->add_option("--suite", options.run.suite, "name or file of the suite"),
        manual::listed_or_file("SUITE", "suites"))
      ->capture_default_str();
  takes(sub->add_option("--platform", options.run.platform,
                        "platform table, by name or file; auto: the one that matches the host"),
        platform_value())
      ->capture_default_str();
  sub->add_flag("--force-platform", options.run.force_platform,
                "use the --platform table even where a host does not match it");
  takes(sub->add_option("--out", options.run.out, "run directory; the report is DIR/report.json"),
        manual::directory("DIR"))
      ->default_str("rackproof- and the time");
  takes(sub->add_option("--rescue", options.run.rescue,
                        "where rank 0 saves the run if the run directory is lost"),
        manual::directory("DIR"))
      ->default_str("the temporary folder");
  takes(sub->add_option("--filter", options.run.filters,
                        "run only steps whose id or program matches"),
        manual::listed("GLOB", "benches"));
  takes(
      sub->add_option("--exclude", options.run.excludes, "skip steps whose id or program matches"),
      manual::listed("GLOB", "benches"));
  takes(sub->add_option("--label", options.run.labels, "label to store in the report"),
        manual::text("KEY=VALUE"));
  // What is wrong with a value is said by run itself.
  manual::Value hardware = manual::text("KIND");
  hardware.words = {"gpu"};
  takes(sub->add_option("--require", options.run.require,
                        "gpu: accept only if every host has GPUs and all of them passed"),
        hardware);
  takes(sub->add_option("--expect", options.run.expect,
                        "expected hardware: hosts=18,gpus=72, or an asset list file; a run on "
                        "anything else is incomplete"),
        manual::file("EXTENT"));
  takes(sub->add_option("--history", options.run.history,
                        "history of earlier runs, written by learn --history"),
        manual::file("FILE"));
  add_topology(sub, options.run.topology);
  takes(sub->add_option("--allow-programs", options.run.allow_programs,
                        "folder with further programs that a suite may run"),
        manual::directory("DIR"));
  takes(sub->add_option("--disturbed", options.run.disturbed,
                        "results measured while other programs took CPU time: repeat them, and "
                        "leave them untested if that does not help, or ignore the disturbance "
                        "(noted in the report)"),
        manual::choice("WORD", {"repeat", "ignore"}))
      ->default_str("the suite's");
  takes(sub->add_option(
            "--accept-groups", options.run.accept_groups,
            "accept parts of one kind whose results fall into two groups, for this reason"),
        manual::text("REASON"));
  takes(sub->add_option("--accept-unjudged", options.run.accept_unjudged,
                        "accept a claim of the suite that no limit judged, for this reason"),
        manual::text("CLAIM=REASON"))
      ->allow_extra_args(false);
  add_waive(sub, options.run.waive);
  add_resume(sub);
  takes(sub->add_option("--time-budget", options.run.time_budget,
                        "start no step after this time: 90 s, 10 min, 2 h"),
        manual::text("TIME"))
      ->default_str("the suite's");
  sub->add_flag("--no-record", options.run.no_record,
                "do not sample host and GPU telemetry during the run");
  add_render_option(sub, options.run.render);
  add_extent(sub);
  sub->callback([this] { chosen = [this] { return run_verb(options.run, program); }; });
}

void CommandLine::add_extent(CLI::App* sub) {
  CLI::Option* quiet = sub->add_flag(
      "--quiet,-q", options.run.quiet,
      "print problems while it runs, and at the end the verdict and where the report is");
  sub->add_flag("--verbose,-v", options.run.verbose, "print the whole summary at the end, as show")
      ->excludes(quiet);
  CLI::Option* all = sub->add_flag(
      "--all", options.run.all,
      "print every cell: at the end, or of a --dry-run with the limit that would judge it");
  all->excludes(quiet);
  CLI::Option* dry =
      sub->add_flag("--dry-run", options.run.dry_run,
                    "print what would be measured, by step, with its limits and the time it takes; "
                    "run nothing and exit with 8");
  sub->add_flag("--json", options.run.json, "print the --dry-run as JSON")
      ->needs(dry)
      ->excludes(all);
}

void CommandLine::add_topology(CLI::App* sub, std::vector<std::string>& files) {
  takes(sub->add_option("--topology", files,
                        "where adapters are connected, to name slow parts: output of "
                        "ibnetdiscover or iblinkinfo, lldpctl -f json of each host as HOST.json, "
                        "CSV with a header, or a folder of these"),
        manual::file("FILE"))
      ->allow_extra_args(false);
}

void CommandLine::add_waive(CLI::App* sub, std::vector<std::string>& given) {
  takes(sub->add_option("--waive", given,
                        "waive results that do not pass: a file of waivers (*.json), or one as "
                        "'METRIC on SUBJECT until YYYY-MM-DD by NAME: REASON'"),
        manual::file("WAIVER"))
      ->allow_extra_args(false);
}

void CommandLine::add_resume(CLI::App* sub) {
  takes(sub->add_option("--resume", options.run.resume, "continue the run in this directory"),
        manual::directory("DIR"))
      ->excludes("--out")
      ->excludes("--suite")
      ->excludes("--label")
      ->excludes("--expect")
      ->excludes("--filter")
      ->excludes("--exclude")
      ->excludes("--history")
      ->excludes("--require")
      ->excludes("--disturbed")
      ->excludes("--accept-groups")
      ->excludes("--accept-unjudged")
      ->excludes("--waive")
      ->excludes("--topology");
  takes(sub->add_option("--without", options.run.without,
                        "resume without this host; its missing cells stay untested"),
        manual::text("HOST"))
      ->needs("--resume")
      ->allow_extra_args(false);
  sub->add_flag("--allow-upgrade", options.run.allow_upgrade,
                "resume although programs changed since; noted in the report")
      ->needs("--resume");
}

}  // namespace rackproof::cli
