#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "harness/ledger/overview.hpp"

namespace rackproof::ledger {
namespace {

using model::Outcome;
using PartKey = std::pair<PartKind, std::string>;
using PartsThen = std::map<PartKey, const PartThen*>;

PartsThen by_key(const std::vector<PartThen>& parts) {
  PartsThen all;
  for (const PartThen& part : parts) all.emplace(PartKey{part.kind, part.code}, &part);
  return all;
}

bool is_well_now(const std::optional<Outcome>& outcome) {
  return outcome && (model::is_right(*outcome) || *outcome == Outcome::kWaived);
}

std::optional<Turn> turn_of(const PartThen& before, const PartThen& now) {
  const bool failed = before.outcome == Outcome::kFail;
  if (now.outcome == Outcome::kFail) {
    if (!failed) return Turn::kFails;
  } else if (failed) {
    return is_well_now(now.outcome) ? Turn::kRecovered : Turn::kUndecided;
  }
  const bool moved = before.place.host != now.place.host || before.place.name != now.place.name;
  if (moved && now.kind != PartKind::kHost) return Turn::kMoved;
  return std::nullopt;
}

// What only one of the two runs has. A host stands for what is in it, where the other run does not
// have that either.
void add_one_sided(const PartsThen& here, const PartsThen& there, Turn turn, bool hosts_too,
                   std::vector<PartChange>& changes) {
  std::map<std::string, std::size_t> hosts;
  std::vector<const PartThen*> parts;
  for (const auto& [key, part] : here) {
    if (there.count(key) > 0) continue;
    if (part->kind == PartKind::kHost) hosts.emplace(part->place.host, 0);
    parts.push_back(part);
  }
  for (const PartThen* part : parts) {
    if (part->kind == PartKind::kHost) continue;
    const auto host = hosts.find(part->place.host);
    if (host != hosts.end()) {
      ++host->second;
    } else {
      changes.push_back({turn, part->kind, part->code, part->place});
    }
  }
  for (const PartThen* part : parts) {
    if (part->kind != PartKind::kHost || !hosts_too) continue;
    changes.push_back(
        {turn, part->kind, part->code, part->place, std::nullopt, hosts.at(part->place.host)});
  }
}

}  // namespace

std::vector<PartChange> changes_between(const RunThen& before, const RunThen& now) {
  const PartsThen old_parts = by_key(before.parts);
  const PartsThen new_parts = by_key(now.parts);
  std::vector<PartChange> changes;
  for (const auto& [key, part] : new_parts) {
    const auto old_part = old_parts.find(key);
    if (old_part == old_parts.end()) {
      // Whether it failed is what is told of it first.
      if (part->outcome == Outcome::kFail) {
        changes.push_back({Turn::kFails, part->kind, part->code, part->place});
      }
      continue;
    }
    const std::optional<Turn> turn = turn_of(*old_part->second, *part);
    if (!turn) continue;
    PartChange change{*turn, part->kind, part->code, part->place};
    if (*turn == Turn::kMoved) change.before = old_part->second->place;
    changes.push_back(std::move(change));
  }
  add_one_sided(old_parts, new_parts, Turn::kGone, now.is_whole, changes);
  add_one_sided(new_parts, old_parts, Turn::kCame, before.is_whole, changes);
  std::sort(changes.begin(), changes.end(), [](const PartChange& a, const PartChange& b) {
    return std::tuple(a.turn, name_of(a.kind, a.place), a.code) <
           std::tuple(b.turn, name_of(b.kind, b.place), b.code);
  });
  return changes;
}

}  // namespace rackproof::ledger
