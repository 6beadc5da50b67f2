#include "harness/stats/multiplicity.hpp"

#include <algorithm>
#include <stdexcept>

#include "harness/stats/series.hpp"

namespace rackproof::stats {
namespace {

/// The p-values of at most `level`, smallest first: neither procedure rejects another, and of
/// hundreds of thousands of tests most are not among them.
std::vector<Rejection> candidates(const std::vector<double>& p, double level) {
  require_share(level, "an error rate");
  std::vector<Rejection> found;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (!(p[i] >= 0 && p[i] <= 1)) throw std::invalid_argument("a p-value must lie in [0, 1]");
    if (p[i] <= level) found.push_back({i, p[i]});
  }
  std::sort(found.begin(), found.end(), [](const Rejection& left, const Rejection& right) {
    return left.adjusted != right.adjusted ? left.adjusted < right.adjusted
                                           : left.index < right.index;
  });
  return found;
}

std::vector<Rejection> by_index(std::vector<Rejection> found, double level) {
  std::erase_if(found, [level](const Rejection& one) { return !(one.adjusted <= level); });
  std::sort(found.begin(), found.end(),
            [](const Rejection& left, const Rejection& right) { return left.index < right.index; });
  return found;
}

}  // namespace

std::vector<Rejection> holm(const std::vector<double>& p, double alpha) {
  std::vector<Rejection> found = candidates(p, alpha);
  double largest = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    largest = std::max(largest, found[i].adjusted * static_cast<double>(p.size() - i));
    found[i].adjusted = std::min(largest, 1.0);
  }
  return by_index(std::move(found), alpha);
}

std::vector<Rejection> benjamini_hochberg(const std::vector<double>& p, double rate) {
  std::vector<Rejection> found = candidates(p, rate);
  // A p-value above the rate has an adjusted one above it too, so leaving it out changes nothing.
  double least = 1;
  for (std::size_t i = found.size(); i-- > 0;) {
    const double scaled =
        found[i].adjusted * static_cast<double>(p.size()) / static_cast<double>(i + 1);
    least = std::min(least, scaled);
    found[i].adjusted = least;
  }
  return by_index(std::move(found), rate);
}

}  // namespace rackproof::stats
