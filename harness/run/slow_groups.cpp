#include "harness/run/slow_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "harness/stats/robust.hpp"
#include "reports/model/finding_id.hpp"

namespace rackproof::run {
namespace {

using Members = localise::SlowSearch::Group;

/// Whether a part measured what this cell of the whole is about: a parameter that counts the
/// members of the group is another one in a part.
bool is_of(const model::Measurement& measured, const model::Cell& cell, std::size_t members) {
  if (measured.metric != cell.metric || measured.parameters.size() != cell.parameters.size()) {
    return false;
  }
  const contract::Scalar all = static_cast<std::int64_t>(members);
  return std::all_of(cell.parameters.begin(), cell.parameters.end(), [&](const auto& parameter) {
    const auto found = measured.parameters.find(parameter.first);
    if (found == measured.parameters.end()) return false;
    return parameter.second == all || found->second == parameter.second;
  });
}

const model::Measurement* find(const PartRun& part, const model::Cell& cell, std::size_t members) {
  const auto found =
      std::find_if(part.numbers.begin(), part.numbers.end(),
                   [&](const auto& measured) { return is_of(measured, cell, members); });
  return found == part.numbers.end() || !(found->value > 0) ? nullptr : &*found;
}

/// The speed of one part over that of another, by the cells that are beyond a limit; nothing where
/// they did not measure any of them.
std::optional<double> ratio_of(const PartRun& one, const PartRun& other, const model::Report& live,
                               const std::vector<judge::BeyondLimit>& slow, std::size_t members) {
  std::vector<double> ratios;
  for (const judge::BeyondLimit& beyond : slow) {
    const model::Measurement* const here = find(one, live.cells[beyond.cell], members);
    const model::Measurement* const there = find(other, live.cells[beyond.cell], members);
    if (here == nullptr || there == nullptr) continue;
    const bool more = here->better == contract::Better::kMore;
    ratios.push_back(more ? here->value / there->value : there->value / here->value);
  }
  if (ratios.empty()) return std::nullopt;
  return stats::median(std::move(ratios));
}

/// How many of these cells are beyond their limits in this run of the whole.
std::ptrdiff_t still_slow(const PartRun& whole, const model::Report& live,
                          const std::vector<judge::BeyondLimit>& slow, std::size_t members) {
  return std::count_if(slow.begin(), slow.end(), [&](const judge::BeyondLimit& beyond) {
    const model::Measurement* const now = find(whole, live.cells[beyond.cell], members);
    return now != nullptr &&
           ((beyond.low && now->value < *beyond.low) || (beyond.high && now->value > *beyond.high));
  });
}

}  // namespace

void SlowGroups::run(const plan::PlacedStep& step, int& round) {
  if (!context_.goes_on()) return;
  const std::vector<Slow> all = find(step);
  if (all.empty() || all.size() > kMostSlowGroups) return;
  for (const Slow& slow : all) {
    if (!context_.goes_on()) return;
    std::vector<Members> hosts = hosts_of(step.instances[slow.instance]);
    const bool alike = std::all_of(hosts.begin(), hosts.end(), [&](const Members& host) {
      return host.size() == hosts.front().size();
    });
    if (!alike) continue;
    PartRuns runs(context_, runner_, step, slow.instance, round);
    context_.around.progress.say(
        fmt::format("{}: {} is too slow; running parts of it to find which host or member it is",
                    step.step.id, runs.name()));
    search(runs, slow, std::move(hosts));
  }
}

std::vector<SlowGroups::Slow> SlowGroups::find(const plan::PlacedStep& step) const {
  std::vector<Slow> all;
  const std::vector<judge::BeyondLimit> beyond =
      judge::find_beyond_limits(context_.live, step.step.id);
  for (std::size_t i = 0; i < step.instances.size() && !beyond.empty(); ++i) {
    const plan::Instance& instance = step.instances[i];
    if (instance.ranks.size() < kLeastMembers) continue;
    if (runner_.tally().failed_instances.contains(i)) continue;
    if (explained_.contains(model::label(instance.subject))) continue;
    Slow slow{i, {}};
    for (const judge::BeyondLimit& one : beyond) {
      if (context_.live.cells[one.cell].subject == instance.subject) slow.cells.push_back(one);
    }
    if (!slow.cells.empty()) all.push_back(std::move(slow));
  }
  return all;
}

std::vector<Members> SlowGroups::hosts_of(const plan::Instance& whole) const {
  std::vector<Members> hosts;
  std::map<std::string, std::size_t> place;
  for (std::size_t member = 0; member < whole.ranks.size(); ++member) {
    const auto [found, fresh] =
        place.try_emplace(context_.host_of(whole.ranks[member]), hosts.size());
    if (fresh) hosts.emplace_back();
    hosts[found->second].push_back(member);
  }
  return hosts;
}

void SlowGroups::search(PartRuns& runs, const Slow& slow, std::vector<Members> hosts) {
  const std::size_t members = runs.whole().ranks.size();
  PartRuns::Part all(members);
  std::iota(all.begin(), all.end(), std::size_t{0});
  const auto again = runs.run({all});
  if (!again || again->front().fault) return;
  const auto share = static_cast<std::ptrdiff_t>(slow.cells.size() + 1) / 2;
  if (still_slow(again->front(), context_.live, slow.cells, members) < share) {
    return tell_whole(runs, "it was too slow, and was not when it was run again");
  }
  localise::SlowSearch search(std::move(hosts), context_.live.suite.policy.peer_margin);
  bool open = false;
  while (const auto sides = search.next()) {
    const auto one = runs.run({sides->one});
    const auto other = one && !one->front().fault ? runs.run({sides->other}) : std::nullopt;
    const bool both = other && !other->front().fault;
    const auto ratio =
        both ? ratio_of(one->front(), other->front(), context_.live, slow.cells, members)
             : std::nullopt;
    open = !ratio;
    if (open) break;
    search.tell(*ratio);
  }
  if (search.deficit() > 0) return tell_part(runs, search, open);
  if (!open) {
    tell_whole(runs,
               "it is too slow and neither half is slower than the other: no one part makes it so");
  }
}

void SlowGroups::tell_whole(const PartRuns& runs, const std::string& what) {
  model::Finding finding =
      runs.finding(model::finding_id::kGroupNarrowed, model::Severity::kWarning);
  finding.text = what + runs.cost();
  context_.log.append(journal::Finding{std::move(finding)});
}

void SlowGroups::tell_part(const PartRuns& runs, const localise::SlowSearch& search, bool open) {
  const Members& suspects = search.suspects();
  std::set<std::string> hosts;
  for (const std::size_t member : suspects) {
    hosts.insert(context_.host_of(runs.whole().ranks[member]));
  }
  model::Finding finding;
  std::string who;
  if (suspects.size() == 1) {
    finding = runs.finding_of_member(model::finding_id::kSlowMember, model::Severity::kWarning,
                                     suspects.front(), who);
  } else if (hosts.size() == 1 && !open) {
    finding = runs.finding(model::finding_id::kSlowMember, model::Severity::kWarning);
    who = *hosts.begin();
    finding.subject = who;
    finding.evidence["host"] = who;
  } else {
    return tell_whole(runs,
                      fmt::format("what makes it slow is among {}; it was not narrowed further",
                                  members_text({suspects.begin(), suspects.end()})));
  }
  explained_.insert(runs.name());
  finding.evidence["deficit"] = search.deficit();
  finding.text =
      fmt::format("{}: parts of {} with it are {:.0f} % slower than like parts without it{}", who,
                  runs.name(), 100 * search.deficit(), runs.cost());
  context_.log.append(journal::Finding{std::move(finding)});
}

}  // namespace rackproof::run
