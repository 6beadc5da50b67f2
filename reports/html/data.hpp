#pragma once

#include <string>

#include "reports/html/html.hpp"
#include "reports/html/quantities.hpp"
#include "reports/model/report.hpp"

namespace rackproof::html {

/// The cells of a report as a JSON document for the page's script (page/data.js says what is in
/// it): numbers as base64 of little-endian arrays, each name once. Foreign text in it is printable,
/// and holds no mark that HTML knows.
std::string data_of(const model::Report& report, const Quantities& quantities,
                    const std::vector<CellCurves>& curves = {});

}  // namespace rackproof::html
