#pragma once

#include <string>

#include "harness/document/reader.hpp"
#include "reports/model/platform_table.hpp"

namespace rackproof::config {

/// Where a figure comes from: "title", "kind", "date", and what else is known. "derived" wants a
/// note.
model::Source read_source(const document::Field& field);

/// The parameters of a baseline or waiver: scalars, a text may be a pattern.
contract::Parameters read_match_parameters(const document::Field& field);

/// One entry of "baselines", in base units, without `table`.
model::Baseline read_baseline(const document::Field& field);

/// True when both are about the same cells: metric, parameters, backend and number of hosts.
bool same_cells(const model::Baseline& a, const model::Baseline& b);

}  // namespace rackproof::config
