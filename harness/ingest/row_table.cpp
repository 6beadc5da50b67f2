#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "harness/ingest/rows.hpp"
#include "reports/model/printable.hpp"

namespace rackproof::ingest {
namespace {

constexpr std::size_t kUnknown = std::numeric_limits<std::size_t>::max();

}  // namespace

RowTable::RowTable(std::vector<ReadRows> parts) : parts_(std::move(parts)) {
  for (const ReadRows& part : parts_) {
    metrics_.insert(metrics_.end(), part.metrics.begin(), part.metrics.end());
  }
  std::sort(metrics_.begin(), metrics_.end());
  metrics_.erase(std::unique(metrics_.begin(), metrics_.end()), metrics_.end());
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    std::vector<std::size_t> places(metrics_.size(), kUnknown);
    for (std::size_t i = 0; i < parts_[p].metrics.size(); ++i) {
      const auto at = std::lower_bound(metrics_.begin(), metrics_.end(), parts_[p].metrics[i]);
      places[static_cast<std::size_t>(at - metrics_.begin())] = i;
    }
    place_in_part_.push_back(std::move(places));
    for (const RowBlock& block : parts_[p].blocks) {
      for (const Row& row : block.rows) {
        rows_.push_back({&row, block.values.data() + row.begin, p});
      }
    }
  }
  std::sort(rows_.begin(), rows_.end(),
            [](const Place& a, const Place& b) { return a.row->line < b.row->line; });
  std::unordered_map<std::string_view, std::size_t> lines;
  for (const Place& place : rows_) {
    const auto [first, fresh] = lines.try_emplace(place.row->node, place.row->line);
    if (fresh) continue;
    throw BadRow(place.row->line,
                 fmt::format("node \"{}\" was on line {} already: expected one row "
                             "for each node",
                             model::printable(place.row->node, 60), first->second));
  }
}

std::vector<std::vector<double>> RowTable::columns(std::size_t first, std::size_t last) const {
  std::vector<std::vector<double>> columns(last - first, std::vector<double>(rows_.size()));
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const Place& place = rows_[r];
    for (std::size_t metric = first; metric < last; ++metric) {
      const std::size_t at = place_in_part_[place.part][metric];
      columns[metric - first][r] = at < place.row->width ? place.values[at] : kMissing;
    }
  }
  return columns;
}

}  // namespace rackproof::ingest
