#include "harness/cli/app.hpp"

#include <sys/stat.h>

#include <CLI/CLI.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>

#include "benches/protocol/version.hpp"
#include "harness/cli/exit_code.hpp"
#include "harness/cli/run_request.hpp"
#include "harness/cli/verbs.hpp"
#include "harness/config/located_json.hpp"
#include "harness/config/nearest.hpp"
#include "harness/fleet/launcher.hpp"
#include "harness/fleet/team.hpp"
#include "harness/inventory/inventory.hpp"
#include "harness/warden/store.hpp"
#include "harness/warden/warden.hpp"

namespace rackproof::cli {
namespace {

// The command line as CLI11 sees it, with the verb that it chose.
struct CommandLine {
  explicit CommandLine(Program& program_in_use);

  void add_run();
  void add_prove();
  void add_launch();
  void add_reading_verbs();
  void add_redact();
  void add_diagnose();
  void add_learn();
  void add_telling_verbs();
  void add_record();
  CLI::App* verb(const char* name, const char* text, const char* example);

  Program& program;
  CLI::App app{
      "Cluster benchmark and acceptance tests. rackproof finds out what a machine is, measures "
      "it, verifies every answer and judges it.",
      "rackproof"};
  std::function<int()> chosen;
  RunOptions run;
  ProveOptions prove;
  LaunchOptions launch;
  ListOptions list;
  InventoryOptions inventory;
  AssembleOptions assemble;
  JudgeOptions judge;
  DiagnoseOptions diagnose;
  LearnOptions learn;
  RedactOptions redact;
  ShowOptions show;
  RecordOptions record;
  std::vector<std::string> files;
  std::string word;
};

CommandLine::CommandLine(Program& program_in_use) : program(program_in_use) {
  app.set_version_flag("--version", protocol::version_line("rackproof"));
  app.add_option("--color", program.color, "auto, always or never; NO_COLOR is honoured")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  app.footer(
      "Example: rackproof run --suite smoke --out first-run\n"
      "Exit codes: 0 accepted, 2 usage or configuration, 3 rejected, 4 incomplete, "
      "5 nothing selected, 6 integrity, 130 interrupted; 1 is an internal error");
  app.require_subcommand(1);
  app.fallthrough();
  add_run();
  add_prove();
  add_launch();
  add_reading_verbs();
  add_redact();
  add_diagnose();
  add_learn();
  add_telling_verbs();
  add_record();
}

CLI::App* CommandLine::verb(const char* name, const char* text, const char* example) {
  CLI::App* sub = app.add_subcommand(name, text);
  sub->footer(std::string("Example: ") + example);
  return sub;
}

void CommandLine::add_run() {
  CLI::App* sub = verb("run", "Run a suite on this machine, or over all ranks of a launcher",
                       "mpirun -n 2 rackproof run --suite acceptance --out rack7");
  sub->add_option("--suite", run.suite, "name or file of the suite")->capture_default_str();
  sub->add_option("--platform", run.platform, "auto, or name or file of a platform table")
      ->capture_default_str();
  sub->add_flag("--force-platform", run.force_platform,
                "use the table of --platform though a host contradicts its rules");
  sub->add_option("--out", run.out, "run directory; the report is DIR/report.json");
  sub->add_option("--filter", run.filters,
                  "keep steps whose id or program matches (glob, repeatable)");
  sub->add_option("--exclude", run.excludes, "leave out steps that match (glob, repeatable)");
  sub->add_option("--label", run.labels, "KEY=VALUE kept in the report (repeatable)");
  sub->add_option(
      "--require", run.require,
      "gpu: accept nothing unless every host has GPUs and each one passed (repeatable)");
  sub->add_option("--history", run.history, "what learn --history wrote of earlier runs");
  sub->add_option("--allow-programs", run.allow_programs,
                  "folder whose programs a suite may name as well as the benches");
  sub->add_option("--resume", run.resume, "continue the run in this directory")
      ->excludes("--out")
      ->excludes("--filter")
      ->excludes("--exclude")
      ->excludes("--history")
      ->excludes("--require");
  sub->add_option("--without", run.without,
                  "leave out this host of a resumed run; what it owes is untested (repeatable)")
      ->needs("--resume")
      ->allow_extra_args(false);
  sub->add_option("--time-budget", run.time_budget, "stop starting steps after this time: 10 min");
  sub->add_flag("--no-record", run.no_record, "record nothing of what the hosts do meanwhile");
  sub->add_flag("--dry-run", run.dry_run, "print the expected cells and start nothing");
  sub->callback([this] { chosen = [this] { return run_verb(run, program); }; });
}

void CommandLine::add_prove() {
  CLI::App* sub = verb("prove", "Plant faults and demand that each is found and named",
                       "mpirun -n 4 rackproof prove --out proof");
  sub->add_option("--out", prove.out, "directory for its runs; the record is DIR/proof.json");
  sub->callback([this] { chosen = [this] { return prove_verb(prove, program); }; });
}

void CommandLine::add_launch() {
  CLI::App* sub =
      verb("launch", "Start a launcher, and go on without the hosts that are lost on the way",
           "rackproof launch -- mpirun -n 8 --hostfile rack7 rackproof run --out rack7-run");
  sub->add_option("--attempts", launch.attempts, "how often the launcher is started at most")
      ->capture_default_str()
      ->check(CLI::Range(1, 100));
  sub->add_option("launcher", launch.launcher,
                  "behind --: mpirun or srun with its options, then rackproof run with --out")
      ->required();
  sub->callback([this] { chosen = [this] { return launch_verb(launch, program); }; });
}

void CommandLine::add_reading_verbs() {
  CLI::App* check = verb("check", "Check suites, platform tables, record streams and reports",
                         "rackproof check my-suite.json run/report.json my-tables/");
  check->add_option("path", files, "files to check, or folders of .json files")->required();
  check->callback([this] { chosen = [this] { return check_verb(files, program); }; });

  CLI::App* made =
      verb("assemble", "Make the report out of the journals of a run", "rackproof assemble rack7");
  made->add_option("directory", assemble.directory, "run directory")->required();
  made->add_flag("--settle", assemble.settle)->group("");
  made->callback([this] { chosen = [this] { return assemble_verb(assemble, program); }; });

  CLI::App* again = verb("judge", "Judge a report again, with its own table or another",
                         "rackproof judge rack7/report.json --platform strict.json");
  again->add_option("report", judge.report, "report or run directory")->required();
  again->add_option("--platform", judge.platform, "name or file of a platform table");
  again->add_flag("--force-platform", judge.force_platform,
                  "use that table though the report contradicts it");
  again->add_option("--history", judge.history, "what learn --history wrote of earlier runs");
  again->add_option("--out,-o", judge.out, "write the judged report to this file");
  again->callback([this] { chosen = [this] { return judge_verb(judge, program); }; });

  CLI::App* shown = verb("show", "Print the summary of a report", "rackproof show rack7 --all");
  shown->add_option("report", show.report, "report or run directory")->required();
  shown->add_flag("--all", show.all, "every cell");
  shown->add_flag("--exit-code", show.exit_code, "end with the code of the verdict");
  shown->callback([this] { chosen = [this] { return show_verb(show, program); }; });
}

void CommandLine::add_redact() {
  CLI::App* sub = verb("redact", "Copy a report without the names of hosts, parts and users",
                       "rackproof redact rack7 -o rack7-public.json");
  sub->add_option("report", redact.report, "report or run directory")->required();
  sub->add_option("--out,-o", redact.out, "write the copy to this file")->required();
  sub->add_option("--map", redact.map,
                  "file of the names and what stands for them (default: OUT.map.json); one that is "
                  "there is used again and added to");
  sub->callback([this] { chosen = [this] { return redact_verb(redact, program); }; });
}

void CommandLine::add_learn() {
  CLI::App* sub = verb("learn", "Make a site table, or a history, of accepted reports",
                       "rackproof learn night-*/report.json --id rack7 --out rack7.json");
  sub->add_option("reports", learn.reports, "reports or run directories")->required();
  sub->add_option("--id", learn.id, "name of the table")->capture_default_str();
  sub->add_option("--title", learn.title, "a line for people");
  sub->add_option("--out,-o", learn.out, "write the table to this file instead of stdout");
  sub->add_option("--history", learn.history,
                  "write what each device and node gave to this file, and no table");
  sub->add_option("--min-values", learn.least_values, "fewer values of a cell teach nothing")
      ->capture_default_str();
  sub->add_option("--min-tolerance", learn.least_tolerance,
                  "tolerance however well the values agree")
      ->capture_default_str();
  sub->add_flag("--skip-unfit", learn.skip_unfit,
                "leave out cells with too few values or two groups of them, and say so");
  sub->callback([this] { chosen = [this] { return learn_verb(learn, program); }; });
}

void CommandLine::add_diagnose() {
  CLI::App* sub = verb("diagnose", "Find the nodes whose measurements are unlike the others'",
                       "rackproof diagnose rows.jsonl --less-is-better '*latency*' -o found.json");
  sub->add_option("rows", diagnose.rows,
                  "one JSON object a line: the text \"node\", else numbers; - for stdin")
      ->required();
  sub->add_option("--more-is-better", diagnose.more_is_better,
                  "metrics that are bad below their peers only (glob, repeatable)")
      ->allow_extra_args(false);
  sub->add_option("--less-is-better", diagnose.less_is_better,
                  "metrics that are bad above their peers only (glob, repeatable)")
      ->allow_extra_args(false);
  sub->add_option("--out,-o", diagnose.out, "write every node and metric to this file, as JSON");
  sub->add_flag("--json", diagnose.json, "print that instead of the summary");
  sub->callback([this] { chosen = [this] { return diagnose_verb(diagnose, program); }; });
}

void CommandLine::add_telling_verbs() {
  CLI::App* listed = verb("list", "What there is: benches, suites, platforms, features",
                          "rackproof list platforms");
  listed->add_option("part", list.part, "benches, suites, platforms or features; all when left out")
      ->check(CLI::IsMember({"benches", "suites", "platforms", "features"}));
  auto* json = listed->add_flag("--json", list.json, "as JSON");
  listed
      ->add_flag("--markdown", list.markdown,
                 "platforms as a page: what each is judged on, and by what right")
      ->excludes(json);
  listed->callback([this] { chosen = [this] { return list_verb(list, program); }; });

  CLI::App* taken = verb("inventory", "What this node is", "rackproof inventory --json");
  taken->add_flag("--json", inventory.json, "as JSON");
  auto* checked = taken->add_flag("--check", inventory.check,
                                  "hold it against its platform; exit 3 for a grave finding");
  taken
      ->add_option("file", inventory.files,
                   "with --check: what --json printed on each node, to hold against each other")
      ->needs(checked);
  taken->add_option("--platform", inventory.platform, "with --check: platform table")
      ->capture_default_str()
      ->needs(checked);
  taken->add_option("--suite", inventory.suite, "with --check: suite whose suppressions count")
      ->needs(checked);
  taken->add_flag("--record", inventory.record)->group("");
  taken
      ->add_option("--nvml-deadline", inventory.nvml_deadline,
                   "how long a driver may take to answer; what it would tell is unreadable then")
      ->capture_default_str();
  taken->add_option("--sysroot", inventory.sysroot, "read /sys, /proc and /etc below this folder");
  taken->callback([this] { chosen = [this] { return inventory_verb(inventory, program); }; });

  CLI::App* doctor = verb("doctor", "Look for what would spoil a run, and say the fix",
                          "mpirun -n 1 rackproof doctor");
  doctor->callback([this] { chosen = [this] { return doctor_verb(program); }; });

  CLI::App* explain = verb("explain", "What a reason, finding or error means and what to do",
                           "rackproof explain below-limit");
  explain->add_option("id", word, "id as printed; without one, all are listed");
  explain->callback([this] { chosen = [this] { return explain_verb(word, program); }; });

  CLI::App* completion =
      verb("completion", "Shell completion", "source <(rackproof completion bash)");
  completion->add_option("shell", word, "bash")->required();
  completion->callback([this] { chosen = [this] { return completion_verb(word, program); }; });
}

void CommandLine::add_record() {
  CLI::App* sub = verb("record", "Record what this node does while a program runs",
                       "rackproof record --out burn.recording -- ./burn");
  sub->add_option("--out", record.out, "the file; an older recording of that name is replaced")
      ->capture_default_str();
  sub->add_option("--interval", record.interval_ms, "milliseconds between samples")
      ->capture_default_str();
  sub->add_option("--size", record.size_mebibytes,
                  "MiB that the file may have; the oldest samples go when it is full")
      ->capture_default_str();
  sub->add_option("--sysroot", record.sysroot, "read /sys and /proc below this folder");
  sub->add_option("--longest", record.longest_seconds)->group("");
  sub->add_flag("--quiet", record.quiet, "say nothing about the cost at the end");
  sub->add_option("program", record.words,
                  "program and arguments, after --; without one it records until it is stopped");
  CLI::Option* dump = sub->add_option("--dump", record.dump, "print this recording instead");
  dump->excludes("--out")->excludes("--interval")->excludes("--size")->excludes("program");
  sub->add_option("--format", record.format, "jsonl or csv")
      ->check(CLI::IsMember({"jsonl", "csv"}))
      ->needs(dump);
  sub->callback([this] { chosen = [this] { return record_verb(record, program); }; });
}

int complain(const std::string& text, int code) {
  if (!text.empty()) std::fprintf(stderr, "rackproof: %s\n", text.c_str());
  return code;
}

// CLI11 2.1 has no suggestions: the word that it stumbled over is compared with what it knows.
std::string explain_parse_error(const CLI::App& app, const std::string& text,
                                const std::vector<std::string>& arguments) {
  std::vector<std::string> known;
  const CLI::App* scope = &app;
  for (const CLI::App* sub : app.get_subcommands({})) {
    if (!arguments.empty() && sub->get_name() == arguments.front()) scope = sub;
  }
  for (const CLI::App* sub : scope->get_subcommands({})) known.push_back(sub->get_name());
  for (const CLI::Option* option : scope->get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  const std::vector<std::string_view> views(known.begin(), known.end());
  for (const std::string& argument : arguments) {
    const std::string name = argument.substr(0, argument.find('='));
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const bool verb_expected = scope == &app && !argument.starts_with('-');
    if (!verb_expected && !argument.starts_with("--")) continue;
    if (scope != &app && app.get_option_no_throw(name) != nullptr) continue;
    return "'" + argument + "' is not known" + config::suggestion(name, views);
  }
  return text;
}

int run_chosen(const CommandLine& line) {
  try {
    return line.chosen();
  } catch (const NothingSelected& error) {
    return complain(error.what(), kNothingSelected);
  } catch (const UsageError& error) {
    return complain(error.what(), kUsage);
  } catch (const config::ConfigError& error) {
    return complain(error.what(), kUsage);
  } catch (const fleet::TeamError& error) {
    return complain(error.what(), kUsage);
  } catch (const warden::StoreError& error) {
    return complain(error.what(), kUsage);
  } catch (const std::exception& error) {
    return complain(std::string("internal error: ") + error.what(), kUnexpected);
  }
}

int run_command_line(int argc, char** argv, std::vector<run::InRank> in_rank) {
  // What is written here names hosts and parts, and is read again later: it is the user's alone.
  umask(S_IRWXG | S_IRWXO);
  Program program;
  program.paths = find_paths();
  // A file that may not grow is a write that fails, with its reason, and not a death.
  std::signal(SIGXFSZ, SIG_IGN);
  program.environment = fleet::own_environment();
  program.command.assign(argv, argv + argc);
  program.in_rank = std::move(in_rank);
  CommandLine line(program);
  try {
    line.app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return line.app.exit(error);
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    return complain(explain_parse_error(line.app, error.what(), arguments), kUsage);
  }
  const int code = run_chosen(line);
  if (inventory::left_waiting()) {
    std::fflush(nullptr);
    std::_Exit(code);
  }
  return code;
}

}  // namespace

int run_app(int argc, char** argv, std::vector<run::InRank> in_rank) {
  try {
    return run_command_line(argc, argv, std::move(in_rank));
  } catch (const std::exception& error) {
    return complain(error.what(), kUnexpected);
  }
}

}  // namespace rackproof::cli
