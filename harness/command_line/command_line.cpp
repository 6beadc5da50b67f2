#include "harness/command_line/command_line.hpp"

#include <algorithm>

#include "benches/protocol/version.hpp"
#include "harness/archive/rendering.hpp"
#include "harness/command_line/command_line_run.hpp"
#include "harness/command_line/describe.hpp"
#include "harness/command_line/option_values.hpp"
#include "harness/document/nearest.hpp"

namespace rackproof::command_line {

CommandLine::CommandLine(cli::Program& program_in_use) : program(program_in_use) {
  // Before the verbs: they take it over.
  app.formatter(help_formatter(*this));
  app.set_help_flag("-h,--help", "print this help and exit");
  app.set_version_flag("--version", protocol::version_line("rackproof"),
                       "print the version and exit");
  takes(app.add_option("--color", program.color, "when to colour the output"),
        manual::choice("WHEN", {"auto", "always", "never"}))
      ->capture_default_str();
  app.require_subcommand(1);
  app.fallthrough();
  add_run(*this);
  add_retest(*this);
  add_prove();
  add_launch();
  add_reading_verbs();
  add_redact();
  add_signoff();
  add_render();
  add_compare();
  add_trend();
  add_fleet();
  add_plan();
  add_diagnose();
  add_learn();
  add_telling_verbs();
  add_manual_verbs();
  add_record();
  add_gate();
}

CLI::App* CommandLine::verb(const char* name, const char* text) {
  return app.add_subcommand(name, text);
}

CLI::Option* CommandLine::takes(CLI::Option* option, manual::Value value) {
  option->type_name(value.name);
  if (value.only_words) {
    option->check([words = value.words](const std::string& given) {
      if (std::find(words.begin(), words.end(), given) != words.end()) return std::string();
      const std::vector<std::string_view> views(words.begin(), words.end());
      return "'" + given + "' is not known" + document::suggestion(given, views);
    });
  }
  values[option] = std::move(value);
  return option;
}

manual::Value CommandLine::platform_value() {
  manual::Value value = manual::listed_or_file("PLATFORM", "platforms");
  value.words = {"auto"};
  return value;
}

manual::Value CommandLine::format_value() {
  manual::Value value = manual::text("FORMAT");
  for (const archive::Rendering& rendering : archive::renderings())
    value.words.push_back(rendering.name);
  value.only_words = true;
  return value;
}

void CommandLine::add_render_option(CLI::App* sub, std::vector<std::string>& formats) {
  manual::Value value = format_value();
  value.joined = true;
  takes(sub->add_option("--render", formats, "also write the report in these formats"), value)
      ->delimiter(',')
      ->allow_extra_args(false);
}

void CommandLine::add_prove() {
  CLI::App* sub = verb("prove", "Self-test: inject faults and check that each is detected");
  takes(sub->add_option("--out,-o", options.prove.out,
                        "directory of its runs; the result is DIR/proof.json"),
        manual::directory("DIR"))
      ->default_str("rackproof-proof- and the time");
  sub->callback([this] { chosen = [this] { return cli::prove_verb(options.prove, program); }; });
}

void CommandLine::add_launch() {
  CLI::App* sub = verb("launch", "Run under mpirun or srun, and continue without hosts that fail");
  takes(sub->add_option("--attempts", options.launch.attempts, "most starts of the launcher"),
        manual::text("N"))
      ->capture_default_str()
      ->check(CLI::Range(1, 100));
  takes(sub->add_option("launcher", options.launch.launcher,
                        "mpirun or srun with its options, then rackproof run with --out"),
        manual::command("LAUNCHER"))
      ->required();
  sub->callback([this] { chosen = [this] { return cli::launch_verb(options.launch, program); }; });
}

void CommandLine::add_telling_verbs() {
  CLI::App* listed = verb("list", "List benches, suites, platforms and build features");
  takes(listed->add_option("part", options.list.part,
                           "what to list; default: all but ids, facts and columns"),
        manual::choice("PART", {"benches", "suites", "platforms", "features", "formats", "ids",
                                "facts", "columns"}));
  auto* json = listed->add_flag("--json", options.list.json, "as JSON");
  auto* markdown = listed
                       ->add_flag("--markdown", options.list.markdown,
                                  "platforms as Markdown: the limits of each, with their sources")
                       ->excludes(json);
  listed->add_flag("--names", options.list.names, "names only, one per line")
      ->excludes(json)
      ->excludes(markdown);
  auto* coverage = listed
                       ->add_flag("--coverage", options.list.coverage,
                                  "with platforms: how many claims and rates of a suite each table "
                                  "can judge by a limit, and which claims it cannot")
                       ->excludes(markdown);
  takes(listed->add_option("--suite", options.list.suite, "suite for --coverage"),
        manual::listed_or_file("SUITE", "suites"))
      ->needs(coverage)
      ->capture_default_str();
  takes(listed->add_option("--hosts", options.list.hosts, "number of hosts for --coverage"),
        manual::text("N"))
      ->needs(coverage)
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  listed->callback([this] { chosen = [this] { return cli::list_verb(options.list, program); }; });

  add_inventory();

  CLI::App* looking =
      verb("doctor", "Check this node for what would disturb a run, and suggest fixes");
  looking->add_option("--listen", options.doctor.listen_seconds)->group("");
  looking->add_flag("--json", options.doctor.json, "as JSON");
  looking->callback(
      [this] { chosen = [this] { return cli::doctor_verb(options.doctor, program); }; });

  CLI::App* explain = verb(
      "explain", "Explain an id of a report, a fact of an inventory or a column of a recording");
  takes(explain->add_option("id", options.explain.id,
                            "id, fact or column, as a report has it; default: list all ids"),
        manual::listed("ID", "ids"));
  explain->add_flag("--json", options.explain.json, "as JSON");
  explain->callback(
      [this] { chosen = [this] { return cli::explain_verb(options.explain, program); }; });
}

void CommandLine::add_inventory() {
  CLI::App* taken = verb("inventory", "Show the hardware and software of this node");
  taken->add_flag("--json", options.inventory.json, "as JSON");
  auto* checked =
      taken->add_flag("--check", options.inventory.check,
                      "compare with the platform table; exit with 3 on a severe finding");
  takes(taken->add_option("file", options.inventory.files,
                          "inventory --json of several nodes, to compare them"),
        manual::file("FILE"))
      ->needs(checked);
  takes(taken->add_option("--platform", options.inventory.platform,
                          "platform table, by name or file"),
        platform_value())
      ->capture_default_str()
      ->needs(checked);
  takes(taken->add_option("--suite", options.inventory.suite, "suite whose suppressions apply"),
        manual::listed_or_file("SUITE", "suites"))
      ->needs(checked);
  taken->add_flag("--record", options.inventory.record)->group("");
  takes(taken->add_option("--nvml-deadline", options.inventory.nvml_deadline,
                          "timeout of NVML; GPU facts are reported as unreadable after it"),
        manual::text("TIME"))
      ->check(is_time())
      ->capture_default_str();
  takes(taken->add_option("--sysroot", options.inventory.sysroot,
                          "read /sys, /proc and /etc below this folder"),
        manual::directory("DIR"));
  taken->callback(
      [this] { chosen = [this] { return cli::inventory_verb(options.inventory, program); }; });
}

void CommandLine::add_manual_verbs() {
  CLI::App* completion = verb("completion", "Print a shell completion script");
  takes(completion->add_option("shell", word, "which shell"),
        manual::choice("SHELL", {"bash", "zsh", "fish"}))
      ->required();
  completion->callback([this] {
    chosen = [this] {
      support::print(completion_of(word, describe(*this)));
      return 0;
    };
  });

  // For the build, which installs what it writes.
  CLI::App* pages = verb("manual", "Write manual pages and completion scripts");
  pages->group("");
  takes(pages->add_option("directory", word, "where share/man and the like are written"),
        manual::directory("DIR"))
      ->required();
  pages->callback([this] {
    chosen = [this] {
      write_manual(word, describe(*this));
      return 0;
    };
  });
}

void CommandLine::add_record() {
  CLI::App* sub =
      verb("record", "Sample clocks, power, errors and traffic of this node while a program runs");
  takes(sub->add_option("--out,-o", options.record.out,
                        "recording file; an existing one is replaced"),
        manual::file("FILE"))
      ->capture_default_str();
  takes(sub->add_option("--interval", options.record.interval_ms,
                        "time between samples: 100 or \"100 ms\""),
        manual::text("TIME"))
      ->transform(as_milliseconds())
      ->capture_default_str();
  takes(sub->add_option("--size", options.record.size_mebibytes,
                        "size of the file in MiB; the newest samples replace the oldest"),
        manual::text("MIB"))
      ->capture_default_str();
  takes(
      sub->add_option("--sysroot", options.record.sysroot, "read /sys and /proc below this folder"),
      manual::directory("DIR"));
  sub->add_option("--longest", options.record.longest_seconds)->group("");
  sub->add_flag("--quiet", options.record.quiet, "do not print the cost of recording at the end");
  takes(sub->add_option("program", options.record.words,
                        "program and arguments; default: record until stopped"),
        manual::command("PROGRAM"));
  CLI::Option* dump =
      takes(sub->add_option("--dump", options.record.dump, "print an existing recording and exit"),
            manual::file("FILE"));
  dump->excludes("--out")->excludes("--interval")->excludes("--size")->excludes("program");
  takes(sub->add_option("--format", options.record.format, "format of --dump"),
        manual::choice("FORMAT", {"jsonl", "csv"}))
      ->capture_default_str()
      ->needs(dump);
  sub->callback([this] { chosen = [this] { return cli::record_verb(options.record, program); }; });
}

void CommandLine::add_gate() {
  cli::GateOptions& gate = options.gate;
  CLI::App* sub = verb("gate", "Quick node check for a scheduler: may this node get work?");
  takes(
      sub->add_option("--mode", gate.mode,
                      "prolog: before a job, with benches; epilog: after a job; health: periodic"),
      manual::choice("MODE", {"prolog", "epilog", "health"}))
      ->capture_default_str();
  takes(sub->add_option("--platform", gate.platform,
                        "platform table that the node must match, by name or file; auto: the one "
                        "of its last good state, else the one that matches"),
        platform_value())
      ->capture_default_str();
  takes(sub->add_option("--golden", gate.golden, "inventory --json of a reference node"),
        manual::file("FILE"));
  takes(sub->add_option("--state", gate.state, "folder of this node's last good state"),
        manual::directory("DIR"))
      ->default_str("/var/lib/rackproof/gate for root");
  takes(sub->add_option("--node", gate.node, "name of this node in the scheduler"),
        manual::text("NAME"))
      ->default_str("SLURMD_NODENAME, or the host's name");
  takes(sub->add_option("--limit", gate.limit, "time limit, whatever hangs"), manual::text("TIME"))
      ->check(is_time())
      ->capture_default_str();
  CLI::Option* bench =
      sub->add_flag("--bench", gate.bench, "run the benches in epilog and health mode too");
  sub->add_flag("--no-bench", gate.no_bench, "run no benches: other jobs are on the node")
      ->excludes(bench);
  takes(sub->add_option("--suite", gate.suite, "suite to take benches from"),
        manual::listed_or_file("SUITE", "suites"))
      ->capture_default_str();
  takes(sub->add_option("--drain", gate.drain,
                        "for a bad node: print the command that drains it in Slurm, or run it"),
        manual::choice("HOW", {"print", "do"}));
  sub->add_flag("--lenient", gate.lenient,
                "exit with 0 instead of 4 when the state of the node cannot be determined");
  takes(sub->add_option("--accept", gate.accept,
                        "after a repair: record the present state as good, for this reason"),
        manual::text("REASON"));
  CLI::Option* json = sub->add_flag("--json", gate.json, "print the result as JSON");
  sub->add_flag("-v,--verbose", gate.verbose, "list the checks of a healthy node too")
      ->excludes(json);
  sub->add_flag("--look", gate.look)->group("");
  sub->add_option("--nvml-deadline", gate.nvml_deadline)->group("");
  sub->add_option("--counters-root", gate.counters_root)->group("");
  sub->callback([this] { chosen = [this] { return cli::gate_verb(options.gate, program); }; });
}

}  // namespace rackproof::command_line
