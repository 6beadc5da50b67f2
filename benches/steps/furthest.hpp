#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace rackproof::steps {

/// Parts of a step below this share are not worth a sentence.
inline constexpr double kWorthSaying = 0.05;

/// The rank whose number is largest, and by how much it is above the lower median of the ranks.
struct Furthest {
  int rank = 0;
  double beyond = 0;
};

/// The lower one of two in the middle, of at least one value.
inline double lower_median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[(values.size() - 1) / 2];
}

/// Of the ranks, each with what `number` makes of it; there is one at least.
template <class Rank, class Number>
Furthest furthest(const std::vector<Rank>& ranks, Number&& number) {
  std::vector<double> values;
  for (const Rank& rank : ranks) values.push_back(number(rank));
  const auto largest = std::max_element(values.begin(), values.end()) - values.begin();
  const double most = values[static_cast<std::size_t>(largest)];
  return {static_cast<int>(largest), most - lower_median(std::move(values))};
}

}  // namespace rackproof::steps
