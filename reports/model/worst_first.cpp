#include "reports/model/worst_first.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>

namespace rackproof::model {
namespace {

/// 1 as expected, or as its peers, smaller the farther away, on either side.
double closeness(const Cell& cell) {
  const auto either_side = [](double share) { return std::min(share, 1 / share); };
  const auto& ratio = cell.verdict.ratio;
  const auto& deficit = cell.verdict.deficit;
  const double to_peers = deficit && *deficit < 1 ? either_side(1 - *deficit) : 1;
  if (ratio && *ratio > 0) return std::min(either_side(*ratio), to_peers);
  return deficit && *deficit < 1 ? to_peers : 0;
}

struct Suspect {
  std::size_t failed = 0;
  double closest = 1;  ///< of its worst cell
};

struct Entry {
  const Cell* cell;
  bool optional;
  bool wide;
  Suspect suspect;
  std::size_t subject;  ///< keeps the cells of one subject together
};

}  // namespace

std::vector<const Cell*> worst_first(const std::vector<const Cell*>& failed) {
  std::map<std::pair<std::string, bool>, std::pair<Suspect, std::size_t>> suspects;
  const auto key = [](const Cell& cell) { return std::pair(label(cell.subject), cell.required); };
  for (const Cell* cell : failed) {
    auto& [suspect, place] =
        suspects.try_emplace(key(*cell), Suspect(), suspects.size()).first->second;
    ++suspect.failed;
    suspect.closest = std::min(suspect.closest, closeness(*cell));
  }
  std::vector<Entry> entries;
  for (const Cell* cell : failed) {
    const auto& [suspect, place] = suspects.at(key(*cell));
    entries.push_back({cell, !cell->required, cell->subject.kind == contract::SubjectKind::kGroup,
                       suspect, place});
  }
  const auto order = [](const Entry& entry) {
    return std::tuple(entry.optional, entry.wide, -static_cast<std::int64_t>(entry.suspect.failed),
                      entry.suspect.closest, entry.subject, closeness(*entry.cell));
  };
  std::stable_sort(entries.begin(), entries.end(),
                   [&](const Entry& a, const Entry& b) { return order(a) < order(b); });
  std::vector<const Cell*> sorted;
  for (const Entry& entry : entries) sorted.push_back(entry.cell);
  return sorted;
}

}  // namespace rackproof::model
