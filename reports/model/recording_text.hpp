#pragma once

#include <string>

#include "reports/model/recording.hpp"

namespace rackproof::model {

/// "min 1 GHz, median 1.2 GHz, p95 1.4 GHz, max 1.5 GHz": what a series was meanwhile.
std::string numbers_of(const SeriesSummary& series);

}  // namespace rackproof::model
