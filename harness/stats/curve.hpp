#pragma once

#include <optional>
#include <vector>

namespace rackproof::stats {

/// Bus bandwidth of a collective over `ranks` ranks with `bytes` bytes.
struct BusPoint {
  double bytes = 0;
  double ranks = 0;
  double bytes_per_second = 0;
};

/// Latency and bandwidth of a collective: bytes / busbw = latency + per_doubling * log2(ranks) +
/// bytes / bandwidth. busbw carries the factor of its operation already, so that the bandwidth term
/// is the same for any number of ranks (nccl-tests, doc/PERFORMANCE.md); the first two terms are
/// the latency divided by that factor.
struct BusCurve {
  double latency_seconds = 0;
  double per_doubling_seconds = 0;  ///< 0 when all points have one number of ranks
  double seconds_per_byte = 0;

  double bytes_per_second(double bytes, double ranks) const;
};

/// The curve with the least sum of squared relative errors of the times, no term of it negative.
/// Nothing for fewer than three points, for a figure that is not positive and finite, or when no
/// such curve has a finite bandwidth.
std::optional<BusCurve> fit_bus_curve(const std::vector<BusPoint>& points);

/// The largest relative distance of a point from the curve.
double largest_miss(const BusCurve& curve, const std::vector<BusPoint>& points);

}  // namespace rackproof::stats
