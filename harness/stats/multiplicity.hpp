#pragma once

#include <cstddef>
#include <vector>

namespace rackproof::stats {

/// A hypothesis that a procedure rejects, and its adjusted p-value: the smallest error rate at
/// which the procedure would reject it.
struct Rejection {
  std::size_t index = 0;
  double adjusted = 1;

  bool operator==(const Rejection&) const = default;
};

/// What Holm's step-down procedure rejects (Scandinavian Journal of Statistics 6, 1979): the chance
/// of one false rejection or more is at most `alpha`, whatever the tests have in common. By index.
/// std::invalid_argument unless alpha lies in (0, 1) and every p in [0, 1].
std::vector<Rejection> holm(const std::vector<double>& p, double alpha);

/// What the step-up procedure of Benjamini and Hochberg rejects (Journal of the Royal Statistical
/// Society B 57, 1995): of what it rejects, the expected share of false ones is at most `rate`, for
/// tests that are independent or positively dependent. By index; the same errors as holm().
std::vector<Rejection> benjamini_hochberg(const std::vector<double>& p, double rate);

}  // namespace rackproof::stats
