#pragma once

#include <string>

#include "reports/model/report.hpp"
#include "reports/terminal/passed_cells.hpp"

namespace rackproof::terminal {

struct Style {
  bool color = false;
  int width = 100;         ///< lines are wrapped to this many characters, at least 40
  bool all_cells = false;  ///< every cell, not only what needs attention
};

/// The summary for people: verdict word first, then the run, counts, each failed (in the order of
/// model::worst_first), untested and
/// unjudged cell with subject, number, limit and reason, then findings, then what was waived and
/// what passed, and a table for each operation that was measured at three message sizes or more. At
/// most 20 entries per outcome; what is left is counted by metric and reason. Pure: the same report
/// and style give the same text. Report text is shown with control characters replaced, so the only
/// escape sequences are the colours of `style`.
std::string render(const model::Report& report, const Style& style);

/// What stands at the end of a run, on a screen: the run, counts, what did not pass by part,
/// findings by subject, and the verdict as the last paragraph. At most 4 parts per outcome and 5
/// subjects; the rest is counted. For the same reports and as pure as render().
std::string brief(const model::Report& report, const Style& style);

/// The same for a report whose passed cells are elsewhere: `passed` is what is said of them, and
/// counts, not cells, say how many there are.
std::string render(const model::Report& report, const PassedCells& passed, const Style& style);

}  // namespace rackproof::terminal
