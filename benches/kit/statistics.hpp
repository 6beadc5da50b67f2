#pragma once

#include <vector>

namespace rackproof::kit {

/// Statistics of one cell. All throw std::invalid_argument for an empty series.
double smallest(const std::vector<double>& values);
double largest(const std::vector<double>& values);
double mean(const std::vector<double>& values);
double median(std::vector<double> values);
/// Nearest-rank percentile, `p` in (0, 100].
double percentile(std::vector<double> values, double p);
/// `amount / seconds` for each sample: a series of rates out of a series of times.
std::vector<double> rates(double amount, const std::vector<double>& seconds);

}  // namespace rackproof::kit
