#include "harness/cli/command_line.hpp"

#include <algorithm>

#include "benches/protocol/version.hpp"
#include "harness/archive/rendering.hpp"
#include "harness/cli/describe.hpp"
#include "harness/config/nearest.hpp"

namespace rackproof::cli {

CommandLine::CommandLine(Program& program_in_use) : program(program_in_use) {
  // Before the verbs: they take it over.
  app.formatter(help_formatter(*this));
  app.set_help_flag("-h,--help", "print this text and end");
  app.set_version_flag("--version", protocol::version_line("rackproof"),
                       "print the version and end");
  takes(app.add_option("--color", program.color, "when to colour what is printed"),
        manual::choice("WHEN", {"auto", "always", "never"}))
      ->capture_default_str();
  app.require_subcommand(1);
  app.fallthrough();
  add_run();
  add_prove();
  add_launch();
  add_reading_verbs();
  add_redact();
  add_signoff();
  add_render();
  add_compare();
  add_trend();
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
      return "'" + given + "' is not known" + config::suggestion(given, views);
    });
  }
  values[option] = std::move(value);
  return option;
}

void CommandLine::add_run() {
  CLI::App* sub = verb("run", "Run a suite on this machine, or over all ranks of a launcher");
  takes(sub->add_option("--suite", options.run.suite, "name or file of the suite"),
        manual::listed_or_file("SUITE", "suites"))
      ->capture_default_str();
  takes(sub->add_option("--platform", options.run.platform,
                        "name or file of a platform table; auto: the one that recognises the host"),
        platform_value())
      ->capture_default_str();
  sub->add_flag("--force-platform", options.run.force_platform,
                "use the table of --platform though a host contradicts its rules");
  takes(sub->add_option("--out", options.run.out, "run directory; the report is DIR/report.json"),
        manual::directory("DIR"))
      ->default_str("rackproof- and the time");
  takes(sub->add_option("--rescue", options.run.rescue,
                        "where rank 0 saves what it holds when the run directory is lost"),
        manual::directory("DIR"))
      ->default_str("the temporary folder");
  takes(sub->add_option("--filter", options.run.filters, "keep steps whose id or program matches"),
        manual::listed("GLOB", "benches"));
  takes(sub->add_option("--exclude", options.run.excludes,
                        "leave out steps whose id or program matches"),
        manual::listed("GLOB", "benches"));
  takes(sub->add_option("--label", options.run.labels, "a pair that the report keeps"),
        manual::text("KEY=VALUE"));
  // What is wrong with a value is said by run itself.
  manual::Value hardware = manual::text("KIND");
  hardware.words = {"gpu"};
  takes(sub->add_option("--require", options.run.require,
                        "gpu: accept nothing unless every host has GPUs and each one passed"),
        hardware);
  takes(sub->add_option("--expect", options.run.expect,
                        "what is meant to be there: hosts=18,gpus=72, or the file of a list of "
                        "assets; a run on anything else is incomplete"),
        manual::file("EXTENT"));
  takes(sub->add_option("--history", options.run.history,
                        "what learn --history wrote of earlier runs"),
        manual::file("FILE"));
  takes(sub->add_option("--allow-programs", options.run.allow_programs,
                        "folder whose programs a suite may name as well as the benches"),
        manual::directory("DIR"));
  takes(
      sub->add_option("--disturbed", options.run.disturbed,
                      "what to do with what was measured while other programs ran: repeat it, and "
                      "leave it untested if that does not help; or ignore that, and the report "
                      "says so"),
      manual::choice("WORD", {"repeat", "ignore"}))
      ->default_str("the suite's");
  takes(sub->add_option("--accept-groups", options.run.accept_groups,
                        "why like parts may fall into two groups: without a reason, here or in "
                        "the table, such a run is not accepted"),
        manual::text("REASON"));
  takes(sub->add_option("--accept-unjudged", options.run.accept_unjudged,
                        "accept what the suite claims although no limit judged it, for a reason"),
        manual::text("CLAIM=REASON"))
      ->allow_extra_args(false);
  add_waive(sub, options.run.waive);
  add_resume(sub);
  takes(sub->add_option("--time-budget", options.run.time_budget,
                        "stop starting steps after this time: 90 s, 10 min, 2 h"),
        manual::text("TIME"))
      ->default_str("the suite's");
  sub->add_flag("--no-record", options.run.no_record,
                "record nothing of what the hosts do meanwhile");
  add_render_option(sub, options.run.render);
  sub->add_flag("--dry-run", options.run.dry_run,
                "print the expected cells, start nothing and end with 8");
  sub->callback([this] { chosen = [this] { return run_verb(options.run, program); }; });
}

void CommandLine::add_waive(CLI::App* sub, std::vector<std::string>& given) {
  takes(sub->add_option("--waive", given,
                        "excuse results that do not pass: a file of waivers (*.json), or one as "
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
      ->excludes("--waive");
  takes(sub->add_option("--without", options.run.without,
                        "leave out this host of a resumed run; what it owes is untested"),
        manual::text("HOST"))
      ->needs("--resume")
      ->allow_extra_args(false);
  sub->add_flag("--allow-upgrade", options.run.allow_upgrade,
                "go on with a resumed run although programs changed; the report says so")
      ->needs("--resume");
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
  takes(sub->add_option("--render", formats, "write these forms beside the report too"), value)
      ->delimiter(',')
      ->allow_extra_args(false);
}

void CommandLine::add_prove() {
  CLI::App* sub = verb("prove", "Plant faults and demand that each is found and named");
  takes(sub->add_option("--out", options.prove.out,
                        "directory for its runs; the record is DIR/proof.json"),
        manual::directory("DIR"))
      ->default_str("rackproof-proof- and the time");
  sub->callback([this] { chosen = [this] { return prove_verb(options.prove, program); }; });
}

void CommandLine::add_launch() {
  CLI::App* sub =
      verb("launch", "Start a launcher, and go on without the hosts that are lost on the way");
  takes(sub->add_option("--attempts", options.launch.attempts,
                        "how often the launcher is started at most"),
        manual::text("N"))
      ->capture_default_str()
      ->check(CLI::Range(1, 100));
  takes(sub->add_option("launcher", options.launch.launcher,
                        "mpirun or srun with its options, then rackproof run with --out"),
        manual::command("LAUNCHER"))
      ->required();
  sub->callback([this] { chosen = [this] { return launch_verb(options.launch, program); }; });
}

void CommandLine::add_telling_verbs() {
  CLI::App* listed = verb("list", "What there is: benches, suites, platforms, features");
  takes(listed->add_option("part", options.list.part, "what to list; all but ids when left out"),
        manual::choice("PART", {"benches", "suites", "platforms", "features", "formats", "ids"}));
  auto* json = listed->add_flag("--json", options.list.json, "as JSON");
  auto* markdown = listed
                       ->add_flag("--markdown", options.list.markdown,
                                  "platforms as a page: what each is judged on, and by what right")
                       ->excludes(json);
  listed->add_flag("--names", options.list.names, "names alone, each on a line of its own")
      ->excludes(json)
      ->excludes(markdown);
  auto* coverage = listed
                       ->add_flag("--coverage", options.list.coverage,
                                  "of platforms: how many claims and rates of a suite each table "
                                  "holds to a limit, and which claims it cannot")
                       ->excludes(markdown);
  takes(listed->add_option("--suite", options.list.suite, "suite of --coverage"),
        manual::listed_or_file("SUITE", "suites"))
      ->needs(coverage)
      ->capture_default_str();
  takes(listed->add_option("--hosts", options.list.hosts, "hosts of --coverage"), manual::text("N"))
      ->needs(coverage)
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  listed->callback([this] { chosen = [this] { return list_verb(options.list, program); }; });

  add_inventory();

  CLI::App* looking = verb("doctor", "Look for what would spoil a run, and say the fix");
  looking->add_option("--listen", options.doctor.listen_seconds)->group("");
  looking->callback([this] { chosen = [this] { return doctor_verb(options.doctor, program); }; });

  CLI::App* explain = verb("explain", "What a reason, finding or error means and what to do");
  takes(explain->add_option("id", word, "id as printed; without one, all are listed"),
        manual::listed("ID", "ids"));
  explain->callback([this] { chosen = [this] { return explain_verb(word, program); }; });
}

void CommandLine::add_inventory() {
  CLI::App* taken = verb("inventory", "What this node is");
  taken->add_flag("--json", options.inventory.json, "as JSON");
  auto* checked = taken->add_flag("--check", options.inventory.check,
                                  "hold it against its platform; exit 3 for a grave finding");
  takes(taken->add_option("file", options.inventory.files,
                          "what --json printed on each node, to hold against each other"),
        manual::file("FILE"))
      ->needs(checked);
  takes(taken->add_option("--platform", options.inventory.platform,
                          "name or file of a platform table"),
        platform_value())
      ->capture_default_str()
      ->needs(checked);
  takes(taken->add_option("--suite", options.inventory.suite, "suite whose suppressions count"),
        manual::listed_or_file("SUITE", "suites"))
      ->needs(checked);
  taken->add_flag("--record", options.inventory.record)->group("");
  takes(taken->add_option(
            "--nvml-deadline", options.inventory.nvml_deadline,
            "how long a driver may take to answer; what it would tell is unreadable then"),
        manual::text("TIME"))
      ->capture_default_str();
  takes(taken->add_option("--sysroot", options.inventory.sysroot,
                          "read /sys, /proc and /etc below this folder"),
        manual::directory("DIR"));
  taken->callback(
      [this] { chosen = [this] { return inventory_verb(options.inventory, program); }; });
}

void CommandLine::add_manual_verbs() {
  CLI::App* completion = verb("completion", "Print what makes a shell complete rackproof's words");
  takes(completion->add_option("shell", word, "the shell that reads it"),
        manual::choice("SHELL", {"bash", "zsh", "fish"}))
      ->required();
  completion->callback([this] {
    chosen = [this] {
      print(completion_of(word, describe(*this)));
      return 0;
    };
  });

  // For the build, which installs what it writes.
  CLI::App* pages = verb("manual", "Write the manual pages and the completion of all shells");
  pages->group("");
  takes(pages->add_option("directory", word, "where share/man and the like are made"),
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
  CLI::App* sub = verb("record", "Record what this node does while a program runs");
  takes(sub->add_option("--out", options.record.out,
                        "the file; an older recording of that name is replaced"),
        manual::file("FILE"))
      ->capture_default_str();
  takes(sub->add_option("--interval", options.record.interval_ms, "milliseconds between samples"),
        manual::text("MS"))
      ->capture_default_str();
  takes(sub->add_option("--size", options.record.size_mebibytes,
                        "MiB that the file may have; the oldest samples go when it is full"),
        manual::text("MIB"))
      ->capture_default_str();
  takes(
      sub->add_option("--sysroot", options.record.sysroot, "read /sys and /proc below this folder"),
      manual::directory("DIR"));
  sub->add_option("--longest", options.record.longest_seconds)->group("");
  sub->add_flag("--quiet", options.record.quiet, "say nothing about the cost at the end");
  takes(sub->add_option("program", options.record.words,
                        "program and arguments; without one it records until it is stopped"),
        manual::command("PROGRAM"));
  CLI::Option* dump =
      takes(sub->add_option("--dump", options.record.dump, "print this recording instead"),
            manual::file("FILE"));
  dump->excludes("--out")->excludes("--interval")->excludes("--size")->excludes("program");
  takes(sub->add_option("--format", options.record.format, "form of what --dump prints"),
        manual::choice("FORMAT", {"jsonl", "csv"}))
      ->capture_default_str()
      ->needs(dump);
  sub->callback([this] { chosen = [this] { return record_verb(options.record, program); }; });
}

void CommandLine::add_gate() {
  GateOptions& gate = options.gate;
  CLI::App* sub = verb("gate", "Whether this node may get work: the short check for a scheduler");
  takes(
      sub->add_option("--mode", gate.mode,
                      "prolog: before a job, with benches; epilog: after one; health: at any time"),
      manual::choice("MODE", {"prolog", "epilog", "health"}))
      ->capture_default_str();
  takes(sub->add_option("--platform", gate.platform,
                        "name or file of the table that the node must fit; auto: the one that "
                        "recognised it at its last good look, else the one that does"),
        platform_value())
      ->capture_default_str();
  takes(
      sub->add_option("--golden", gate.golden,
                      "what rackproof inventory --json printed on a node that is as all should be"),
      manual::file("FILE"));
  takes(sub->add_option("--state", gate.state, "where the last good look of this node is kept"),
        manual::directory("DIR"))
      ->default_str("/var/lib/rackproof/gate for root");
  takes(sub->add_option("--node", gate.node, "its name for the scheduler"), manual::text("NAME"))
      ->default_str("SLURMD_NODENAME, or the host's name");
  takes(sub->add_option("--limit", gate.limit, "it ends within this time, whatever hangs"),
        manual::text("TIME"))
      ->capture_default_str();
  CLI::Option* bench =
      sub->add_flag("--bench", gate.bench, "run the benches in the modes epilog and health too");
  sub->add_flag("--no-bench", gate.no_bench, "run none: other jobs are on the node")
      ->excludes(bench);
  takes(sub->add_option("--suite", gate.suite, "suite of the benches"),
        manual::listed_or_file("SUITE", "suites"))
      ->capture_default_str();
  takes(sub->add_option("--drain", gate.drain,
                        "of a node that must not get work: print the command that tells Slurm so, "
                        "or do it"),
        manual::choice("HOW", {"print", "do"}));
  sub->add_flag("--lenient", gate.lenient,
                "a node of which it could not be found out gets work: end with 0 instead of 4");
  takes(sub->add_option("--accept", gate.accept,
                        "take what there is now as the good state, after a repair"),
        manual::text("REASON"));
  CLI::Option* json = sub->add_flag("--json", gate.json, "what it came to, as JSON");
  sub->add_flag("-v,--verbose", gate.verbose, "say what was looked at of a node that is well too")
      ->excludes(json);
  sub->add_flag("--look", gate.look)->group("");
  sub->add_option("--nvml-deadline", gate.nvml_deadline)->group("");
  sub->add_option("--counters-root", gate.counters_root)->group("");
  sub->callback([this] { chosen = [this] { return gate_verb(options.gate, program); }; });
}

}  // namespace rackproof::cli
