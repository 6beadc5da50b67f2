#include "harness/inventory/doctor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "benches/protocol/version.hpp"
#include "harness/cli/mpi_check.hpp"
#include "harness/cli/probe.hpp"
#include "harness/cli/verbs.hpp"
#include "harness/fleet/launcher.hpp"
#include "harness/inventory/inventory.hpp"
#include "harness/warden/clock.hpp"
#include "harness/warden/load_meter.hpp"

namespace rackproof::cli {
namespace {

// For how long it looks at what else runs: long enough for counters of hundredths of a second.
constexpr double kListenSeconds = 1;

// What makes a bench refuse that is started by hand.
constexpr const char* kBenchVariable = "OPENBLAS_CORETYPE";

// A bench that nothing here could use is no reason not to run.
bool is_needed(const std::string& program, const model::NodeInventory& node, const MpiFacts& mpi) {
  if (program.ends_with("-mpi")) return mpi.under_launcher || mpi.mpirun;
  const bool device = program.ends_with("-cuda") || program.ends_with("-nccl");
  return !device || !node.devices.empty();
}

// Those that a run would meet, and those that only the caller's own variable causes.
std::vector<inventory::Refusal> refusals(const Program& program,
                                         const std::vector<BenchDescription>& benches) {
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
       describe_benches(program.paths.programs, {{named->first, named->second}})) {
    if (bench.unavailable.empty() || refusing.contains(bench.program)) continue;
    out.push_back({bench.program, bench.unavailable, named->first + "=" + named->second});
  }
  return out;
}

std::vector<inventory::Complaint> bench_complaints(const Program& program,
                                                   const std::vector<BenchDescription>& benches,
                                                   const model::NodeInventory& node,
                                                   const MpiFacts& mpi) {
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

}  // namespace

int doctor_verb(const DoctorOptions& options, const Program& program) {
  warden::SystemClock clock;
  if (options.listen_seconds > 0) {
    clock.sleep(options.listen_seconds);
    return 0;
  }
  const warden::LoadMeter meter(warden::usable_processors());
  const warden::LoadReading before = meter.read();
  const auto variable = program.environment.find("TMPDIR");
  const std::string temporary = variable == program.environment.end() ? "/tmp" : variable->second;
  auto surroundings = inventory::look_around(program.environment, temporary, "");
  // Before the inventory, which loads an MPI library by any name that one can have: a second look
  // would find it.
  const MpiFacts mpi = find_mpi(std::filesystem::path(program.paths.self).parent_path().string(),
                                program.environment, surroundings.mpirun);
  const model::NodeInventory node = inventory::collect();
  clock.sleep(std::max(0.0, before.when + kListenSeconds - clock.now()));
  surroundings.load = warden::load_between(before, meter.read());
  surroundings.load.waited.reset();  // nobody has to wait while nothing is measured
  const auto benches = describe_benches(program.paths.programs);
  surroundings.refusals = refusals(program, benches);
  auto complaints = inventory::examine(node, program.environment, surroundings);
  for (auto& complaint : mpi_complaints(mpi)) complaints.push_back(std::move(complaint));
  const fleet::Launcher launcher = fleet::detect_launcher(program.environment);
  if (!launcher.problem.empty()) {
    complaints.push_back({"launcher-without-pmi", launcher.problem, "srun --mpi=pmix", true});
  }
  for (auto& complaint : bench_complaints(program, benches, node, mpi))
    complaints.push_back(std::move(complaint));

  std::string out = protocol::version_line("rackproof") + "\n";
  out += fmt::format("host {}, launcher {}\n", node.host, launcher.name);
  out += mpi_line(mpi) + "\n";
  for (const auto& feature : protocol::features()) {
    if (!feature.on) {
      out += fmt::format("feature {} is off ({}); without it: {}\n", feature.name, feature.why_off,
                         feature.lost);
    }
  }
  for (const auto& complaint : complaints) {
    out += fmt::format("{} {}: {}\n    fix: {}\n", complaint.blocking ? "PROBLEM" : "note   ",
                       complaint.id, complaint.what, complaint.fix);
  }
  const bool blocked = std::any_of(complaints.begin(), complaints.end(),
                                   [](const auto& complaint) { return complaint.blocking; });
  out += blocked ? "not ready: a run would fail\n" : "ready to run\n";
  print(out);
  return blocked ? kUsage : 0;
}

}  // namespace rackproof::cli
