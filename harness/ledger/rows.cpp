#include "harness/ledger/rows.hpp"

#include "reports/model/words.hpp"

namespace rackproof::ledger {

RunRef run_at(const index::Statement& row, int column) {
  return {text_at(row, column),
          text_at(row, column + 1),
          row.real(column + 2).value_or(0),
          text_at(row, column + 3),
          text_at(row, column + 4),
          word_at<model::Acceptance>(row, column + 5),
          text_at(row, column + 6),
          text_at(row, column + 7),
          row.real(column + 8).value_or(0),
          text_at(row, column + 9)};
}

void read_stay(const index::Statement& row, int column, Sight& sight) {
  sight.place = {text_at(row, column), text_at(row, column + 1), text_at(row, column + 2),
                 text_at(row, column + 3)};
  column += 4;
  model::Counts& own = sight.tally.required;
  for (int* count :
       {&own.pass, &own.verified, &own.fail, &own.unjudged, &own.untested, &own.waived}) {
    *count = static_cast<int>(row.integer(column++));
  }
  sight.tally.failed_links = static_cast<std::size_t>(row.integer(column++));
  sight.tally.isolating = static_cast<std::size_t>(row.integer(column));
}

Sight sight_at(const index::Statement& row, int column) {
  Sight sight;
  sight.run = run_at(row, column);
  read_stay(row, column + kRunColumns, sight);
  return sight;
}

CellIn cell_at(const index::Statement& row, int column) {
  CellIn cell;
  cell.run = run_at(row, column);
  column += kRunColumns;
  cell.subject = text_at(row, column);
  cell.quantity = {text_at(row, column + 1), text_at(row, column + 2), text_at(row, column + 3),
                   text_at(row, column + 4)};
  cell.outcome = word_at<model::Outcome>(row, column + 5);
  cell.observed = row.real(column + 6);
  cell.low = row.real(column + 7);
  cell.high = row.real(column + 8);
  return cell;
}

}  // namespace rackproof::ledger
