#pragma once

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

namespace rackproof::stats {

/// Throws std::invalid_argument unless `values` holds at least one value and only finite ones.
inline void require_series(const std::vector<double>& values) {
  if (values.empty()) throw std::invalid_argument("a statistic of an empty series");
  for (const double value : values) {
    if (!std::isfinite(value))
      throw std::invalid_argument("a series with a value that is not finite");
  }
}

/// Throws std::invalid_argument unless `value` lies strictly between 0 and 1. `what` names it.
inline void require_share(double value, const char* what) {
  if (!(value > 0 && value < 1)) {
    throw std::invalid_argument(std::string(what) + " must lie between 0 and 1");
  }
}

}  // namespace rackproof::stats
