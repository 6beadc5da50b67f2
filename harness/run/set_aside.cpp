#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "harness/run/coordinator.hpp"

#include "reports/model/finding_id.hpp"

// The part of rank 0's work that a resumed run adds: the same plan as before, or as much of it as
// the hosts that are left can do, with the rest still owed.
namespace rackproof::run {
namespace {

bool is_shared(const model::Subject& subject) {
  return subject.kind == model::SubjectKind::kLink || subject.kind == model::SubjectKind::kGroup;
}

bool is_of(const model::Subject& subject, const std::string& host) {
  const auto& members = subject.members;
  return subject.host == host || subject.peer_host == host ||
         std::find(members.begin(), members.end(), host) != members.end();
}

[[noreturn]] void refuse(const std::string& cell) {
  throw Refused(fmt::format(
      "this is not the run that is to be resumed: it would owe other cells, for example {}", cell));
}

}  // namespace

void Coordinator::refuse_other_plan() const {
  if (request_.owed_cells.empty()) return;
  std::set<std::string> now;
  for (const auto& cell : plan_.cells) now.insert(cell.id);
  const std::set<std::string> before(request_.owed_cells.begin(), request_.owed_cells.end());
  if (now == before) return;
  std::vector<std::string> differing;
  std::set_symmetric_difference(now.begin(), now.end(), before.begin(), before.end(),
                                std::back_inserter(differing));
  refuse(differing.front());
}

// Links and groups get other names when hosts are left out and ranks are numbered anew. What was
// owed about them stays owed; what is new comes on top, unless its step is done.
void Coordinator::keep_owed_cells() {
  const std::set<std::string> before(request_.owed_cells.begin(), request_.owed_cells.end());
  if (before.empty()) return;
  std::set<std::string> now;
  for (const auto& cell : plan_.cells) {
    if (!is_shared(cell.subject) && !before.contains(cell.id)) refuse(cell.id);
    now.insert(cell.id);
  }
  std::erase_if(plan_.cells, [&](const model::Cell& cell) {
    return !before.contains(cell.id) && request_.done_steps.contains(cell.step);
  });
  for (const model::Cell& cell : request_.cells_before) {
    if (now.contains(cell.id)) continue;
    const bool lost =
        std::any_of(request_.set_aside.begin(), request_.set_aside.end(),
                    [&](const SetAside& one) { return is_of(cell.subject, one.host); });
    if (!lost && !is_shared(cell.subject)) refuse(cell.id);
    plan_.cells.push_back(cell);
  }
  std::map<std::string, std::size_t> place;
  for (const auto& info : plan_.infos) place.try_emplace(info.id, place.size());
  std::stable_sort(plan_.cells.begin(), plan_.cells.end(),
                   [&](const auto& a, const auto& b) { return place[a.step] < place[b.step]; });
}

// What was measured on them before is still judged, by the table that they had.
void Coordinator::note_set_aside(std::set<std::string>& tables) {
  for (const SetAside& one : request_.set_aside) {
    model::Finding finding;
    finding.id = model::finding_id::kHostSetAside;
    finding.severity = model::Severity::kError;
    finding.subject = one.host;
    finding.text = one.why;
    logbook_.append(journal::Finding{finding});
    around_.progress.say(fmt::format("{} is set aside: {}", one.host, one.why));
    if (one.node) logbook_.append(journal::Node{*one.node});
    if (one.platform.empty()) continue;
    logbook_.append(journal::HostPlatform{one.host, one.platform});
    tables.insert(one.platform);
  }
}

}  // namespace rackproof::run
