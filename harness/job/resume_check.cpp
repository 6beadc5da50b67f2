#include "harness/job/resume_check.hpp"

#include <fmt/format.h>

#include <set>
#include <vector>

namespace rackproof::job {
namespace {

std::string digest_in(const model::ToolInfo& tool, const std::string& program) {
  const auto found = tool.bench_sha256.find(program);
  return found == tool.bench_sha256.end() ? "" : found->second;
}

}  // namespace

std::string changed_programs(const model::ToolInfo& before, const model::ToolInfo& now,
                             const config::Suite& suite) {
  std::vector<std::string> changed;
  // In-rank benches are a part of it.
  if (before.version != now.version || before.commit != now.commit) {
    changed.push_back(fmt::format("rackproof (was {} {}, is {} {})", before.version, before.commit,
                                  now.version, now.commit));
  }
  std::set<std::string> named;
  for (const config::Step& step : suite.steps) {
    const std::string program = step.bench + "-" + step.backend;
    if (!named.insert(program).second) continue;
    if (digest_in(before, program) != digest_in(now, program)) changed.push_back(program);
  }
  if (changed.empty()) return "";
  return fmt::format("the run was begun with other programs: {}", fmt::join(changed, ", "));
}

}  // namespace rackproof::job
