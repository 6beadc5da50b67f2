#pragma once

#include <string>

#include "reports/model/report.hpp"

namespace rackproof::terminal {

struct Style {
  bool color = false;
  int width = 100;
  bool all_cells = false;  ///< every cell, not only what needs attention
};

/// The summary for people: verdict word first, then counts, then each failed, untested and unjudged
/// cell with subject, number, limit and reason, then findings. Pure: the same report and style give the
/// same text. Report text is shown with control characters replaced.
std::string render(const model::Report& report, const Style& style);

}  // namespace rackproof::terminal
