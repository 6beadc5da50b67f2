#include "harness/resume/again.hpp"

#include <algorithm>
#include <set>

#include "reports/model/reason_id.hpp"

namespace rackproof::resume {
namespace {

std::set<std::string> hosts_in(const model::Subject& subject) {
  std::set<std::string> hosts(subject.members.begin(), subject.members.end());
  for (const std::string& host : {subject.host, subject.peer_host}) {
    if (!host.empty()) hosts.insert(host);
  }
  return hosts;
}

// A world gives what is about one of its members as a whole.
bool is_of_a_world(const model::Cell& cell, const model::StepInfo& step) {
  return step.placement == "world" && (cell.subject.kind == contract::SubjectKind::kNode ||
                                       cell.subject.kind == contract::SubjectKind::kDevice);
}

}  // namespace

bool is_good(const model::Cell& cell) {
  const model::Outcome outcome = cell.verdict.outcome;
  const bool measured = !cell.measurements.empty() || !cell.confirmations.empty();
  return outcome == model::Outcome::kPass || outcome == model::Outcome::kVerified ||
         (outcome == model::Outcome::kWaived && !measured);
}

// What confirms a suspect is compared with its peers as these were at that time.
bool is_by_peers(const model::Cell& cell) {
  return !is_good(cell) && cell.verdict.reason_id == model::reason_id::kPeerOutlier;
}

std::map<std::string, std::vector<std::string>> hosts_of_failed(
    const model::Report& before, const std::vector<std::string>& in_rank) {
  std::set<std::string> all;
  for (const model::NodeInventory& node : before.nodes) all.insert(node.host);
  std::map<std::string, const model::StepInfo*> step_of;
  for (const model::StepInfo& step : before.steps) step_of[step.id] = &step;
  std::map<std::string, std::set<std::string>> hosts;
  for (const model::Cell& cell : before.cells) {
    const auto step = step_of.find(cell.step);
    if (is_good(cell) || step == step_of.end()) continue;
    const std::string program = step->second->bench + "-" + step->second->backend;
    const bool whole = std::find(in_rank.begin(), in_rank.end(), program) != in_rank.end() ||
                       is_by_peers(cell) || is_of_a_world(cell, *step->second);
    hosts[cell.step].merge(whole ? std::set<std::string>(all) : hosts_in(cell.subject));
  }
  std::map<std::string, std::vector<std::string>> out;
  for (const auto& [step, names] : hosts) out[step].assign(names.begin(), names.end());
  return out;
}

bool measures(const model::Subject& own, const model::Subject& subject) {
  if (subject == own) return true;
  if (own.kind == contract::SubjectKind::kNode) {
    const bool within = subject.peer_host.empty() || subject.peer_host == own.host;
    return subject.host == own.host && within;
  }
  const auto inside = [&own](const std::string& host) {
    return std::binary_search(own.members.begin(), own.members.end(), host);
  };
  return subject.kind == contract::SubjectKind::kLink && inside(subject.host) &&
         inside(subject.peer_host);
}

}  // namespace rackproof::resume
