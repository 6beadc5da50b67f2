#include "harness/job/proof.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <iterator>

#include "benches/protocol/version.hpp"
#include "harness/assemble/directory.hpp"
#include "harness/config/bench.hpp"
#include "harness/crew/parting.hpp"
#include "harness/inventory/inventory.hpp"
#include "harness/job/installation.hpp"
#include "harness/job/ranks.hpp"
#include "harness/job/run_directory.hpp"
#include "harness/job/signals.hpp"
#include "harness/prove/examine.hpp"
#include "harness/prove/proof_file.hpp"
#include "harness/run/coordinator.hpp"
#include "harness/support/errors.hpp"
#include "harness/support/exit_code.hpp"
#include "harness/support/files.hpp"
#include "harness/support/print.hpp"
#include "harness/warden/process_warden.hpp"
#include "reports/json/report_json.hpp"

namespace rackproof::job {
namespace {

namespace fs = std::filesystem;
using fleet::MessageKind;

constexpr double kFarewellSeconds = 20;
// Rank 0 says nothing while it examines what it has found.
constexpr double kExamineSeconds = 300;

/// The trials of a proof, each a run of its own over the same ranks.
enum class Trial { kOtherBuild, kOtherTables, kFaults };
constexpr Trial kTrials[] = {Trial::kOtherBuild, Trial::kOtherTables, Trial::kFaults};

/// Each rank is a node of its own in a proof: peers, roll calls and groups need several.
std::string node_name(const std::string& host, int rank) {
  return fmt::format("{}#{}", host, rank);
}

crew::Arrival arrival_in(Trial trial, int rank, int size, const Program& program) {
  crew::Arrival arrival = arrival_of_first(rank, program, hash_benches(program.paths.programs));
  arrival.host = node_name(arrival.host, rank);
  if (rank != size - 1) return arrival;
  if (trial == Trial::kOtherBuild) arrival.commit = "another-build";
  if (trial == Trial::kOtherTables) {
    const auto table = arrival.files.lower_bound("platforms/");
    if (table != arrival.files.end()) table->second = "another-table";
  }
  return arrival;
}

/// What one rank needs for all trials. A warden serves one run.
struct Ground {
  const std::string& out;  ///< where the proof is written
  const Program& program;
  const Screen& screen;
  fleet::Team& team;
  std::vector<std::unique_ptr<warden::Warden>>& wardens;
  std::vector<config::BenchProgram> benches;  ///< of rank 0
  support::SystemClock clock = {};
};

// ---- ranks other than 0

// Rank 0 says when the next trial begins: what it still reads of the last one is thrown away.
bool await_next(Ground& ground) {
  const double until = ground.clock.now() + crew::kArrivalSeconds;
  while (ground.clock.now() < until) {
    while (const auto message = ground.team.receive()) {
      if (message->kind == MessageKind::kNext) return true;
    }
    ground.clock.sleep(crew::kTickSeconds);
  }
  return false;
}

int follow_proof(Ground& ground) {
  std::size_t at = 0;
  for (const Trial trial : kTrials) {
    if (!await_next(ground)) return support::kAccepted;
    warden::Warden& warden = *ground.wardens[at++];
    crew::Local local(warden, ground.program.paths.programs, ground.program.paths.self,
                      ground.program.in_rank);
    crew::Follower(ground.team, warden, ground.clock, open_directory, local,
                   arrival_in(trial, ground.team.rank(), ground.team.size(), ground.program))
        .run();
  }
  crew::await_parting(ground.team, ground.clock, ground.clock.now(), kExamineSeconds);
  return support::kAccepted;
}

// ---- rank 0

void begin_next(fleet::Team& team) {
  for (const int rank : others_of(team)) team.send(rank, MessageKind::kNext, "");
}

// Waits for the farewells of `owed` ranks. True when all of them came.
bool hear_farewells(Ground& ground, int owed) {
  const double until = ground.clock.now() + kFarewellSeconds;
  while (owed > 0 && ground.clock.now() < until) {
    while (const auto message = ground.team.receive())
      owed -= message->kind == MessageKind::kBye ? 1 : 0;
    ground.clock.sleep(crew::kTickSeconds);
  }
  return owed == 0;
}

prove::Setting setting_of(const Ground& ground) {
  prove::Setting setting;
  setting.ranks = ground.team.size();
  for (const std::string& name : support::names_in(ground.program.paths.programs, "")) {
    setting.programs.insert(name);
  }
  for (const crew::InRank& bench : ground.program.in_rank) setting.programs.insert(bench.program);
  // A proof is worth making where the inventory hangs: it is read by a child of the run as well.
  setting.devices = static_cast<int>(inventory::collect().devices.size());
  return setting;
}

resume::Request request_of(const Ground& ground, const std::string& launcher,
                           const std::vector<prove::Injection>& all) {
  resume::Request request;
  request.run_id = new_run_id();
  request.directory = fs::absolute(ground.out).lexically_normal().string();
  request.suite = prove::suite_of(all);
  request.tables = {prove::proof_table()};
  request.forced_platform = request.tables.front().id;
  request.tool.version = protocol::version();
  request.tool.commit = protocol::commit();
  request.tool.build = protocol::build_facts();
  request.command = ground.program.command;
  request.launcher = launcher;
  request.time_budget_seconds = request.suite.time_budget_seconds;
  for (const auto& bench : ground.program.in_rank)
    request.in_rank_programs.push_back(bench.program);
  request.mpi = launcher != "solo";
  return request;
}

/// A run over all ranks, for as long as it lasts.
struct Stage {
  Stage(Ground& ground, resume::Request request, Trial trial)
      : store(ground.out),
        warden(*ground.wardens[static_cast<std::size_t>(trial)]),
        local(warden, ground.program.paths.programs, ground.program.paths.self,
              ground.program.in_rank),
        progress(ground.clock, support::write_stderr, ground.screen.columns),
        coordinator(std::move(request),
                    {ground.team, warden, ground.clock, store, local, progress, interrupts},
                    arrival_in(trial, 0, ground.team.size(), ground.program)) {}

  support::DirectoryStore store;
  warden::Warden& warden;
  crew::Local local;
  run::Progress progress;
  run::Coordinator coordinator;
};

prove::Entry prove_refusal(Ground& ground, const resume::Request& request, Trial trial) {
  const int last = ground.team.size() - 1;
  const bool build = trial == Trial::kOtherBuild;
  const std::string name = build ? "another build on one rank" : "another table on one rank";
  const std::string planted = build ? "one rank says that it runs another build of rackproof"
                                    : "one rank says that it has another platform table";
  if (last == 0) {
    return {name, planted, "", "there is one rank, and none to differ from it",
            prove::State::kUnproven};
  }
  begin_next(ground.team);
  Stage stage(ground, request, trial);
  std::string refusal;
  try {
    stage.coordinator.prepare(false);
  } catch (const resume::Refused& refused) {
    refusal = refused.what();
  }
  crew::send_home(ground.team, others_of(ground.team), true, {});
  stage.warden.close(model::CloseReason::kRefused);
  hear_farewells(ground, last);
  return prove::examine_refusal(name, planted, refusal, node_name(own_host(), last));
}

// Changes the first digit of a number that a bench gave.
bool tamper(std::string& journal) {
  const std::string metric = R"(\"kind\":\"metric\")";
  const std::string field = R"(\"value\":)";
  const std::size_t line = journal.find(metric);
  const std::size_t at = line == std::string::npos ? line : journal.find(field, line);
  if (at == std::string::npos) return false;
  char& digit = journal[at + field.size()];
  digit = digit == '9' ? '1' : static_cast<char>(digit + 1);
  return true;
}

prove::Entry prove_tampering(Ground& ground, support::Store& store) {
  const std::string folder = ground.out + "/tampered";
  support::DirectoryStore copy(folder);
  copy.make_folder("journals");
  std::string changed;
  for (const std::string& name : store.list("journals")) {
    std::string bytes = store.read("journals/" + name).value_or("");
    if (changed.empty() && tamper(bytes)) changed = "journals/" + name;
    copy.write_durably("journals/" + name, bytes);
  }
  if (changed.empty()) {
    return {"tampered journal", "", "", "the run broke before there was a number to change",
            prove::State::kUnproven};
  }
  return prove::examine_tampered(assemble::assemble_directory(copy, folder), changed);
}

std::vector<prove::Entry> prove_faults(Ground& ground, const resume::Request& request,
                                       const std::vector<prove::Injection>& all) {
  begin_next(ground.team);
  Stage stage(ground, request, Trial::kFaults);
  stage.coordinator.prepare(true);
  stage.coordinator.perform();
  stage.coordinator.dismiss();
  const model::Report report = assemble::assemble_directory(stage.store, ground.out);
  stage.store.write_durably("report.json", model::to_json(report));
  const std::string host = own_host();
  std::map<int, std::string> nodes;
  for (const model::RankInfo& rank : report.ranks) nodes[rank.rank] = rank.host;
  auto entries = prove::examine(report, all, [&](int rank) {
    const auto found = nodes.find(rank);
    return found == nodes.end() ? node_name(host, rank) : found->second;
  });
  entries.push_back(prove_tampering(ground, stage.store));
  // The rank that stood still goes on again: it is to leave with the others.
  if (!stage.coordinator.everyone()) {
    crew::send_home(ground.team, {ground.team.size() - 1}, true, {});
    ground.clock.sleep(prove::kStandstillSeconds - crew::kSilenceSeconds);
    hear_farewells(ground, 1);
  }
  stage.warden.close(model::CloseReason::kFinished);
  return entries;
}

void keep_as_last(const Program& program, const std::string& text) {
  const std::string path = prove::proof_path(program.environment);
  if (path.empty()) return;
  std::error_code error;
  const fs::path folder = fs::path(path).parent_path();
  fs::create_directories(folder, error);
  try {
    support::DirectoryStore(folder.string()).write_durably("proof.json", text);
  } catch (const support::StoreError& failed) {
    support::write_stderr(
        fmt::format("rackproof: the proof is not remembered: {}\n", failed.what()));
  }
}

std::vector<config::BenchProgram> installed_programs(const Program& program) {
  auto programs = config::load_programs(program.paths.benches);
  if (programs.empty()) {
    throw support::UsageError(program.paths.benches +
                              ": describes no program of any bench; the installation is not whole");
  }
  return programs;
}

int code_of(const prove::Proof& proof, bool broke) {
  if (proof.count(prove::State::kMissed) > 0) return support::kRejected;
  return broke || proof.count(prove::State::kCaught) == 0 ? support::kIncomplete
                                                          : support::kAccepted;
}

int lead_proof(Ground& ground, const std::string& launcher) {
  const auto all = prove::injections(setting_of(ground), ground.benches);
  const resume::Request request = request_of(ground, launcher, all);
  prove::Proof proof;
  proof.utc = ground.clock.utc();
  proof.version = protocol::version();
  proof.commit = protocol::commit();
  proof.launcher = launcher;
  proof.ranks = ground.team.size();
  proof.hosts = {own_host()};
  for (const Trial trial : {Trial::kOtherBuild, Trial::kOtherTables}) {
    proof.entries.push_back(prove_refusal(ground, request, trial));
  }
  for (prove::Entry& entry : prove_faults(ground, request, all)) {
    proof.entries.push_back(std::move(entry));
  }
  const std::string text = to_json(proof);
  support::DirectoryStore(ground.out).write_durably("proof.json", text);
  keep_as_last(ground.program, text);
  support::print(table_of(proof) + "proof: " + ground.out + "/proof.json\n");
  return code_of(proof, interrupts() > 0);
}

}  // namespace

int prove_detectors(const std::string& given, const Program& program, const Screen& screen) {
  const fleet::Launcher launcher = own_launcher(program);
  std::string out = given;
  support::Fd lock;
  std::vector<config::BenchProgram> benches;
  if (launcher.rank == 0) {
    benches = installed_programs(program);
    out = make_run_directory(given, "rackproof-proof", lock);
  }
  watch_signals();
  std::vector<std::unique_ptr<warden::Warden>> wardens;
  for (std::size_t i = 0; i < std::size(kTrials); ++i) wardens.push_back(warden::fork_warden());
  const auto team = make_team(launcher, program);
  Ground ground{out, program, screen, *team, wardens, std::move(benches)};
  if (team->rank() > 0) {
    const int code = follow_proof(ground);
    leave(*team, crew::Parting::kTogether, code);
    return code;
  }
  const int code = lead_proof(ground, launcher.name);
  leave_first(*team, ground.clock, others_of(*team), crew::Parting::kTogether, code);
  end_last(*team, ground.clock);
  return code;
}

}  // namespace rackproof::job
