#include "harness/evidence/disturbance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/evidence/evidence.hpp"
#include "harness/evidence/reasons.hpp"
#include "reports/model/finding_id.hpp"

namespace rackproof::evidence {
namespace {

using model::Attempt;

/// What the processes that worked together have in common.
std::string attempt_key(const Attempt& attempt) {
  if (attempt.members <= 0) return attempt.nonce;
  return fmt::format("{}/{}/{}/{}", attempt.step, attempt.resumed, attempt.number,
                     attempt.subject.group);
}

/// What there is to say of one host.
struct Host {
  std::set<std::string> attempts;
  std::set<std::string> disturbed;
  const Attempt* worst = nullptr;
  std::string unknown;
};

// Whatever the order in which they stand.
bool is_worse(const Attempt& one, const Attempt& other) {
  const double share = model::taken_share(one.load);
  const double other_share = model::taken_share(other.load);
  return share > other_share || (share == other_share && one.nonce < other.nonce);
}

model::Finding finding_of(const model::JudgePolicy& policy, const std::string& name,
                          const Host& host) {
  const bool ignored = policy.disturbed == model::Disturbed::kIgnore;
  const double share = model::taken_share(host.worst->load);
  model::Finding finding;
  finding.id = ignored ? model::finding_id::kDisturbanceIgnored : model::finding_id::kDisturbed;
  finding.severity = model::Severity::kWarning;
  finding.subject = name;
  finding.text = fmt::format("{} of {} attempts disturbed, most of all {} at step {}: {}{}",
                             host.disturbed.size(), host.attempts.size(), name_of(*host.worst),
                             host.worst->step, model::to_text(host.worst->load),
                             ignored ? "; the suite or the command line ignores this" : "");
  finding.evidence = {{"disturbed", static_cast<std::int64_t>(host.disturbed.size())},
                      {"attempts", static_cast<std::int64_t>(host.attempts.size())},
                      {"share", share}};
  return finding;
}

model::Finding unknown_of(const std::string& name, const std::string& why) {
  model::Finding finding;
  finding.id = model::finding_id::kLoadUnknown;
  finding.severity = model::Severity::kInfo;
  finding.subject = name;
  finding.text = "whether other programs disturbed what was measured is not known: " + why;
  return finding;
}

}  // namespace

bool is_discounted(const model::JudgePolicy& policy, const Attempt& attempt) {
  return policy.disturbed == model::Disturbed::kRepeat && model::was_disturbed(policy, attempt);
}

int attempts_when_disturbed(int allowed) { return std::max(allowed, 2); }

model::Verdict untested_when_disturbed(const model::Report& report, const Attempt& attempt) {
  const auto step =
      std::find_if(report.steps.begin(), report.steps.end(),
                   [&](const model::StepInfo& one) { return one.id == attempt.step; });
  const int allowed =
      attempts_when_disturbed(step == report.steps.end() ? 1 : step->attempts_allowed);
  return verdict(model::Outcome::kUntested, reason_id::kDisturbed,
                 fmt::format("{}: {}, where the suite lets {:.3g} % pass; {} attempts were allowed",
                             name_of(attempt), model::to_text(attempt.load),
                             report.suite.policy.disturbed_share * 100, allowed));
}

std::string disturbance(const model::Report& report) {
  std::set<std::string> all;
  std::set<std::string> disturbed;
  for (const Attempt& attempt : report.attempts) {
    all.insert(attempt_key(attempt));
    if (model::was_disturbed(report.suite.policy, attempt)) disturbed.insert(attempt_key(attempt));
  }
  if (disturbed.empty()) return "";
  const bool ignored = report.suite.policy.disturbed == model::Disturbed::kIgnore;
  return fmt::format("other programs disturbed {} of {} attempt{}{}", disturbed.size(), all.size(),
                     all.size() == 1 ? "" : "s", ignored ? ", which is ignored" : "");
}

std::vector<model::Finding> find_disturbed(const model::Report& report) {
  const model::JudgePolicy& policy = report.suite.policy;
  std::map<std::string, Host> hosts;
  for (const Attempt& attempt : report.attempts) {
    Host& host = hosts[attempt.host];
    host.attempts.insert(attempt_key(attempt));
    if (!attempt.load.unknown.empty()) host.unknown = attempt.load.unknown;
    if (!model::was_disturbed(policy, attempt)) continue;
    host.disturbed.insert(attempt_key(attempt));
    if (host.worst == nullptr || is_worse(attempt, *host.worst)) host.worst = &attempt;
  }
  std::vector<model::Finding> findings;
  for (const auto& [name, host] : hosts) {
    if (host.worst != nullptr) findings.push_back(finding_of(policy, name, host));
    if (!host.unknown.empty()) findings.push_back(unknown_of(name, host.unknown));
  }
  return findings;
}

}  // namespace rackproof::evidence
