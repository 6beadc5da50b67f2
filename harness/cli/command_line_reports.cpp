#include "harness/cli/command_line.hpp"

namespace rackproof::cli {

void CommandLine::add_reading_verbs() {
  CLI::App* check = verb("check", "Check suites, platform tables, record streams and reports");
  takes(check->add_option("path", options.check.paths, "files to check, or folders of .json files"),
        manual::file("PATH"))
      ->required();
  check->add_flag("--exit-code", options.check.exit_code,
                  "when all is good, end with the code of the worst verdict of the reports");
  check->callback([this] { chosen = [this] { return check_verb(options.check, program); }; });

  CLI::App* made = verb("assemble", "Make the report out of the journals of a run");
  takes(made->add_option("directory", options.assemble.directory, "run directory"),
        manual::directory("DIR"))
      ->required();
  made->add_flag("--settle", options.assemble.settle)->group("");
  add_render_option(made, options.assemble.render);
  made->callback([this] { chosen = [this] { return assemble_verb(options.assemble, program); }; });

  CLI::App* again = verb("judge", "Judge a report again, with its own table or another");
  takes_report(again, options.judge.report);
  takes(again->add_option("--platform", options.judge.platform, "name or file of a platform table"),
        manual::listed_or_file("PLATFORM", "platforms"))
      ->default_str("the report's own");
  again->add_flag("--force-platform", options.judge.force_platform,
                  "use that table though the report contradicts it");
  takes(again->add_option("--accept-groups", options.judge.accept_groups,
                          "why like parts may fall into two groups"),
        manual::text("REASON"));
  takes(again->add_option("--accept-unjudged", options.judge.accept_unjudged,
                          "accept what the suite claims although no limit judged it, for a reason"),
        manual::text("CLAIM=REASON"))
      ->allow_extra_args(false);
  add_waive(again, options.judge.waive);
  takes(again->add_option("--history", options.judge.history,
                          "what learn --history wrote of earlier runs"),
        manual::file("FILE"));
  takes(again->add_option("--causes", options.judge.causes,
                          "explain by this table, not by the report's own"),
        manual::file("FILE"));
  takes(again->add_option("--out,-o", options.judge.out, "write the judged report to this file"),
        manual::file("FILE"));
  again->callback([this] { chosen = [this] { return judge_verb(options.judge, program); }; });

  CLI::App* shown = verb("show", "Print the summary of a report");
  takes_report(shown, options.show.report);
  shown->add_flag("--all", options.show.all, "every cell");
  shown->add_flag("--exit-code", options.show.exit_code, "end with the code of the verdict");
  shown->callback([this] { chosen = [this] { return show_verb(options.show, program); }; });
}

void CommandLine::takes_report(CLI::App* sub, std::string& target) {
  takes(sub->add_option("report", target, "report or run directory"), manual::file("REPORT"))
      ->required();
}

void CommandLine::add_render() {
  CLI::App* sub = verb("render", "Give a report another form, for people or other programs");
  takes_report(sub, options.render.report);
  takes(sub->add_option("--format,-f", options.render.format, "the form"), format_value())
      ->required();
  takes(sub->add_option("--out,-o", options.render.out, "write it to this file instead of stdout"),
        manual::file("FILE"));
  sub->callback([this] { chosen = [this] { return render_verb(options.render, program); }; });
}

void CommandLine::add_compare() {
  CLI::App* sub = verb("compare", "Say what changed between two reports, or two groups of them");
  takes(sub->add_option("reports", options.compare.reports,
                        "two reports or run directories: before, after"),
        manual::file("REPORT"));
  takes(sub->add_option("--a", options.compare.a, "reports of the side before"),
        manual::file("REPORT"));
  takes(sub->add_option("--b", options.compare.b, "reports of the side after"),
        manual::file("REPORT"));
  takes(sub->add_option("--margin", options.compare.margin_percent, "percent that do not matter"),
        manual::text("PERCENT"))
      ->capture_default_str()
      ->check(CLI::Range(0.001, 99.0));
  takes(sub->add_option("--confidence", options.compare.confidence_percent,
                        "percent, of all answers together"),
        manual::text("PERCENT"))
      ->capture_default_str()
      ->check(CLI::Range(50.0, 99.999));
  sub->add_flag("--json", options.compare.json, "as JSON");
  takes(sub->add_option("--page", options.compare.page, "write it as a page to this file too"),
        manual::file("FILE"));
  takes(sub->add_option("--fail-on", options.compare.fail_on,
                        "worse: end with exit code 3 when something is"),
        manual::choice("WHAT", {"worse"}));
  sub->callback([this] { chosen = [this] { return compare_verb(options.compare, program); }; });
}

void CommandLine::add_trend() {
  CLI::App* sub = verb("trend", "Say where the numbers of nightly runs changed their level");
  takes(sub->add_option("paths", options.trend.paths, "folders of reports, or reports"),
        manual::file("PATH"))
      ->required();
  sub->add_flag("--json", options.trend.json, "as JSON");
  sub->add_flag("--skip-unfit", options.trend.skip_unfit,
                "leave out what is no report, and say so");
  takes(sub->add_option(
            "--fail-on", options.trend.fail_on,
            "regression: end with exit code 3 when the last change of a series is for the worse"),
        manual::choice("WHAT", {"regression"}));
  CLI::Option* index = takes(sub->add_option("--index", options.trend.index,
                                             "file that keeps what was read, for the next time"),
                             manual::file("FILE"));
  index->default_str(".rackproof-trend.sqlite in the first folder");
  sub->add_flag("--no-index", options.trend.no_index, "keep nothing, and read each report")
      ->excludes(index);
  sub->callback([this] { chosen = [this] { return trend_verb(options.trend, program); }; });
}

void CommandLine::add_redact() {
  CLI::App* sub = verb("redact", "Copy a report without the names of hosts, parts and users");
  takes_report(sub, options.redact.report);
  takes(sub->add_option("--out,-o", options.redact.out, "write the copy to this file"),
        manual::file("FILE"))
      ->required();
  takes(sub->add_option("--map", options.redact.map,
                        "file of the names and what stands for them; one that is there is used "
                        "again and added to"),
        manual::file("FILE"))
      ->default_str("that of --out with .map.json behind it");
  sub->callback([this] { chosen = [this] { return redact_verb(options.redact, program); }; });
}

void CommandLine::add_signoff() {
  CLI::App* signs = verb("sign", "Sign a report with an OpenSSH key");
  takes_report(signs, options.sign.report);
  takes(signs->add_option("--key", options.sign.key,
                          "Ed25519 key; a public one when an agent has the private one"),
        manual::file("FILE"))
      ->required();
  // What is wrong with a role is said by sign itself: it may be any word.
  manual::Value role = manual::text("ROLE");
  role.words = {"vendor", "customer"};
  takes(signs->add_option("--role", options.sign.role, "what you are in this: vendor, customer"),
        role)
      ->required();
  takes(signs->add_option("--signer", options.sign.signer,
                          "who you are in the file of allowed signers"),
        manual::text("NAME"))
      ->required();
  takes(signs->add_option("--statement", options.sign.statement, "a line that you sign with it"),
        manual::text("TEXT"));
  signs->add_flag("--replace", options.sign.replace, "put it in the place of one of the same role");
  signs->callback([this] { chosen = [this] { return sign_verb(options.sign, program); }; });

  CLI::App* looks = verb("verify", "Say what is proved about a report, and what is not");
  takes_report(looks, options.verify.report);
  takes(looks->add_option("--signers", options.verify.signers,
                          "whose key is whose: OpenSSH's allowed_signers"),
        manual::file("FILE"));
  takes(looks->add_option("--at", options.verify.at,
                          "time at which keys must be valid: 2026-01-31T12:00:00Z"),
        manual::text("TIME"))
      ->default_str("now");
  looks->add_flag("--unsigned", options.verify.unsigned_too, "demand no signature");
  looks->add_flag("--exit-code", options.verify.exit_code,
                  "when nothing fails, end with the code of the verdict");
  looks->add_flag("--json", options.verify.json, "as JSON");
  looks->callback([this] { chosen = [this] { return verify_verb(options.verify, program); }; });
}

void CommandLine::add_learn() {
  CLI::App* sub = verb("learn", "Make a site table, or a history, of accepted reports");
  takes(sub->add_option("reports", options.learn.reports, "reports or run directories"),
        manual::file("REPORT"))
      ->required();
  takes(sub->add_option("--id", options.learn.id, "name of the table"), manual::text("NAME"))
      ->capture_default_str();
  takes(sub->add_option("--title", options.learn.title, "a line for people"), manual::text("TEXT"));
  takes(sub->add_option("--out,-o", options.learn.out,
                        "write the table to this file instead of stdout"),
        manual::file("FILE"));
  takes(sub->add_option("--history", options.learn.history,
                        "write what each device and node gave to this file, and no table"),
        manual::file("FILE"));
  takes(sub->add_option("--min-values", options.learn.least_values,
                        "fewer values of a cell teach nothing"),
        manual::text("N"))
      ->capture_default_str();
  takes(sub->add_option("--min-tolerance", options.learn.least_tolerance,
                        "tolerance however well the values agree, as a share: 0.02 is 2 percent"),
        manual::text("SHARE"))
      ->capture_default_str();
  sub->add_flag("--skip-unfit", options.learn.skip_unfit,
                "leave out cells with too few values or two groups of them, and say so");
  sub->callback([this] { chosen = [this] { return learn_verb(options.learn, program); }; });
}

void CommandLine::add_diagnose() {
  CLI::App* sub = verb("diagnose", "Find the nodes whose measurements are unlike the others'");
  takes(sub->add_option("rows", options.diagnose.rows,
                        "one JSON object a line: the text \"node\", else numbers; - for stdin"),
        manual::file("ROWS"))
      ->required();
  takes(sub->add_option("--more-is-better", options.diagnose.more_is_better,
                        "metrics that are bad below their peers only"),
        manual::text("GLOB"))
      ->allow_extra_args(false);
  takes(sub->add_option("--less-is-better", options.diagnose.less_is_better,
                        "metrics that are bad above their peers only"),
        manual::text("GLOB"))
      ->allow_extra_args(false);
  takes(sub->add_option("--out,-o", options.diagnose.out,
                        "write every node and metric to this file, as JSON"),
        manual::file("FILE"));
  sub->add_flag("--json", options.diagnose.json, "print that instead of the summary");
  sub->callback([this] { chosen = [this] { return diagnose_verb(options.diagnose, program); }; });
}

}  // namespace rackproof::cli
