#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/model/cell_text.hpp"
#include "reports/model/report.hpp"
#include "reports/terminal/passed_cells.hpp"
#include "reports/terminal/terminal.hpp"

namespace rackproof::terminal {

enum class Paint { kNone, kBold, kGood, kBad, kWarn };

using Rows = std::vector<std::vector<std::string>>;

/// A page under construction: wraps, indents and paints. Everything it is given is made printable.
class Page {
 public:
  explicit Page(const Style& style);

  /// One paragraph at `indent`; further lines stand two deeper. With `head`, that text is put first
  /// and painted. A word that is longer than a line stays whole.
  void paragraph(int indent, std::string_view text);
  void paragraph(int indent, Paint paint, std::string_view head, std::string_view text);
  /// An empty line, then a painted heading.
  void heading(Paint paint, std::string_view text);
  /// Columns aligned by their widest entry, the first row as a heading. Columns from `numbers_from`
  /// on are aligned to the right. A table that is too wide puts them on a second line of each row.
  void table(int indent, const Rows& rows, std::size_t numbers_from);
  void blank();

  std::string take() { return std::move(out_); }

 private:
  void line(int indent, Paint paint, const std::string& text);
  std::string painted(Paint paint, std::string_view text) const;

  std::size_t width_;
  bool color_;
  std::string out_;
};

using model::counted;
using model::limit_of;
using model::unit_of;
using model::what_of;

// The sections of the summary, each in its own file.
void add_brief(Page& page, const model::Report& report);
void add_attention(Page& page, const model::Report& report);
class Sweeps;
/// What passed and is in no sweep.
void add_passed(Page& page, const model::Report& report, const PassedCells& passed,
                const Sweeps& sweeps);
void add_all_cells(Page& page, const model::Report& report);
/// What the recorders cost and what is wrong with their files: a line, and one a problem.
void add_recordings(Page& page, const model::Report& report);
/// What was recorded in the attempts of steps with a cell that is explained.
void add_recorded(Page& page, const model::Report& report);

}  // namespace rackproof::terminal
