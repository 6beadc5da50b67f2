#include "benches/kit/product/suspects.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace rackproof::product {
namespace {

constexpr std::int64_t kSearchBudget = std::int64_t{1} << 33;

std::vector<std::int64_t> differing(const WordPair& got, const WordPair& want) {
  std::vector<std::int64_t> places;
  for (std::size_t i = 0; i < got[0].size(); ++i) {
    if (got[0][i] != want[0][i] || got[1][i] != want[1][i]) {
      places.push_back(static_cast<std::int64_t>(i));
    }
  }
  return places;
}

std::vector<std::int64_t> up_to(std::size_t count) {
  std::vector<std::int64_t> all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = static_cast<std::int64_t>(i);
  return all;
}

}  // namespace

Suspects find_suspects(const Checksums& got, const Checksums& want,
                       const std::vector<std::uint8_t>& broken) {
  Suspects found;
  found.rows = differing(got.rows, want.rows);
  found.columns = differing(got.columns, want.columns);
  bool any_broken = false;
  for (std::size_t i = 0; i < broken.size(); ++i) {
    if (broken[i] == 0) continue;
    any_broken = true;
    found.rows.push_back(static_cast<std::int64_t>(i));
  }
  if (found.rows.empty() && found.columns.empty()) return found;
  std::sort(found.rows.begin(), found.rows.end());
  found.rows.erase(std::unique(found.rows.begin(), found.rows.end()), found.rows.end());
  found.detail =
      fmt::format("{} of {} rows and {} of {} columns have a wrong checksum", found.rows.size(),
                  got.rows[0].size(), found.columns.size(), got.columns[0].size());
  if (found.rows.empty()) found.rows = up_to(got.rows[0].size());
  if (found.columns.empty() || any_broken) found.columns = up_to(got.columns[0].size());
  return found;
}

std::int64_t affordable_rows(const Suspects& suspects, std::int64_t depth) {
  const std::int64_t row_cost = depth * static_cast<std::int64_t>(suspects.columns.size());
  const auto affordable =
      std::max<std::int64_t>(1, kSearchBudget / std::max<std::int64_t>(1, row_cost));
  return std::min(affordable, static_cast<std::int64_t>(suspects.rows.size()));
}

}  // namespace rackproof::product
