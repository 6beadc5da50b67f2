#include "harness/resume/owed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include "harness/resume/retest.hpp"

namespace rackproof::resume {
namespace {

bool is_shared(const model::Subject& subject) {
  return subject.kind == contract::SubjectKind::kLink ||
         subject.kind == contract::SubjectKind::kGroup;
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

void refuse_other_plan(const plan::Plan& plan, const Request& request) {
  if (request.owed_cells.empty()) return;
  std::set<std::string> now;
  for (const auto& cell : plan.cells) now.insert(cell.id);
  const std::set<std::string> before(request.owed_cells.begin(), request.owed_cells.end());
  if (now == before) return;
  std::vector<std::string> differing;
  std::set_symmetric_difference(now.begin(), now.end(), before.begin(), before.end(),
                                std::back_inserter(differing));
  refuse(differing.front());
}

// A part that was put in place of another one has a name of its own.
void refuse_lesser_plan(const plan::Plan& plan, const Request& request) {
  std::set<std::string> now;
  std::set<std::string> before;
  // By step, metric, parameters and kind of subject: how many cells the repaired parts owe.
  using Like = std::tuple<std::string, std::string, contract::Parameters, contract::SubjectKind>;
  std::map<Like, std::int64_t> missing;
  const auto like = [](const model::Cell& cell) {
    return Like{cell.step, cell.metric, cell.parameters, cell.subject.kind};
  };
  for (const model::Cell& cell : request.cells_before) before.insert(cell.id);
  for (const model::Cell& cell : plan.cells) {
    now.insert(cell.id);
    const bool repaired = is_repaired(cell.subject, request.repairs);
    const bool in_repaired =
        std::any_of(request.repairs.begin(), request.repairs.end(),
                    [&](const auto& repair) { return is_of(cell.subject, repair.host); });
    if (!before.contains(cell.id) && !repaired && !in_repaired) refuse(cell.id);
    if (in_repaired) --missing[like(cell)];
  }
  for (const model::Cell& cell : request.cells_before) {
    const bool in_repaired =
        std::any_of(request.repairs.begin(), request.repairs.end(),
                    [&](const auto& repair) { return is_of(cell.subject, repair.host); });
    if (in_repaired) ++missing[like(cell)];
    if (!now.contains(cell.id) && !is_repaired(cell.subject, request.repairs)) refuse(cell.id);
  }
  for (const model::Cell& cell : request.cells_before) {
    const auto found = missing.find(like(cell));
    if (found == missing.end() || found->second <= 0) continue;
    throw Refused(fmt::format(
        "what was repaired would owe fewer cells than before the repair, for example {}: is all of "
        "it there again?",
        cell.id));
  }
}

// Links and groups get other names when hosts are left out and ranks are numbered anew. What was
// owed about them stays owed; what is new comes on top, unless its step is done.
void keep_owed_cells(plan::Plan& plan, const Request& request) {
  const std::set<std::string> before(request.owed_cells.begin(), request.owed_cells.end());
  if (before.empty()) return;
  std::set<std::string> now;
  for (const auto& cell : plan.cells) {
    if (!is_shared(cell.subject) && !before.contains(cell.id)) refuse(cell.id);
    now.insert(cell.id);
  }
  std::erase_if(plan.cells, [&](const model::Cell& cell) {
    return !before.contains(cell.id) && request.done_steps.contains(cell.step);
  });
  for (const model::Cell& cell : request.cells_before) {
    if (now.contains(cell.id)) continue;
    const bool lost =
        std::any_of(request.set_aside.begin(), request.set_aside.end(),
                    [&](const SetAside& one) { return is_of(cell.subject, one.host); });
    if (!lost && !is_shared(cell.subject)) refuse(cell.id);
    plan.cells.push_back(cell);
  }
  std::map<std::string, std::size_t> place;
  for (const auto& info : plan.infos) place.try_emplace(info.id, place.size());
  std::stable_sort(plan.cells.begin(), plan.cells.end(),
                   [&](const auto& a, const auto& b) { return place[a.step] < place[b.step]; });
}

}  // namespace rackproof::resume
