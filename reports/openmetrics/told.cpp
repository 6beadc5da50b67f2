#include "reports/openmetrics/told.hpp"

#include "reports/model/words.hpp"
#include "reports/model/worst_first.hpp"
#include "reports/openmetrics/cell_series.hpp"

namespace rackproof::openmetrics {
namespace {

bool is_link(const model::Cell& cell) { return cell.subject.kind == contract::SubjectKind::kLink; }

std::size_t all_series_of(const model::Report& report) {
  std::size_t series = 0;
  for (const model::NodeInventory& node : report.nodes) series += node.devices.size();
  for (const model::Cell& cell : report.cells) series += is_link(cell) ? 0 : series_of(cell);
  return series;
}

// Failed ones as a reader looks for them, then those of which nothing is known.
std::vector<const model::Cell*> against(const model::Report& report) {
  std::vector<const model::Cell*> failed;
  std::vector<const model::Cell*> unknown;
  for (const model::Cell& cell : report.cells) {
    if (is_link(cell) || !speaks_against(cell)) continue;
    (cell.verdict.outcome == model::Outcome::kFail ? failed : unknown).push_back(&cell);
  }
  std::vector<const model::Cell*> cells = model::worst_first(failed);
  cells.insert(cells.end(), unknown.begin(), unknown.end());
  return cells;
}

}  // namespace

Told told_of(const model::Report& report, Details details) {
  Told told;
  told.all = details == Details::kAll ||
             (details == Details::kByNumber && all_series_of(report) <= kMostSeries);
  if (told.all) {
    for (const model::Cell& cell : report.cells) {
      if (!is_link(cell)) told.cells.push_back(&cell);
    }
    return told;
  }
  for (const model::Cell& cell : report.cells) {
    if (!is_link(cell) && !speaks_against(cell)) {
      told.left_out[cell.verdict.outcome] += series_of(cell);
    }
  }
  std::size_t series = 0;
  for (const model::Cell* cell : against(report)) {
    series += series_of(*cell);
    // Once one has no room none behind it has: those that are there are the worst.
    if (series <= kMostSeries) {
      told.cells.push_back(cell);
    } else {
      told.left_out[cell->verdict.outcome] += series_of(*cell);
    }
  }
  return told;
}

void add_left_out(Families& families, const Told& told) {
  for (const auto& [outcome, word] : model::words_of(model::Outcome{})) {
    const auto found = told.left_out.find(outcome);
    families.add("rackproof_series_left_out", "",
                 "Series of cells that are not here, by the outcome of their cells.",
                 {{"outcome", std::string(word)}},
                 found == told.left_out.end() ? 0 : static_cast<double>(found->second));
  }
}

}  // namespace rackproof::openmetrics
