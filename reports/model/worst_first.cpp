#include "reports/model/worst_first.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>

namespace rackproof::model {
namespace {

/// 1 as expected, smaller the farther away, on either side.
double closeness(const Cell& cell) {
  const auto& ratio = cell.verdict.ratio;
  if (!ratio || !(*ratio > 0)) return 0;
  return std::min(*ratio, 1 / *ratio);
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
