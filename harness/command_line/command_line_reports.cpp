#include "harness/command_line/command_line.hpp"
#include "harness/command_line/command_line_run.hpp"
#include "harness/command_line/option_values.hpp"
#include "reports/openmetrics/openmetrics.hpp"

namespace rackproof::command_line {

void CommandLine::add_reading_verbs() {
  CLI::App* check = verb("check", "Check suites, platform tables, record streams and reports");
  takes(check->add_option("path", options.check.paths, "files, or folders of .json files"),
        manual::file("PATH"))
      ->required();
  check->add_flag("--exit-code", options.check.exit_code,
                  "if all files are good, exit with the code of the worst verdict");
  check->add_flag("--json", options.check.json, "as JSON");
  check->callback([this] { chosen = [this] { return cli::check_verb(options.check, program); }; });

  CLI::App* made = verb("assemble", "Rebuild the report from the journals of a run");
  takes(made->add_option("directory", options.assemble.directory, "run directory"),
        manual::directory("DIR"))
      ->required();
  made->add_flag("--settle", options.assemble.settle)->group("");
  add_render_option(made, options.assemble.render);
  add_compress(*this, made, options.assemble.compress);
  made->callback(
      [this] { chosen = [this] { return cli::assemble_verb(options.assemble, program); }; });

  CLI::App* again = verb("judge", "Judge a report again, by its own platform table or another");
  takes_report(again, options.judge.report);
  takes(again->add_option("--platform", options.judge.platform, "platform table, by name or file"),
        manual::listed_or_file("PLATFORM", "platforms"))
      ->default_str("the report's own");
  again->add_flag("--force-platform", options.judge.force_platform,
                  "use that table even if the report does not match it");
  takes(again->add_option(
            "--accept-groups", options.judge.accept_groups,
            "accept parts of one kind whose results fall into two groups, for this reason"),
        manual::text("REASON"));
  takes(again->add_option("--accept-unjudged", options.judge.accept_unjudged,
                          "accept a claim of the suite that no limit judged, for this reason"),
        manual::text("CLAIM=REASON"))
      ->allow_extra_args(false);
  add_waive(*this, again, options.judge.waive);
  add_topology(*this, again, options.judge.topology);
  takes(again->add_option("--history", options.judge.history,
                          "history of earlier runs, written by learn --history"),
        manual::file("FILE"));
  takes(again->add_option("--causes", options.judge.causes,
                          "take causes from this table instead of the report's own"),
        manual::file("FILE"));
  takes(again->add_option("--out,-o", options.judge.out,
                          "write the judged report to this file, compressed if it ends in .zst"),
        manual::file("FILE"));
  add_hook(*this, again, options.judge.hook)->needs("--out");
  again->callback([this] { chosen = [this] { return cli::judge_verb(options.judge, program); }; });

  CLI::App* shown = verb("show", "Print the summary of a report");
  takes_report(shown, options.show.report);
  CLI::Option* all = shown->add_flag("--all", options.show.all, "every cell");
  shown->add_flag("--json", options.show.json, "the summary as JSON, without the evidence")
      ->excludes(all);
  shown->add_flag("--exit-code", options.show.exit_code, "exit with the code of the verdict");
  shown->callback([this] { chosen = [this] { return cli::show_verb(options.show, program); }; });
}

void CommandLine::takes_report(CLI::App* sub, std::string& target) {
  takes(sub->add_option("report", target, "report or run directory"), manual::file("REPORT"))
      ->required();
}

void CommandLine::add_render() {
  CLI::App* sub =
      verb("render", "Convert a report to HTML, JUnit, Markdown, CSV, OpenMetrics or alerts");
  takes_report(sub, options.render.report);
  takes(sub->add_option("--format,-f", options.render.format, "the form"), format_value())
      ->required();
  CLI::Option* out =
      takes(sub->add_option("--out,-o", options.render.out, "write to this file instead of stdout"),
            manual::file("FILE"));
  takes(sub->add_option("--mode", options.render.mode,
                        "permissions of the file, in octal: 0644 lets everybody read it"),
        manual::text("MODE"))
      ->needs(out)
      ->capture_default_str();
  manual::Value details = manual::choice("DETAILS", {});
  for (const auto& entry : openmetrics::words_of(openmetrics::Details{})) {
    details.words.emplace_back(entry.text);
  }
  takes(sub->add_option("--details", options.render.details,
                        "openmetrics: series for each cell (all), for those that did not pass "
                        "(aggregate), or by their number (auto)"),
        details)
      ->default_str("auto");
  sub->callback([this] { chosen = [this] { return cli::render_verb(options.render, program); }; });
}

void CommandLine::add_compare() {
  CLI::App* sub = verb("compare", "Compare two reports, or two groups of reports");
  takes(sub->add_option("reports", options.compare.reports,
                        "two reports or run directories: before, after"),
        manual::file("REPORT"));
  takes(sub->add_option("--a", options.compare.a, "reports of the first side (before)"),
        manual::file("REPORT"));
  takes(sub->add_option("--b", options.compare.b, "reports of the second side (after)"),
        manual::file("REPORT"));
  takes(sub->add_option("--margin", options.compare.margin_percent,
                        "smallest relevant change, in percent: 2 or \"2 %\""),
        manual::text("SHARE"))
      ->transform(as_percent())
      ->capture_default_str()
      ->check(CLI::Range(0.001, 99.0));
  takes(sub->add_option("--confidence", options.compare.confidence_percent,
                        "family-wise confidence, in percent: 95 or \"95 %\""),
        manual::text("SHARE"))
      ->transform(as_percent())
      ->capture_default_str()
      ->check(CLI::Range(50.0, 99.999));
  sub->add_flag("--json", options.compare.json, "as JSON");
  takes(sub->add_option("--page", options.compare.page, "also write an HTML page to this file"),
        manual::file("FILE"));
  takes(sub->add_option("--fail-on", options.compare.fail_on,
                        "worse: exit with 3 if anything got worse"),
        manual::choice("WHAT", {"worse"}));
  sub->callback(
      [this] { chosen = [this] { return cli::compare_verb(options.compare, program); }; });
}

void CommandLine::add_trend() {
  CLI::App* sub = verb("trend", "Find level shifts in the results of nightly runs");
  takes(sub->add_option("paths", options.trend.paths, "folders of reports, or reports"),
        manual::file("PATH"))
      ->required();
  sub->add_flag("--json", options.trend.json, "as JSON");
  takes(sub->add_option("--page", options.trend.page, "also write an HTML page to this file"),
        manual::file("FILE"));
  sub->add_flag("--skip-unfit", options.trend.skip_unfit,
                "skip files that are not reports, with a warning");
  takes(sub->add_option("--fail-on", options.trend.fail_on,
                        "regression: exit with 3 if the last change of a series is for the worse"),
        manual::choice("WHAT", {"regression"}));
  CLI::Option* index =
      takes(sub->add_option("--index", options.trend.index, "cache of parsed reports"),
            manual::file("FILE"));
  index->default_str(".rackproof-trend.sqlite in the first folder");
  sub->add_flag("--no-index", options.trend.no_index, "use no cache")->excludes(index);
  sub->callback([this] { chosen = [this] { return cli::trend_verb(options.trend, program); }; });
}

void CommandLine::add_fleet() {
  cli::FleetOptions& fleet = options.fleet;
  CLI::App* sub = verb("fleet", "Keep a ledger of many runs, and ask it about parts and hosts");
  takes(sub->add_option(
            "action", fleet.action,
            "add: reports; show: one part; worst: parts that failed; due: hosts "
            "without recent evidence; failures: what failed; page: all racks as an HTML page"),
        manual::choice("ACTION", {"add", "show", "worst", "due", "failures", "page"}))
      ->required();
  takes(sub->add_option("words", fleet.words,
                        "add: folders of reports, or reports; show: a UUID, serial number, host or "
                        "name of a part"),
        manual::file("REPORT_OR_PART"));
  takes(sub->add_option("--ledger", fleet.ledger, "file of the ledger"), manual::file("FILE"))
      ->default_str("fleet.sqlite in the state folder of this user");
  sub->add_flag("--rebuild", fleet.rebuild,
                "add: to a new ledger, which takes the place of the old one");
  takes(sub->add_option("--since", fleet.since,
                        "worst, failures, page: runs since then, an age (12 h, 30 d, 8 w) or a day "
                        "(YYYY-MM-DD)"),
        manual::text("TIME"))
      ->default_str("30d; page: all runs");
  takes(sub->add_option("--older-than", fleet.older_than,
                        "due, page: hosts whose last accepted whole run is older are due"),
        manual::text("TIME"))
      ->check(is_time_with_unit())
      ->default_str("30d");
  takes(sub->add_option("--suite", fleet.suite,
                        "due, page: only runs of this suite count for what is due"),
        manual::listed("SUITE", "suites"));
  takes(sub->add_option("--top", fleet.top, "worst: most parts to print"), manual::text("N"))
      ->check(CLI::Range(1, 1'000'000))
      ->default_str("20");
  takes(sub->add_option("--out,-o", fleet.out, "page: write it to this file, not to stdout"),
        manual::file("FILE"));
  sub->add_flag("--exit-code", fleet.exit_code, "due: exit with 4 if a host is due");
  sub->add_flag("--json", fleet.json, "as JSON");
  sub->callback([this] { chosen = [this] { return cli::fleet_verb(options.fleet, program); }; });
}

void CommandLine::add_plan() {
  cli::PlanOptions& plan = options.plan;
  CLI::App* sub = verb("plan", "Choose the steps of a suite that find most faults in a given time");
  takes(sub->add_option("reports", plan.reports,
                        "reports of earlier runs, or folders of them: how long steps take"),
        manual::file("REPORT"));
  takes(sub->add_option("--minutes", plan.minutes, "time that the run may take"),
        manual::text("MINUTES"))
      ->required()
      ->check(CLI::Range(0.1, 100'000.0));
  takes(sub->add_option("--suite", plan.suite, "suite to choose from, by name or file"),
        manual::listed_or_file("SUITE", "suites"))
      ->capture_default_str();
  takes(sub->add_option("--hosts", plan.hosts, "number of hosts"), manual::text("N"))
      ->check(CLI::Range(1, 1'000'000))
      ->default_str("as the reports have");
  takes(sub->add_option("--gpus", plan.gpus, "GPUs of each host"), manual::text("N"))
      ->check(CLI::Range(0, 1000))
      ->default_str("as the reports have; 8 without any");
  takes(sub->add_option("--nics", plan.nics, "ports of the fabric of each host"), manual::text("N"))
      ->check(CLI::Range(0, 1000))
      ->default_str("one for each GPU");
  takes(
      sub->add_option("--age", plan.age, "time since the machine was last tested: 12 h, 30 d, 8 w"),
      manual::text("TIME"))
      ->check(is_time_with_unit())
      ->capture_default_str();
  takes(sub->add_option("--with", plan.with, "steps that have to be in it: globs over their ids"),
        manual::text("GLOB"))
      ->delimiter(',')
      ->allow_extra_args(false);
  takes(
      sub->add_option("--ledger", plan.ledger, "ledger of a fleet whose failures scale the rates"),
      manual::file("FILE"))
      ->default_str("fleet.sqlite in the state folder of this user, if there is one");
  takes(sub->add_option("--faults", plan.faults, "table of faults: how often, and what finds them"),
        manual::file("FILE"))
      ->default_str("the installed one");
  takes(sub->add_option("--out,-o", plan.out, "write the chosen steps to this file, as a suite"),
        manual::file("FILE"));
  sub->add_flag("--json", plan.json, "as JSON");
  sub->callback([this] { chosen = [this] { return cli::plan_verb(options.plan, program); }; });
}

void CommandLine::add_redact() {
  CLI::App* sub = verb("redact", "Copy a report without names of hosts, parts and users");
  takes_report(sub, options.redact.report);
  takes(sub->add_option("--out,-o", options.redact.out, "write the copy to this file"),
        manual::file("FILE"))
      ->required();
  takes(sub->add_option("--map", options.redact.map,
                        "file that maps names to their replacements; an existing one is reused "
                        "and extended"),
        manual::file("FILE"))
      ->default_str("the --out file plus .map.json");
  sub->callback([this] { chosen = [this] { return cli::redact_verb(options.redact, program); }; });
}

void CommandLine::add_signoff() {
  CLI::App* signs = verb("sign", "Sign a report with an OpenSSH key");
  takes_report(signs, options.sign.report);
  takes(signs->add_option("--key", options.sign.key,
                          "Ed25519 key; the public one if an agent holds the private key"),
        manual::file("FILE"))
      ->required();
  // What is wrong with a role is said by sign itself: it may be any word.
  manual::Value role = manual::text("ROLE");
  role.words = {"vendor", "customer"};
  takes(signs->add_option("--role", options.sign.role, "role of the signer: vendor, customer"),
        role)
      ->required();
  takes(signs->add_option("--signer", options.sign.signer, "principal in the allowed_signers file"),
        manual::text("NAME"))
      ->required();
  takes(
      signs->add_option("--statement", options.sign.statement, "statement to sign with the report"),
      manual::text("TEXT"));
  signs->add_flag("--replace", options.sign.replace, "replace a signature of the same role");
  signs->callback([this] { chosen = [this] { return cli::sign_verb(options.sign, program); }; });

  CLI::App* looks = verb("verify", "Verify signatures, journals and verdicts of a report");
  takes_report(looks, options.verify.report);
  takes(looks->add_option("--signers", options.verify.signers, "OpenSSH allowed_signers file"),
        manual::file("FILE"));
  takes(looks->add_option("--at", options.verify.at,
                          "time at which keys must be valid: 2026-01-31T12:00:00Z"),
        manual::text("TIME"))
      ->default_str("now");
  takes(looks->add_option("--amends", options.verify.amends,
                          "report that it amends, or its run directory, if it is not beside it"),
        manual::file("REPORT"));
  takes(looks->add_option("--require-role", options.verify.roles,
                          "a signer of this role must have signed: vendor, customer"),
        role)
      ->delimiter(',')
      ->needs("--signers");
  looks->add_flag("--unsigned", options.verify.unsigned_too, "do not require signatures")
      ->excludes("--require-role");
  looks->add_flag("--exit-code", options.verify.exit_code,
                  "if nothing fails, exit with the code of the verdict");
  looks->add_flag("--json", options.verify.json, "as JSON");
  looks->callback(
      [this] { chosen = [this] { return cli::verify_verb(options.verify, program); }; });
}

void CommandLine::add_learn() {
  CLI::App* sub = verb("learn", "Derive a site table, or a history, from accepted reports");
  takes(sub->add_option("reports", options.learn.reports, "reports or run directories"),
        manual::file("REPORT"))
      ->required();
  takes(sub->add_option("--id", options.learn.id, "name of the table"), manual::text("NAME"))
      ->capture_default_str();
  takes(sub->add_option("--title", options.learn.title, "one-line description of the table"),
        manual::text("TEXT"));
  takes(sub->add_option("--out,-o", options.learn.out,
                        "write the table to this file instead of stdout"),
        manual::file("FILE"));
  takes(sub->add_option("--history", options.learn.history,
                        "write the values of each device and node to this file, and no table"),
        manual::file("FILE"));
  takes(sub->add_option("--min-values", options.learn.least_values,
                        "minimum number of values per cell; cells with fewer are ignored"),
        manual::text("N"))
      ->capture_default_str();
  takes(sub->add_option("--min-tolerance", options.learn.least_tolerance,
                        "minimum tolerance: \"2 %\", or 0.02"),
        manual::text("SHARE"))
      ->transform(as_fraction())
      ->capture_default_str();
  sub->add_flag("--skip-unfit", options.learn.skip_unfit,
                "skip cells with too few values or with two groups, with a warning");
  sub->callback([this] { chosen = [this] { return cli::learn_verb(options.learn, program); }; });
}

void CommandLine::add_diagnose() {
  CLI::App* sub = verb("diagnose", "Find the nodes whose measurements differ from the others'");
  takes(sub->add_option("rows", options.diagnose.rows,
                        "JSON lines: a text \"node\" and numbers; - for stdin"),
        manual::file("ROWS"))
      ->required();
  takes(sub->add_option("--more-is-better", options.diagnose.more_is_better,
                        "metrics where only low values are bad"),
        manual::text("GLOB"))
      ->allow_extra_args(false);
  takes(sub->add_option("--less-is-better", options.diagnose.less_is_better,
                        "metrics where only high values are bad"),
        manual::text("GLOB"))
      ->allow_extra_args(false);
  takes(sub->add_option("--out,-o", options.diagnose.out,
                        "write every node and metric to this file, as JSON"),
        manual::file("FILE"));
  sub->add_flag("--json", options.diagnose.json, "print the JSON instead of the summary");
  sub->callback(
      [this] { chosen = [this] { return cli::diagnose_verb(options.diagnose, program); }; });
}

}  // namespace rackproof::command_line
