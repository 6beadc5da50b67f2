#include "harness/cli/command_line.hpp"

#include "benches/protocol/version.hpp"
#include "harness/cli/rendering.hpp"

namespace rackproof::cli {

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
  add_signoff();
  add_render();
  add_compare();
  add_trend();
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
  add_render_option(sub, run.render);
  sub->add_flag("--dry-run", run.dry_run, "print the expected cells and start nothing");
  sub->callback([this] { chosen = [this] { return run_verb(run, program); }; });
}

void CommandLine::add_render_option(CLI::App* sub, std::vector<std::string>& formats) {
  sub->add_option("--render", formats,
                  "write these beside the report too, separated by commas: " + rendering_names())
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check([](const std::string& name) {
        try {
          rendering_of(name);
        } catch (const UsageError& error) {
          return std::string(error.what());
        }
        return std::string();
      });
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

}  // namespace rackproof::cli
