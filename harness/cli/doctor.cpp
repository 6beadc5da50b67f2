#include "harness/inventory/doctor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "benches/protocol/version.hpp"
#include "harness/cli/verbs.hpp"
#include "harness/fleet/launcher.hpp"
#include "harness/inventory/inventory.hpp"
#include "harness/job/mpi_check.hpp"
#include "harness/job/probe.hpp"
#include "harness/support/clock.hpp"
#include "harness/warden/load_meter.hpp"

namespace rackproof::cli {
namespace {

// For how long it looks at what else runs: long enough for counters of hundredths of a second.
constexpr double kListenSeconds = 1;

// What makes a bench refuse that is started by hand.
constexpr const char* kBenchVariable = "OPENBLAS_CORETYPE";

// A bench that nothing here could use is no reason not to run.
bool is_needed(const std::string& program, const model::NodeInventory& node,
               const job::MpiFacts& mpi) {
  if (program.ends_with("-mpi")) return mpi.under_launcher || mpi.mpirun;
  const bool device = program.ends_with("-cuda") || program.ends_with("-nccl");
  return !device || !node.devices.empty();
}

// Those that a run would meet, and those that only the caller's own variable causes.
std::vector<inventory::Refusal> refusals(const Program& program,
                                         const std::vector<job::BenchDescription>& benches) {
  std::vector<inventory::Refusal> out;
  std::set<std::string> refusing;
  for (const auto& bench : benches) {
    if (bench.unavailable.empty()) continue;
    refusing.insert(bench.program);
    out.push_back({bench.program, bench.unavailable, ""});
  }
  const auto named = program.environment.find(kBenchVariable);
  if (named == program.environment.end()) return out;
  for (const auto& bench :
       job::describe_benches(program.paths.programs, {{named->first, named->second}})) {
    if (bench.unavailable.empty() || refusing.contains(bench.program)) continue;
    out.push_back({bench.program, bench.unavailable, named->first + "=" + named->second});
  }
  return out;
}

std::vector<inventory::Complaint> bench_complaints(
    const Program& program, const std::vector<job::BenchDescription>& benches,
    const model::NodeInventory& node, const job::MpiFacts& mpi) {
  std::vector<inventory::Complaint> out;
  if (benches.empty()) {
    out.push_back({"bench-missing", "there are no bench programs in " + program.paths.programs,
                   "install rackproof whole, with cmake --install", true});
  }
  for (const auto& bench : benches) {
    if (bench.problem.empty()) continue;
    out.push_back({"bench-missing", bench.program + " cannot be started: " + bench.problem,
                   "install what it names, or build rackproof on this machine",
                   is_needed(bench.program, node, mpi)});
  }
  return out;
}

struct Examination {
  std::string host;
  std::string launcher;
  job::MpiFacts mpi;
  std::vector<inventory::Complaint> complaints;

  bool is_ready() const {
    return std::none_of(complaints.begin(), complaints.end(),
                        [](const auto& complaint) { return complaint.blocking; });
  }
  /// Without a launcher.
  bool is_ready_alone() const {
    return std::none_of(complaints.begin(), complaints.end(), [](const auto& complaint) {
      return complaint.blocking && !complaint.under_launcher_only;
    });
  }
};

Examination examine_here(const Program& program) {
  support::SystemClock clock;
  const warden::LoadMeter meter(warden::usable_processors());
  const warden::LoadReading before = meter.read();
  const auto variable = program.environment.find("TMPDIR");
  const std::string temporary = variable == program.environment.end() ? "/tmp" : variable->second;
  auto surroundings = inventory::look_around(program.environment, temporary, "");
  Examination out;
  // Before the inventory, which loads an MPI library by any name that one can have: a second look
  // would find it.
  out.mpi = job::find_mpi(std::filesystem::path(program.paths.self).parent_path().string(),
                          program.environment, surroundings.mpirun);
  const model::NodeInventory node = inventory::collect();
  clock.sleep(std::max(0.0, before.when + kListenSeconds - clock.now()));
  surroundings.load = warden::load_between(before, meter.read());
  surroundings.load.waited.reset();  // nobody has to wait while nothing is measured
  const auto benches = job::describe_benches(program.paths.programs);
  surroundings.refusals = refusals(program, benches);
  out.host = node.host;
  out.complaints = inventory::examine(node, program.environment, surroundings);
  for (auto& complaint : job::mpi_complaints(out.mpi))
    out.complaints.push_back(std::move(complaint));
  const fleet::Launcher launcher = fleet::detect_launcher(program.environment);
  out.launcher = launcher.name;
  if (!launcher.problem.empty()) {
    out.complaints.push_back({"launcher-without-pmi", launcher.problem, "srun --mpi=pmix", true});
  }
  for (auto& complaint : bench_complaints(program, benches, node, out.mpi)) {
    out.complaints.push_back(std::move(complaint));
  }
  return out;
}

std::string to_text(const Examination& seen) {
  std::string out = protocol::version_line("rackproof") + "\n";
  out += fmt::format("host {}, launcher {}\n", seen.host, seen.launcher);
  out += job::mpi_line(seen.mpi) + "\n";
  for (const auto& feature : protocol::features()) {
    if (!feature.on) {
      out += fmt::format("feature {} is off ({}); without it: {}\n", feature.name, feature.why_off,
                         feature.lost);
    }
  }
  for (const auto& complaint : seen.complaints) {
    out += fmt::format("{} {}: {}\n    fix: {}\n", complaint.blocking ? "PROBLEM" : "note   ",
                       complaint.id, complaint.what, complaint.fix);
  }
  if (seen.is_ready()) return out + "ready to run\n";
  return out + (seen.is_ready_alone()
                    ? "not ready: a run under mpirun would fail; without it rackproof can run\n"
                    : "not ready: a run would fail\n");
}

std::string to_json(const Examination& seen) {
  nlohmann::json document = {{"version", protocol::version()},
                             {"host", seen.host},
                             {"launcher", seen.launcher},
                             {"mpi", job::mpi_line(seen.mpi)},
                             {"ready", seen.is_ready()},
                             {"ready_alone", seen.is_ready_alone()},
                             {"complaints", nlohmann::json::array()},
                             {"features_off", nlohmann::json::array()}};
  for (const auto& complaint : seen.complaints) {
    document["complaints"].push_back({{"id", complaint.id},
                                      {"what", complaint.what},
                                      {"fix", complaint.fix},
                                      {"blocking", complaint.blocking},
                                      {"under_launcher_only", complaint.under_launcher_only}});
  }
  for (const auto& feature : protocol::features()) {
    if (feature.on) continue;
    document["features_off"].push_back(
        {{"name", feature.name}, {"why", feature.why_off}, {"without_it", feature.lost}});
  }
  return document.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace

int doctor_verb(const DoctorOptions& options, const Program& program) {
  if (options.listen_seconds > 0) {
    support::SystemClock().sleep(options.listen_seconds);
    return 0;
  }
  const Examination seen = examine_here(program);
  print(options.json ? to_json(seen) : to_text(seen));
  return seen.is_ready() ? kAccepted : kRejected;
}

}  // namespace rackproof::cli
