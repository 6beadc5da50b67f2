#pragma once

#include <string>

#include "reports/model/report.hpp"

namespace rackproof::html {

/// A picture of a cell among all cells of its step, metric and parameters about subjects of its
/// kind, each a dot on one axis, with its limits. Empty where fewer than three others have a value,
/// and for links, which have a matrix.
std::string among_peers(const model::Report& report, const model::Cell& cell);

}  // namespace rackproof::html
