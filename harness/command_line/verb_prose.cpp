#include "harness/command_line/verb_prose.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace rackproof::command_line {
namespace {

manual::Row color_row() {
  return {"NO_COLOR", "if set and not empty, output is not coloured unless --color says so"};
}

std::vector<manual::Row> launcher_rows() {
  return {{"OMPI_COMM_WORLD_SIZE, PMIX_RANK, PMI_RANK, SLURM_STEP_ID",
           "set by a launcher; the program joins the other ranks if one of them is set"},
          {"RACKPROOF_PATH",
           "folders between colons with suites/ and platforms/ of this site, beside "
           "~/.config/rackproof and /etc/rackproof"},
          {"LD_LIBRARY_PATH",
           "benches inherit those of its folders that are absolute and not world-writable"}};
}

std::vector<manual::Row> proof_files() {
  return {{"$XDG_STATE_HOME/rackproof/proof.json",
           "result of the last rackproof prove; in ~/.local/state if the variable is not set"}};
}

manual::Prose run_prose() {
  manual::Prose prose;
  prose.about = {
      "Takes the inventory of each host, lists everything the suite must measure there, runs the "
      "benches, verifies their answers, judges each number by the table of that machine type, and "
      "writes one report. What was not measured, not verified or has no baseline never passes.",
      "Started alone, it is a run of one rank. Under mpirun, or srun with PMIx, all ranks form one "
      "run, with any number of ranks per host. Continue an interrupted run with --resume, under "
      "the same launcher and with the same number of ranks."};
  prose.examples = {
      {"A minute on this host alone", "rackproof run --suite smoke --out first-run"},
      {"Four hosts, one rank on each",
       "mpirun --hostfile hosts --map-by ppr:1:node --bind-to none rackproof run --out rack7"},
      {"The same under Slurm",
       "srun -N 4 --ntasks-per-node=1 --mpi=pmix rackproof run --out rack7"},
      {"A rack of 18 trays with four GPUs each: less is incomplete",
       "mpirun --hostfile rack7.hosts --map-by ppr:1:node --bind-to none rackproof run --expect "
       "hosts=18,gpus=72 --out rack7"},
      {"What it would measure, by which limits, and how long",
       "rackproof run --suite acceptance --dry-run"},
      {"With the places of all adapters, so that a slow one is named with leaf, port and cable",
       "ibnetdiscover > fabric.txt; mpirun --hostfile hosts --map-by ppr:1:node --bind-to none "
       "rackproof run --topology fabric.txt --topology cables.csv --out rack7"},
      {"Two hosts of the job, after work on them: a look, and no acceptance of the rack",
       "mpirun --hostfile hosts --map-by ppr:1:node --bind-to none rackproof run --only-host "
       "gb-03,gb-04 --out look"},
      {"What did not pass, once more",
       "rackproof run --suite smoke --failed first-run --out again"},
      {"And then a program of the site, which gets the report and the verdict",
       "rackproof run --suite smoke --out first-run --hook /usr/local/sbin/tell-us"},
      {"Continue after an interruption", "rackproof run --resume rack7"}};
  prose.exits = verdict_exits();
  prose.exits.push_back({"5", "--filter, --exclude and --failed leave no step"});
  prose.exits.push_back(
      {"8",
       "nothing was measured or judged: the plan of a --dry-run, or --failed and nothing failed"});
  prose.exits.push_back({"130", "interrupted: the report is written, the run can be resumed"});
  prose.environment = launcher_rows();
  prose.environment.push_back(color_row());
  prose.files = {{"DIR/report.json", "the report, written whole or not at all"},
                 {"DIR/report.json.zst", "in its place where it is compressed"},
                 {"DIR/journals/", "what happened, line by line; the report is made from it"},
                 {"DIR/suite.json", "the suite as it was read"}};
  for (manual::Row& row : proof_files()) prose.files.push_back(row);
  prose.see = {"rackproof-show(1)", "rackproof-launch(1)", "rackproof-doctor(1)",
               "rackproof-prove(1)"};
  return prose;
}

manual::Prose retest_prose() {
  manual::Prose prose;
  prose.about = {
      "Makes one accepted report of a rack again after a node or a GPU was repaired. Measured "
      "again "
      "is what was repaired, every link and group with it, what did not pass or was not measured, "
      "and what is older than --valid; the rest keeps the numbers and the date that it has. The "
      "new "
      "report names the one that it amends by its digest, with the reason and the ticket.",
      "The report must be what its journals give. If anything but what is named with --repaired is "
      "not as its inventory says, nothing is measured and the changes are listed. Start it under "
      "the same launcher, on the same hosts and with the same number of ranks as the run."};
  prose.examples = {
      {"A node came back",
       "mpirun --hostfile hosts --map-by ppr:1:node --bind-to none rackproof retest rack7 "
       "--repaired gb-07 --reason 'mainboard replaced' --ticket 4711 --out rack7-b"},
      {"Its GPU 3 was replaced",
       "rackproof retest rack7 --repaired gb-07/3 --reason 'GPU replaced' --ticket 4712"}};
  prose.exits = verdict_exits();
  prose.exits.push_back({"2", "the inventory has changed elsewhere, or the report was changed"});
  prose.exits.push_back({"130", "interrupted: the report is written, the run can be resumed"});
  prose.environment = launcher_rows();
  prose.files = {{"DIR/report.json", "the new report, or report.json.zst"},
                 {"DIR/journals/", "those of the earlier run, and those of this one"},
                 {"DIR/amends/SHA256.json", "each report that it amends, for rackproof verify"}};
  prose.see = {"rackproof-run(1)", "rackproof-verify(1)", "rackproof-show(1)"};
  return prose;
}

manual::Prose prove_prose() {
  manual::Prose prose;
  prose.about = {
      "Injects known faults one at a time, runs benches over them, and fails unless each fault is "
      "detected and attributed to the right place. Later reports of this user state when that was "
      "done and with what result."};
  prose.examples = {{"With four ranks, so that every fault has peers to compare with",
                     "mpirun -n 4 rackproof prove --out proof"}};
  prose.exits = {{"0", "each fault that could be injected was detected and attributed"},
                 {"3", "a fault was not detected"},
                 {"4", "nothing was detected, or the self-test was interrupted"}};
  prose.environment = launcher_rows();
  prose.files = {{"DIR/proof.json", "what was injected, expected and seen"}};
  for (manual::Row& row : proof_files()) prose.files.push_back(row);
  prose.see = {"rackproof-run(1)"};
  return prose;
}

manual::Prose launch_prose() {
  manual::Prose prose;
  prose.about = {
      "Starts the launcher given after --. If the job dies, it reports which hosts were lost, "
      "excludes them and continues on the rest, until the run is complete or --attempts is used "
      "up. The remaining cells of a lost host stay untested, and the run is not accepted."};
  prose.examples = {
      {"A run that continues without lost hosts",
       "rackproof launch -- mpirun --hostfile hosts --map-by ppr:1:node --bind-to none rackproof "
       "run --out rack7"},
      {"Under Slurm, with at most two starts",
       "rackproof launch --attempts 2 -- srun -N 4 --mpi=pmix rackproof run --out rack7"}};
  prose.exits = verdict_exits();
  prose.exits.push_back({"1", "the launcher ended before the run began"});
  prose.exits.push_back({"5", "the selection matched no step"});
  prose.exits.push_back({"130", "interrupted"});
  prose.environment = {{"PATH", "where the launcher is searched"}};
  prose.see = {"rackproof-run(1)", "mpirun(1)", "srun(1)"};
  return prose;
}

manual::Prose inventory_prose() {
  manual::Prose prose;
  prose.about = {
      "Prints processors, memory, GPUs, adapters, drivers and limits of this node. With --check it "
      "compares the node with its platform table; with files, it compares the inventories of "
      "several nodes and names the ones that differ."};
  prose.examples = {{"This node, as text", "rackproof inventory"},
                    {"Compare with the platform table", "rackproof inventory --check"},
                    {"Compare nodes with each other",
                     "rackproof inventory --check node1.json node2.json node3.json"}};
  prose.exits = {{"0", "done; with --check: no severe finding"},
                 {"3", "with --check: a severe finding"}};
  prose.see = {"rackproof-doctor(1)"};
  return prose;
}

manual::Prose doctor_prose() {
  manual::Prose prose;
  prose.about = {
      "Checks for problems that would invalidate or disturb a run here, and suggests fixes: "
      "benches that do not start, resource limits, CPU governor, shared memory, other load, a "
      "launcher that does not match the build."};
  prose.examples = {{"Before a run", "rackproof doctor"},
                    {"As a rank sees it", "mpirun -n 1 rackproof doctor"}};
  prose.exits = {{"0", "ready"}, {"3", "not ready: a run would fail"}};
  prose.environment = {{"TMPDIR", "the temporary folder to check; /tmp if not set"},
                       {"OMPI_ALLOW_RUN_AS_ROOT, OMPI_ALLOW_RUN_AS_ROOT_CONFIRM",
                        "Open MPI starts no program as root unless both are 1"}};
  prose.see = {"rackproof-inventory(1)", "rackproof-run(1)"};
  return prose;
}

manual::Prose list_prose() {
  manual::Prose prose;
  prose.about = {
      "Lists benches, suites, platform tables, features of this build and report formats; and, "
      "where they are asked for, the ids that rackproof explain knows, the facts of an inventory "
      "and the columns of a recording."};
  prose.examples = {{"Every platform table", "rackproof list platforms"},
                    {"What each can judge by a limit", "rackproof list platforms --coverage"},
                    {"Names for a script", "rackproof list suites --names"},
                    {"Facts that a table can make rules of", "rackproof list facts"}};
  prose.exits = {{"0", "done"}};
  prose.see = {"rackproof-explain(1)", "rackproof-run(1)"};
  return prose;
}

manual::Prose explain_prose() {
  manual::Prose prose;
  prose.about = {
      "Explains an id of a report and what to do about it: the reason of a verdict, a finding or "
      "an error. Also says what a fact of an inventory or a column of a recording is, and its "
      "unit."};
  prose.examples = {{"The reason of a verdict", "rackproof explain below-limit"},
                    {"A fact of an inventory", "rackproof explain gpu.row_remap_failed"},
                    {"All of them", "rackproof explain"}};
  prose.exits = {{"0", "done"}};
  prose.see = {"rackproof-show(1)"};
  return prose;
}

manual::Prose gate_prose() {
  manual::Prose prose;
  prose.about = {
      "Decides within seconds whether this node may get work, for a scheduler that asks before or "
      "after each job, or periodically. It compares the inventory with the platform table, a "
      "reference inventory and this node's last good state, counts new errors, reads the kernel "
      "log, and in prolog mode runs verified benches for a second or two.",
      "Nothing is printed for a healthy node. Otherwise each finding is a line, and the last line "
      "is a reason for the scheduler. Only a check without findings is recorded as good; after a "
      "repair, --accept records the present state as good.",
      "The check runs in a separate process: even if the driver or a disk hangs, this program "
      "exits within --limit and says where it hung."};
  prose.examples = {{"Periodically, draining the node if something is wrong",
                     "rackproof gate --mode health --drain do"},
                    {"Before a job: its exit code drains the node", "rackproof gate --mode prolog"},
                    {"What it checks", "rackproof gate -v"},
                    {"After a GPU was replaced",
                     "rackproof gate --bench --accept 'ticket 4711: GPU 3 exchanged'"}};
  prose.exits = {{"0", "the node may get work"},
                 {"3", "it must not; the last line names the part"},
                 {"4", "unknown; 0 with --lenient"}};
  prose.environment = {
      {"SLURMD_NODENAME", "the node's name for the scheduler"},
      {"PATH",
       "where --drain do searches for scontrol, before /usr/bin, /usr/local/bin and "
       "/opt/slurm/bin"},
      {"TMPDIR", "where the run of the benches is kept meanwhile; /tmp if not set"}};
  prose.files = {
      {"/var/lib/rackproof/gate/NODE.json", "last good state, if run by root"},
      {"$XDG_STATE_HOME/rackproof/gate/NODE.json",
       "the same for other users; in ~/.local/state if the variable is not set"},
      {"share/rackproof/slurm/gate.sh", "for Prolog, Epilog and HealthCheckProgram of slurm.conf"}};
  prose.see = {"rackproof-inventory(1)", "rackproof-run(1)"};
  return prose;
}

manual::Prose completion_prose() {
  manual::Prose prose;
  prose.about = {
      "Prints a script that completes verbs, options, files, and names of suites, platforms, "
      "benches, formats and ids. Names are queried from the program when needed. An installation "
      "under /usr has the scripts where shells find them."};
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
      "Samples clocks, power, temperatures, errors, traffic and load of this node while a program "
      "runs. The recording has a fixed size: the newest samples replace the oldest. Without a "
      "program, it records until it is stopped."};
  prose.examples = {
      {"Record while a program runs", "rackproof record --out burn.recording -- ./burn"},
      {"Print a recording", "rackproof record --dump burn.recording --format csv"}};
  prose.exits = {
      {"0 to 255", "that of the program; 128 + N if signal N ended it, 127 if it could not be run"},
      {"2", "also: the recording could not be made"}};
  prose.environment = {{"PATH", "where the program is searched"}};
  prose.see = {"rackproof-run(1)"};
  return prose;
}

}  // namespace

std::vector<manual::Row> verdict_exits() {
  return {
      {"0",
       "accepted: every required cell is correct or waived, each claim of the suite passed a "
       "limit, and the run reached its end"},
      {"3", "rejected: a required cell failed"},
      {"4", "incomplete: neither; something required is untested or unjudged"},
      {"7",
       "verified, not accepted: all required cells are correct, but some claims have no limit"}};
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
      {"run", run_prose},
      {"retest", retest_prose},
      {"prove", prove_prose},
      {"launch", launch_prose},
      {"list", list_prose},
      {"doctor", doctor_prose},
      {"inventory", inventory_prose},
      {"explain", explain_prose},
      {"record", record_prose},
      {"completion", completion_prose},
      {"gate", gate_prose},
  };
  return all;
}

manual::Prose program_prose() {
  manual::Prose prose;
  prose.about = {
      "rackproof is an acceptance test for GPU clusters. It identifies the machine, runs benches "
      "on every device, verifies every answer, judges each number by a table for that machine "
      "type, and writes one report. Everything a run must measure is listed before it starts.",
      "Each verb has a manual page, as in man rackproof-run, and --help; rackproof help run prints "
      "the same."};
  prose.examples = {{"A first look at this machine, a minute long",
                     "rackproof run --suite smoke --out first-run"},
                    {"Show the result", "rackproof show first-run"}};
  prose.exits = verdict_exits();
  prose.exits.push_back({"5", "the selection matched nothing"});
  prose.exits.push_back({"6", "integrity: something differs from what was signed"});
  prose.exits.push_back({"130", "interrupted"});
  prose.exits = with_common_exits(std::move(prose.exits));
  prose.environment = {color_row()};
  prose.files = {
      {"bin/rackproof-mpi",
       "what rackproof executes as a rank of a launcher: the same program, linked with MPI"},
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

}  // namespace rackproof::command_line
