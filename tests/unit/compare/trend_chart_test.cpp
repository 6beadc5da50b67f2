#include "harness/compare/trend_chart.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <regex>

namespace rackproof::compare {
namespace {

// Heights of the dots, from left to right.
std::vector<double> heights(const std::string& chart) {
  std::vector<double> all;
  const std::regex dot("M[0-9.]+,([0-9.]+)h0");
  for (auto at = std::sregex_iterator(chart.begin(), chart.end(), dot);
       at != std::sregex_iterator(); ++at) {
    all.push_back(std::stod((*at)[1]));
  }
  return all;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("each run with a value is a dot, in the drawing, higher when it is more") {
  const std::string chart = chart_of({{1e12, 2e12, std::nullopt, 1.5e12}, "FLOP/s"}, 200, 60);
  const auto dots = heights(chart);
  REQUIRE(dots.size() == 3);
  CHECK(dots[0] > dots[2]);
  CHECK(dots[2] > dots[1]);
  CHECK(*std::min_element(dots.begin(), dots.end()) >= 0);
  CHECK(*std::max_element(dots.begin(), dots.end()) <= 60);
  CHECK(has(chart, "aria-label=\"3 runs with a value, 1 TFLOP/s to 2 TFLOP/s\""));
  CHECK_FALSE(has(chart, "class=\"level\""));
}

TEST_CASE("noise of a thousandth does not fill the drawing") {
  const auto dots = heights(chart_of({{1000, 1001, 999.9}, "1"}, 200, 108));
  CHECK(std::fabs(dots[0] - dots[1]) == Approx(5).margin(0.2));
}

TEST_CASE("levels stand on both sides of the change") {
  Drawn drawn{{10, 10, 5, 5}, "s"};
  drawn.at = 2;
  drawn.before = 10;
  drawn.after = 5;
  const std::string chart = chart_of(drawn, 308, 60);
  CHECK(has(chart, "<path class=\"level\" d=\"M4.0,4.0H154.0\"/>"));
  CHECK(has(chart, "<path class=\"level\" d=\"M154.0,56.0H304.0\"/>"));
  CHECK(has(chart, "<path class=\"fence\" d=\"M154.0,"));
}

TEST_CASE("of more runs than there is room for each dot is the median of some") {
  std::vector<std::optional<double>> values(5000, 1.0);
  values[17] = 50;
  const auto dots = heights(chart_of({values, "s"}, 200, 60));
  CHECK(dots.size() == 100);
  CHECK(dots.front() == dots.back());
}

TEST_CASE("a quantity without a value, or with one, is drawn as that") {
  CHECK(chart_of({{std::nullopt, std::nullopt}, "s"}, 200, 60).empty());
  CHECK(chart_of({{}, "s"}, 200, 60).empty());
  CHECK(heights(chart_of({{3.0}, "s"}, 200, 60)).size() == 1);
}

}  // namespace rackproof::compare
