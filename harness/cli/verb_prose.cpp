#include "harness/cli/verb_prose.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace rackproof::cli {
namespace {

manual::Row color_row() {
  return {"NO_COLOR",
          "when it is set and not empty, nothing is coloured unless --color asks for it"};
}

std::vector<manual::Row> launcher_rows() {
  return {
      {"OMPI_COMM_WORLD_SIZE, PMIX_RANK, PMI_RANK, SLURM_STEP_ID",
       "set by a launcher; the program joins the other ranks when it finds them"},
      {"LD_LIBRARY_PATH",
       "of its folders, benches get those that are absolute and not open to everybody's writing"}};
}

std::vector<manual::Row> proof_files() {
  return {{"$XDG_STATE_HOME/rackproof/proof.json",
           "what the last rackproof prove found; ~/.local/state stands for a variable that is not "
           "set"}};
}

manual::Prose run_prose() {
  manual::Prose prose;
  prose.about = {
      "Reads what each host is, lists everything that the suite must measure there, runs the "
      "benches, "
      "verifies their answers, judges each number by the table of that machine type, and writes "
      "one "
      "report. What was not measured, not verified or has no baseline is never a pass.",
      "Started alone it is a run of one rank. Under mpirun, or srun with PMIx, all ranks make one "
      "run; any "
      "number of them may be on a host. A run that was cut short goes on with --resume, under the "
      "same "
      "launcher and with the same number of ranks."};
  prose.examples = {
      {"A minute on this host alone", "rackproof run --suite smoke --out first-run"},
      {"Four hosts, a rank on each",
       "mpirun --hostfile hosts --map-by ppr:1:node --bind-to none rackproof run --out rack7"},
      {"The same under Slurm",
       "srun -N 4 --ntasks-per-node=1 --mpi=pmix rackproof run --out rack7"},
      {"A rack of 18 trays with four GPUs each: less is incomplete",
       "mpirun --hostfile rack7.hosts --map-by ppr:1:node --bind-to none rackproof run --expect "
       "hosts=18,gpus=72 --out rack7"},
      {"Go on after an interruption", "rackproof run --resume rack7"}};
  prose.exits = verdict_exits();
  prose.exits.push_back({"5", "--filter and --exclude leave no step"});
  prose.exits.push_back({"8", "--dry-run: listed what would be measured; nothing was judged"});
  prose.exits.push_back({"130", "interrupted: the report is written, the run can be resumed"});
  prose.environment = launcher_rows();
  prose.environment.push_back(color_row());
  prose.files = {{"DIR/report.json", "the report, written whole or not at all"},
                 {"DIR/journals/", "what happened, line by line; the report is made of it"},
                 {"DIR/suite.json", "the suite as it was read"}};
  for (manual::Row& row : proof_files()) prose.files.push_back(row);
  prose.see = {"rackproof-show(1)", "rackproof-launch(1)", "rackproof-doctor(1)",
               "rackproof-prove(1)"};
  return prose;
}

manual::Prose prove_prose() {
  manual::Prose prose;
  prose.about = {
      "Shows that a fault would have been found here: it plants faults, one by one, runs benches "
      "over "
      "them and demands that each is caught and named. The next reports of this user say when that "
      "was "
      "done and what came of it."};
  prose.examples = {{"With four ranks, so that every fault has peers to stand out from",
                     "mpirun -n 4 rackproof prove --out proof"}};
  prose.exits = {{"0", "each fault that could be planted was caught and named"},
                 {"3", "a fault went unnoticed"},
                 {"4", "nothing was caught, or it was cut short"}};
  prose.environment = launcher_rows();
  prose.files = {{"DIR/proof.json", "what was planted, demanded and seen"}};
  for (manual::Row& row : proof_files()) prose.files.push_back(row);
  prose.see = {"rackproof-run(1)"};
  return prose;
}

manual::Prose launch_prose() {
  manual::Prose prose;
  prose.about = {
      "Starts the launcher that follows the two hyphens. When the job is lost, it names the hosts "
      "that "
      "went, sets them aside and continues the run on the rest, until the run has reached its end "
      "or no "
      "start is left. What such a host still owed is untested, and the run is not accepted."};
  prose.examples = {
      {"A run that goes on without the hosts that it loses",
       "rackproof launch -- mpirun --hostfile hosts --map-by ppr:1:node --bind-to none rackproof "
       "run "
       "--out rack7"},
      {"At most two starts, under Slurm",
       "rackproof launch --attempts 2 -- srun -N 4 --mpi=pmix rackproof run --out rack7"}};
  prose.exits = verdict_exits();
  prose.exits.push_back({"1", "the launcher ended before a run began"});
  prose.exits.push_back({"5", "the run refused its selection of steps"});
  prose.exits.push_back({"130", "interrupted"});
  prose.environment = {{"PATH", "where the launcher is looked for"}};
  prose.see = {"rackproof-run(1)", "mpirun(1)", "srun(1)"};
  return prose;
}

manual::Prose inventory_prose() {
  manual::Prose prose;
  prose.about = {
      "Prints what this node is: processors, memory, GPUs, adapters, drivers, limits. With --check "
      "it holds "
      "the node against its platform table; with files, the inventories of several nodes against "
      "each "
      "other, and names the one that is unlike the rest."};
  prose.examples = {{"This node, for people", "rackproof inventory"},
                    {"Hold it against its platform", "rackproof inventory --check"},
                    {"Hold nodes against each other",
                     "rackproof inventory --check node1.json node2.json node3.json"}};
  prose.exits = {{"0", "done; with --check: nothing grave was found"},
                 {"3", "with --check: something grave was found"}};
  prose.see = {"rackproof-doctor(1)"};
  return prose;
}

manual::Prose doctor_prose() {
  manual::Prose prose;
  prose.about = {
      "Looks for what would spoil a run here and says what to do about it: benches that cannot be "
      "started, "
      "limits, the governor of the processors, shared memory, another load, a launcher that the "
      "build "
      "does not fit."};
  prose.examples = {{"Before a run", "rackproof doctor"},
                    {"As a rank will find it", "mpirun -n 1 rackproof doctor"}};
  prose.exits = {{"0", "ready"}, {"2", "not ready: a run would fail"}};
  prose.environment = {
      {"TMPDIR", "the temporary folder that is looked at; /tmp when it is not set"},
      {"OMPI_ALLOW_RUN_AS_ROOT, OMPI_ALLOW_RUN_AS_ROOT_CONFIRM",
       "Open MPI starts no program as root unless both are 1"}};
  prose.see = {"rackproof-inventory(1)", "rackproof-run(1)"};
  return prose;
}

manual::Prose list_prose() {
  manual::Prose prose;
  prose.about = {
      "Prints what is installed: benches, suites, platform tables, the features of this build, the "
      "forms "
      "that a report can be given, and the ids that rackproof explain knows."};
  prose.examples = {{"Every platform table", "rackproof list platforms"},
                    {"What each can hold to a limit", "rackproof list platforms --coverage"},
                    {"Names for a script", "rackproof list suites --names"}};
  prose.exits = {{"0", "done"}};
  prose.see = {"rackproof-explain(1)", "rackproof-run(1)"};
  return prose;
}

manual::Prose explain_prose() {
  manual::Prose prose;
  prose.about = {
      "Says what an id in a report means and what to do: the reason of a verdict, a finding, an "
      "error."};
  prose.examples = {{"A reason that a report gives", "rackproof explain below-limit"},
                    {"All of them", "rackproof explain"}};
  prose.exits = {{"0", "done"}};
  prose.see = {"rackproof-show(1)"};
  return prose;
}

manual::Prose gate_prose() {
  manual::Prose prose;
  prose.about = {
      "Decides within seconds whether this node may get work, for a scheduler that asks before or "
      "after each job, or from time to time. It holds the inventory against the platform table, a "
      "golden inventory and this node's own last good look, counts the errors since, reads the "
      "kernel's log, and in the mode prolog runs a second or two of verified benches.",
      "A node that is well is silent. Else each finding is a line, and the last line is a reason "
      "for "
      "the scheduler. Only a look that finds nothing against the node is remembered; after a "
      "repair, "
      "--accept takes what there is now as the good state.",
      "The check runs in a process of its own: whatever hangs there, the driver or a disk, this "
      "program ends within --limit and says what it hung in."};
  prose.examples = {{"From time to time, and drain the node when something is wrong",
                     "rackproof gate --mode health --drain do"},
                    {"Before a job: its exit code drains the node", "rackproof gate --mode prolog"},
                    {"What it looks at", "rackproof gate -v"},
                    {"After a GPU was exchanged",
                     "rackproof gate --bench --accept 'ticket 4711: GPU 3 exchanged'"}};
  prose.exits = {{"0", "the node may get work"},
                 {"3", "it must not: the last line names the part"},
                 {"4", "it could not be found out; 0 with --lenient"}};
  prose.environment = {
      {"SLURMD_NODENAME", "the node's name for the scheduler"},
      {"PATH",
       "where --drain do looks for scontrol; then in /usr/bin, /usr/local/bin and "
       "/opt/slurm/bin"},
      {"TMPDIR",
       "where the benches' run is kept for as long as it takes; /tmp when it is not set"}};
  prose.files = {
      {"/var/lib/rackproof/gate/NODE.json", "the last good look, of root"},
      {"$XDG_STATE_HOME/rackproof/gate/NODE.json",
       "the same of others; ~/.local/state stands for a variable that is not set"},
      {"share/rackproof/slurm/gate.sh", "for Prolog, Epilog and HealthCheckProgram of slurm.conf"}};
  prose.see = {"rackproof-inventory(1)", "rackproof-run(1)"};
  return prose;
}

manual::Prose completion_prose() {
  manual::Prose prose;
  prose.about = {
      "Prints the script that makes a shell complete verbs, options, files, and the names of "
      "suites, "
      "platforms, benches, formats and ids, which are asked of the program when they are wanted. "
      "An "
      "installation below /usr has the scripts where the shells look for them."};
  prose.examples = {
      {"For this shell", "source <(rackproof completion bash)"},
      {"For zsh, in a folder of fpath", "rackproof completion zsh > ~/.zfunc/_rackproof"},
      {"For fish", "rackproof completion fish > ~/.config/fish/completions/rackproof.fish"}};
  prose.exits = {{"0", "done"}};
  prose.files = {{"share/bash-completion/completions/rackproof", "installed for bash"},
                 {"share/zsh/site-functions/_rackproof", "installed for zsh"},
                 {"share/fish/vendor_completions.d/rackproof.fish", "installed for fish"}};
  return prose;
}

manual::Prose record_prose() {
  manual::Prose prose;
  prose.about = {
      "Samples what the node does while a program runs: clocks, power, temperatures, errors, "
      "traffic, "
      "load. The recording is a file of fixed size in which the newest samples replace the oldest. "
      "Without a program it records until it is stopped."};
  prose.examples = {
      {"What the node did while a program ran", "rackproof record --out burn.recording -- ./burn"},
      {"What is in a recording", "rackproof record --dump burn.recording --format csv"}};
  prose.exits = {
      {"0 to 255",
       "that of the program; 128 and its number when a signal ended it, 127 when it could not "
       "be run"},
      {"2", "also: the recording could not be made"}};
  prose.environment = {{"PATH", "where the program is looked for"}};
  prose.see = {"rackproof-run(1)"};
  return prose;
}

}  // namespace

std::vector<manual::Row> verdict_exits() {
  return {{"0",
           "accepted: every required cell is right or waived, all that the suite claims to be fast "
           "passed a limit, and the run reached its end"},
          {"3", "rejected: a required cell failed"},
          {"4", "incomplete: neither; something required is untested or unjudged"},
          {"7", "verified, not accepted: all is right, and some of it has no speed limit"}};
}

std::vector<manual::Row> with_common_exits(std::vector<manual::Row> own) {
  const auto has = [&own](const std::string& name) {
    return std::any_of(own.begin(), own.end(),
                       [&name](const manual::Row& row) { return row.name == name; });
  };
  if (!has("1")) own.push_back({"1", "internal error"});
  if (!has("2")) own.push_back({"2", "bad usage or bad input"});
  const auto number = [](const manual::Row& row) { return std::stoi(row.name); };
  std::stable_sort(own.begin(), own.end(),
                   [&number](const auto& a, const auto& b) { return number(a) < number(b); });
  return own;
}

const ProseOf& prose_of_running() {
  static const ProseOf all = {
      {"run", run_prose},         {"prove", prove_prose},   {"launch", launch_prose},
      {"list", list_prose},       {"doctor", doctor_prose}, {"inventory", inventory_prose},
      {"explain", explain_prose}, {"record", record_prose}, {"completion", completion_prose},
      {"gate", gate_prose},
  };
  return all;
}

manual::Prose program_prose() {
  manual::Prose prose;
  prose.about = {
      "rackproof decides whether a machine is accepted. It reads what the machine is, runs benches "
      "on it, "
      "verifies every answer, judges each number against a table for that machine type, and writes "
      "one "
      "report. Everything that a run must measure is listed before it begins.",
      "Each verb has a manual page of its own, as in man rackproof-run, and --help."};
  prose.examples = {{"A first look at this machine, a minute long",
                     "rackproof run --suite smoke --out first-run"},
                    {"What came of it", "rackproof show first-run"}};
  prose.exits = verdict_exits();
  prose.exits.push_back({"5", "the selection matched nothing"});
  prose.exits.push_back({"6", "integrity: something is not what was signed"});
  prose.exits.push_back({"130", "interrupted"});
  prose.exits = with_common_exits(std::move(prose.exits));
  prose.environment = {color_row()};
  prose.files = {
      {"bin/rackproof-mpi",
       "what rackproof becomes as a rank of a launcher: the same program, linked with MPI"},
      {"libexec/rackproof/", "the benches, beside the folder of the program"},
      {"share/rackproof/configs/", "suites and platform tables"},
      {"share/doc/rackproof/", "documentation and licences"}};
  prose.see = {"rackproof-run(1)", "rackproof-show(1)", "rackproof-doctor(1)"};
  return prose;
}

manual::Prose verb_prose(const std::string& verb) {
  for (const ProseOf* all : {&prose_of_running(), &prose_of_reports()}) {
    const auto found = all->find(verb);
    if (found == all->end()) continue;
    manual::Prose prose = found->second();
    prose.exits = with_common_exits(std::move(prose.exits));
    return prose;
  }
  throw std::logic_error("nothing is said of the verb " + verb);
}

}  // namespace rackproof::cli
