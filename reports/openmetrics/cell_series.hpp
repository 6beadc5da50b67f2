#pragma once

#include <cstddef>
#include <optional>

#include "reports/model/report.hpp"
#include "reports/openmetrics/families.hpp"

namespace rackproof::openmetrics {

/// What is known of a cell, finite, in the unit of its measurement but for the ratio.
struct Numbers {
  std::optional<double> observed;
  std::optional<double> limit_low;
  std::optional<double> limit_high;
  std::optional<double> expected;
  std::optional<double> ratio;
};
Numbers known_numbers(const model::Cell& cell);

/// True for a cell that failed, and for a required one that is untested or unjudged.
bool speaks_against(const model::Cell& cell);

/// The parameters of a cell as labels: param_bytes and so on.
Labels parameters_of(const model::Cell& cell);

/// A cell of a device, a node or a group: its number, limits, ratio, whether it passed, and why it
/// speaks against the run if it does.
void add_cell(Families& families, const model::Cell& cell);
/// How many series add_cell() adds.
std::size_t series_of(const model::Cell& cell);

/// Of the links of each host the worst, and how many failed: a rack has too many pairs for a series
/// each.
void add_links(Families& families, const model::Report& report);

}  // namespace rackproof::openmetrics
