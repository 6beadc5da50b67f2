#pragma once

#include <string>
#include <vector>

#include "harness/compare/compare.hpp"

namespace rackproof::compare {

/// One value of a key on one side.
struct Value {
  std::string subject;
  const Sample* sample = nullptr;
  double log = 0;
};

/// The values of a key on both sides, as they were measured.
struct Series {
  Key key;
  contract::Better better = contract::Better::kMore;
  std::vector<Value> a;
  std::vector<Value> b;
};

/// The keys that both sides have.
std::vector<Series> common_series(const std::vector<Sample>& a, const std::vector<Sample>& b);

/// The facts that go with what differs in some series, most explained first: how much of the
/// variation in ranks lies between the fact's values (epsilon squared of Kruskal and Wallis), as a
/// share of the most that could, the mean over the series, after each subject's own level is taken
/// out where both sides have it.
std::vector<Association> associations(const std::vector<const Series*>& differing);

}  // namespace rackproof::compare
