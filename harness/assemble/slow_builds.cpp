#include "harness/assemble/slow_builds.hpp"

#include <map>
#include <string>
#include <utility>

#include "reports/model/finding_id.hpp"

namespace rackproof::assemble {
namespace {

// A build whose speed says nothing of the machine, or nothing.
std::string slow_build(const std::map<std::string, std::string>& facts) {
  if (const auto used = facts.find("sanitizers"); used != facts.end()) {
    return "built with sanitizers (" + used->second + ")";
  }
  const auto type = facts.find("type");
  return type != facts.end() && type->second == "Debug" ? "a debug build" : "";
}

}  // namespace

void note_slow_builds(model::Report& report) {
  std::map<std::string, std::string> slow;  // program -> what it is
  if (const std::string what = slow_build(report.tool.build); !what.empty()) {
    slow["rackproof"] = what;
  }
  for (const model::Attempt& attempt : report.attempts) {
    const std::string what = slow_build(attempt.build);
    if (!what.empty()) slow[attempt.bench + "-" + attempt.backend] = what;
  }
  for (const auto& [program, what] : slow) {
    model::Finding finding;
    finding.id = model::finding_id::kDebugBuild;
    finding.severity = model::Severity::kWarning;
    finding.subject = program;
    finding.text = program + " is " + what + ": its speed says little about the machine";
    report.findings.push_back(std::move(finding));
  }
}

}  // namespace rackproof::assemble
