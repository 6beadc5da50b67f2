#include "harness/inventory/doctor.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "benches/protocol/version.hpp"
#include "harness/cli/exit_code.hpp"
#include "harness/cli/probe.hpp"
#include "harness/cli/verbs.hpp"
#include "harness/fleet/launcher.hpp"
#include "harness/inventory/inventory.hpp"

namespace rackproof::cli {
namespace {

std::vector<inventory::Complaint> bench_complaints(const Program& program) {
  std::vector<inventory::Complaint> out;
  const auto benches = describe_benches(program.paths.programs);
  if (benches.empty()) {
    out.push_back({"bench-missing", "there are no bench programs in " + program.paths.programs,
                   "install rackproof whole, with cmake --install", true});
  }
  for (const auto& bench : benches) {
    if (bench.problem.empty()) continue;
    out.push_back({"bench-missing", bench.program + " cannot be started: " + bench.problem,
                   "install what it names, or build rackproof on this machine", true});
  }
  return out;
}

}  // namespace

int doctor_verb(const Program& program) {
  const model::NodeInventory node = inventory::collect();
  const auto variable = program.environment.find("TMPDIR");
  const std::string temporary = variable == program.environment.end() ? "/tmp" : variable->second;
  auto complaints = inventory::examine(node, program.environment, temporary, "");
  const fleet::Launcher launcher = fleet::detect_launcher(program.environment);
  if (!launcher.problem.empty()) {
    complaints.push_back({"launcher-without-pmi", launcher.problem, "srun --mpi=pmix", true});
  }
  for (auto& complaint : bench_complaints(program)) complaints.push_back(std::move(complaint));

  std::string out = protocol::version_line("rackproof") + "\n";
  out += fmt::format("host {}, launcher {}\n", node.host, launcher.name);
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
