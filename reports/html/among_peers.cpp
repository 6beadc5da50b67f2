#include "reports/html/among_peers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "reports/html/markup.hpp"
#include "reports/model/cell_text.hpp"
#include "reports/model/quantity.hpp"

namespace rackproof::html {
namespace {

using model::Cell;

// In units of the picture, which the page draws as wide as there is room.
constexpr double kWidth = 640;
constexpr double kMargin = 16;
constexpr std::size_t kFewest = 3;  // peers that make a picture
constexpr double kRoom = 0.06;      // of the span, on either side

/// What the cells of a picture have in common.
bool alike(const Cell& a, const Cell& b) {
  return a.step == b.step && a.metric == b.metric && a.subject.kind == b.subject.kind &&
         a.parameters == b.parameters && model::unit_of(a) == model::unit_of(b) &&
         a.verdict.statistic == b.verdict.statistic;
}

class Scale {
 public:
  explicit Scale(const std::vector<double>& shown) {
    const auto [low, high] = std::minmax_element(shown.begin(), shown.end());
    const double room = std::max((*high - *low) * kRoom, std::abs(*high) * 1e-6);
    low_ = *low - room;
    span_ = *high + room - low_;
  }
  double at(double value) const {
    return kMargin + (kWidth - 2 * kMargin) * (value - low_) / span_;
  }

 private:
  double low_ = 0;
  double span_ = 1;
};

/// Text at either end of the picture stays inside it.
const char* anchor_at(double x) {
  if (x < kWidth / 4) return "start";
  return x > kWidth * 3 / 4 ? "end" : "middle";
}

std::string line(const Scale& scale, double value, const char* kind, const std::string& label) {
  const double x = scale.at(value);
  return fmt::format(
      "<path class=\"{}\" d=\"M{:.1f} 18V46\"/><text x=\"{:.1f}\" y=\"13\" text-anchor=\"{}\">{}"
      "</text>",
      kind, x, x, anchor_at(x), label);
}

/// One path, whose pieces without a length are dots with round ends: a page has few elements. Peers
/// that would lie on one another are one dot.
std::string dots(const Scale& scale, const std::vector<double>& peers) {
  std::set<long> places;
  std::string text = "<path class=\"peer\" d=\"";
  for (const double value : peers) {
    if (!places.insert(std::lround(scale.at(value) * 2)).second) continue;
    text += fmt::format("M{:.1f} 32h0", scale.at(value));
  }
  return text + "\"/>";
}

}  // namespace

std::string among_peers(const model::Report& report, const Cell& cell) {
  // The matrix of links shows a link among the others.
  if (cell.subject.kind == contract::SubjectKind::kLink) return "";
  if (!cell.verdict.observed || !std::isfinite(*cell.verdict.observed)) return "";
  std::vector<double> peers;
  for (const Cell& other : report.cells) {
    if (other.subject == cell.subject || !other.verdict.observed || !alike(cell, other)) continue;
    if (std::isfinite(*other.verdict.observed)) peers.push_back(*other.verdict.observed);
  }
  if (peers.size() < kFewest) return "";
  const double own = *cell.verdict.observed;
  const std::string unit = model::unit_of(cell);
  std::vector<double> shown = peers;
  shown.push_back(own);
  for (const auto& limit : {cell.verdict.limit_low, cell.verdict.limit_high}) {
    if (limit) shown.push_back(*limit);
  }
  const Scale scale(shown);
  const auto [low, high] = std::minmax_element(peers.begin(), peers.end());
  const std::string from = model::quantity(*low, unit);
  const std::string to = model::quantity(*high, unit);
  std::string text = fmt::format(
      "<figure class=\"peers\"><svg viewBox=\"0 0 {} 64\" role=\"img\" aria-label=\"{}: {}; {} of "
      "the same kind: {} to {}\"><path d=\"M{} 32H{}\"/>",
      kWidth, plain(model::label(cell.subject)), plain(model::quantity(own, unit)), peers.size(),
      plain(from), plain(to), kMargin, kWidth - kMargin);
  if (cell.verdict.limit_low) text += line(scale, *cell.verdict.limit_low, "limit", "limit");
  if (cell.verdict.limit_high) text += line(scale, *cell.verdict.limit_high, "limit", "limit");
  text += dots(scale, peers);
  text += fmt::format("<circle class=\"own\" cx=\"{:.1f}\" cy=\"32\" r=\"6\"/>", scale.at(own));
  const double x = scale.at(own);
  text += fmt::format("<text class=\"own\" x=\"{:.1f}\" y=\"58\" text-anchor=\"{}\">{}</text>", x,
                      anchor_at(x), plain(model::quantity(own, unit)));
  return text + fmt::format(
                    "</svg><figcaption>{}: it, and {} of the same kind, {} to {}</figcaption>"
                    "</figure>",
                    plain(cell.metric), peers.size(), plain(from), plain(to));
}

}  // namespace rackproof::html
