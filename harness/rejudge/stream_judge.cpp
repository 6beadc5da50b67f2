#include "harness/rejudge/stream_judge.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "harness/assemble/assemble.hpp"
#include "harness/judge/cell_judge.hpp"
#include "harness/support/parallel.hpp"

namespace rackproof::rejudge {
namespace {

/// Pieces that one thread reads together.
constexpr std::size_t kPiecesAtOnce = 32;

/// What the summary needs of some cells.
struct Shown {
  terminal::PassedCells passed;
  std::vector<model::Cell> others;
  std::vector<std::size_t> places;  ///< of the others
  std::size_t cells = 0;

  void add(model::Cell& cell) {
    const std::size_t place = cells++;
    passed.add(cell);
    if (model::is_right(cell.verdict.outcome)) return;
    for (model::Measurement& measurement : cell.measurements) measurement.samples = {};
    for (model::Measurement& measurement : cell.confirmations) measurement.samples = {};
    others.push_back(std::move(cell));
    places.push_back(place);
  }
  void append(Shown later) {
    passed.append(std::move(later.passed));
    std::move(later.others.begin(), later.others.end(), std::back_inserter(others));
    for (const std::size_t place : later.places) places.push_back(place + cells);
    cells += later.cells;
  }
  const model::Cell& at(std::size_t place) const {
    const auto found = std::lower_bound(places.begin(), places.end(), place);
    return others.at(static_cast<std::size_t>(found - places.begin()));
  }
};

/// The cells of a file, by their place.
class Cells {
 public:
  explicit Cells(const model::ReportPieces& pieces)
      : pieces_(pieces), counts_(pieces.cell_pieces().size()) {}

  /// Calls work(group, each) for groups of neighbours, at once; each(look) calls look(place in the
  /// group, cell) for its cells in order. `look` may take the cell apart.
  template <class Work>
  void for_each_group(const Work& work) {
    support::on_all_cores(groups(), [&](std::size_t group) {
      work(group, [&](const auto& look) {
        model::CellReader reader;
        std::size_t place = 0;
        const std::size_t end = std::min((group + 1) * kPiecesAtOnce, counts_.size());
        for (std::size_t piece = group * kPiecesAtOnce; piece < end; ++piece) {
          std::vector<model::Cell>& cells = reader.read(pieces_, pieces_.cell_pieces()[piece]);
          counts_[piece] = cells.size();
          for (model::Cell& cell : cells) look(place++, cell);
        }
      });
    });
  }

  std::size_t groups() const { return (counts_.size() + kPiecesAtOnce - 1) / kPiecesAtOnce; }

  /// Once all were seen: the place of the first cell of a group.
  std::size_t first_of(std::size_t group) const {
    std::size_t first = 0;
    for (std::size_t piece = 0; piece < group * kPiecesAtOnce; ++piece) first += counts_[piece];
    return first;
  }

  /// The same: a cell. Quick for neighbours.
  const model::Cell& at(std::size_t place) {
    if (place < begin_ || place >= begin_ + found_.size()) {
      std::size_t piece = 0;
      begin_ = 0;
      while (place >= begin_ + counts_[piece]) begin_ += counts_[piece++];
      found_ = reader_.read(pieces_, pieces_.cell_pieces()[piece]);
    }
    return found_[place - begin_];
  }

 private:
  const model::ReportPieces& pieces_;
  std::vector<std::size_t> counts_;  ///< of cells, by piece
  model::CellReader reader_;
  std::vector<model::Cell> found_;
  std::size_t begin_ = 0;
};

Shown joined(std::vector<Shown> parts) {
  Shown all;
  for (Shown& part : parts) all.append(std::move(part));
  return all;
}

Shown judge_cells(Cells& cells, judge::CellJudge& cell_judge, std::vector<OwedCells::Mark>* marks) {
  std::vector<Shown> shown(cells.groups());
  std::vector<std::vector<OwedCells::Mark>> marked(cells.groups());
  std::vector<cells::JudgedCells> parts(cells.groups());
  cells.for_each_group([&](std::size_t group, auto&& each) {
    judge::CellJudge::Part part(cell_judge, cells::Words::kNotOfPassed);
    each([&](std::size_t /*place*/, model::Cell& cell) {
      cell.verdict = part.judge_cell(cell);
      if (marks != nullptr) marked[group].push_back(OwedCells::mark(cell));
      shown[group].add(cell);
    });
    parts[group] = part.take();
  });
  cell_judge.add(std::move(parts));
  for (const auto& part : marked) {
    if (marks != nullptr) marks->insert(marks->end(), part.begin(), part.end());
  }
  return joined(std::move(shown));
}

/// Once more, where a verdict that the summary has seen was changed.
Shown hear_amended(Cells& cells, const judge::CellJudge& cell_judge) {
  std::vector<Shown> shown(cells.groups());
  cells.for_each_group([&](std::size_t group, auto&& each) {
    judge::CellJudge::Part part(cell_judge, cells::Words::kNotOfPassed);
    const std::size_t first = cells.first_of(group);
    each([&](std::size_t place, model::Cell& cell) {
      cell.verdict = part.judge_cell(cell);
      const auto amended = cell_judge.amendments().find(first + place);
      if (amended != cell_judge.amendments().end()) cells::amend(cell.verdict, amended->second);
      shown[group].add(cell);
    });
  });
  return joined(std::move(shown));
}

}  // namespace

terminal::PassedCells judge_in_pieces(const model::ReportPieces& pieces, model::Report& report,
                                      std::vector<OwedCells::Mark>* marks) {
  judge::CellJudge cell_judge(report);
  Cells cells(pieces);
  Shown shown = judge_cells(cells, cell_judge, marks);
  cell_judge.decide([&cells](std::size_t place) -> const model::Cell& { return cells.at(place); },
                    support::on_all_cores);
  if (!cell_judge.amendments().empty()) shown = hear_amended(cells, cell_judge);
  cell_judge.conclude(
      report, [&shown](std::size_t place) -> const model::Cell& { return shown.at(place); });
  report.cells = std::move(shown.others);
  assemble::explain(report);
  return std::move(shown.passed);
}

}  // namespace rackproof::rejudge
