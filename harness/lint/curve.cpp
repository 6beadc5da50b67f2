#include <fmt/format.h>

#include <algorithm>

#include "harness/lint/rules.hpp"
#include "harness/stats/curve.hpp"

namespace rackproof::lint {

void check_curve(const Scene& scene, const model::Baseline& baseline, const Where& where) {
  if (baseline.kind != model::BaselineKind::kCurve) return;
  std::vector<stats::BusPoint> points;
  for (const model::CurvePoint& point : baseline.points) {
    points.push_back(
        {static_cast<double>(point.bytes), static_cast<double>(point.ranks), point.value});
  }
  const auto curve = stats::fit_bus_curve(points);
  if (!curve) {
    scene.complain(where({"points"}), "no latency and bandwidth fit these figures");
    return;
  }
  const double tolerance = baseline.tolerance_below.value_or(0);
  const double miss = stats::largest_miss(*curve, points);
  if (miss <= tolerance) return;
  scene.complain(where({"points"}),
                 fmt::format("the curve through these figures misses one of them by {:.3g}, more "
                             "than the tolerance of {}; expected figures of one machine and method",
                             miss, tolerance));
}

}  // namespace rackproof::lint
