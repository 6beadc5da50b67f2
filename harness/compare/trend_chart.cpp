#include "harness/compare/trend_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/stats/robust.hpp"
#include "reports/html/markup.hpp"
#include "reports/model/cell_text.hpp"
#include "reports/model/quantity.hpp"

namespace rackproof::compare {
namespace {

constexpr double kLeastRange = 0.02;
constexpr double kEdge = 4;  // so that a dot at the edge is whole

/// A place on the axis of runs, and a value.
using Dot = std::pair<double, double>;

// At most so many, each the median of the runs around it.
std::vector<Dot> dots_of(const std::vector<std::optional<double>>& values, std::size_t most) {
  const std::size_t together = (values.size() + most - 1) / std::max<std::size_t>(1, most);
  std::vector<Dot> dots;
  for (std::size_t from = 0; together > 0 && from < values.size(); from += together) {
    const std::size_t end = std::min(values.size(), from + together);
    std::vector<double> some;
    for (std::size_t i = from; i < end; ++i) {
      if (values[i]) some.push_back(*values[i]);
    }
    if (some.empty()) continue;
    dots.emplace_back(static_cast<double>(from + end - 1) / 2, stats::median(std::move(some)));
  }
  return dots;
}

class Plane {
 public:
  Plane(const Drawn& drawn, const std::vector<Dot>& dots, int width, int height)
      : runs_(static_cast<double>(drawn.values.size())), width_(width), height_(height) {
    low_ = high_ = dots.front().second;
    for (const Dot& dot : dots) include(dot.second);
    for (const auto& level : {drawn.before, drawn.after}) {
      if (level) include(*level);
    }
    const double missing = kLeastRange * high_ - (high_ - low_);
    if (missing > 0) {
      low_ -= missing / 2;
      high_ += missing / 2;
    }
  }

  double x(double run) const {
    return kEdge + (width_ - 2 * kEdge) * (runs_ > 1 ? run / (runs_ - 1) : 0.5);
  }
  double y(double value) const {
    return height_ - kEdge - (height_ - 2 * kEdge) * (value - low_) / (high_ - low_);
  }

 private:
  void include(double value) {
    low_ = std::min(low_, value);
    high_ = std::max(high_, value);
  }

  double runs_;
  double width_;
  double height_;
  double low_ = 0;
  double high_ = 1;
};

std::string level_path(const Plane& plane, double level, double from, double to) {
  return fmt::format("M{:.1f},{:.1f}H{:.1f}", plane.x(from), plane.y(level), plane.x(to));
}

std::string levels_of(const Drawn& drawn, const Plane& plane) {
  const double last = static_cast<double>(drawn.values.size()) - 1;
  const double fence = drawn.at ? static_cast<double>(*drawn.at) - 0.5 : 0;
  std::string out;
  if (drawn.before) {
    out += "<path class=\"level\" d=\"" +
           level_path(plane, *drawn.before, 0, drawn.at ? fence : last) + "\"/>";
  }
  if (drawn.after && drawn.at) {
    out += "<path class=\"level\" d=\"" + level_path(plane, *drawn.after, fence, last) + "\"/>";
  }
  if (drawn.at) out += fmt::format("<path class=\"fence\" d=\"M{:.1f},0V999\"/>", plane.x(fence));
  return out;
}

}  // namespace

std::string chart_of(const Drawn& drawn, int width, int height) {
  const std::vector<Dot> dots =
      dots_of(drawn.values, static_cast<std::size_t>(std::max(1, width / 2)));
  if (dots.empty()) return "";
  const Plane plane(drawn, dots, width, height);
  std::string path;
  for (const auto& [run, value] : dots) {
    path += fmt::format("M{:.1f},{:.1f}h0", plane.x(run), plane.y(value));
  }
  const auto [least, most] = std::minmax_element(
      dots.begin(), dots.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  const auto count = static_cast<std::size_t>(
      std::count_if(drawn.values.begin(), drawn.values.end(), [](const auto& v) { return !!v; }));
  return fmt::format(
      "<svg class=\"series\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\" "
      "aria-label=\"{2} with a value, {3} to {4}\">{5}<path class=\"dots\" d=\"{6}\"/></svg>",
      width, height, model::counted(count, "run"),
      html::plain(model::quantity(least->second, drawn.unit), 60),
      html::plain(model::quantity(most->second, drawn.unit), 60), levels_of(drawn, plane), path);
}

}  // namespace rackproof::compare
