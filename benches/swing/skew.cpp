#include "benches/swing/skew.hpp"

#include <cmath>
#include <stdexcept>

#include "benches/kit/statistics.hpp"

namespace rackproof::swing {

Skew skew_of(const std::vector<std::vector<double>>& instants) {
  if (instants.empty() || instants.front().empty()) {
    throw std::invalid_argument("skew: no ranks or no beats");
  }
  const std::size_t beats = instants.front().size();
  std::vector<std::vector<double>> lags(instants.size());
  Skew skew;
  for (std::size_t beat = 0; beat < beats; ++beat) {
    std::vector<double> column;
    for (const auto& rank : instants) {
      if (rank.size() != beats) throw std::invalid_argument("skew: ranks of unlike beats");
      column.push_back(rank[beat]);
    }
    skew.per_beat.push_back(kit::largest(column) - kit::smallest(column));
    const double middle = kit::median(column);
    for (std::size_t rank = 0; rank < column.size(); ++rank) {
      lags[rank].push_back(column[rank] - middle);
    }
  }
  skew.p50 = kit::median(skew.per_beat);
  skew.p99 = kit::percentile(skew.per_beat, 99);
  skew.worst = kit::largest(skew.per_beat);
  for (std::size_t rank = 0; rank < lags.size(); ++rank) {
    const double lag = kit::median(lags[rank]);
    if (rank > 0 && std::abs(lag) <= std::abs(skew.worst_lag)) continue;
    skew.worst_rank = static_cast<std::int64_t>(rank);
    skew.worst_lag = lag;
  }
  return skew;
}

}  // namespace rackproof::swing
