#include "harness/ingest/statistic.hpp"

#include <catch2/catch.hpp>
#include <numeric>

using namespace rackproof;
using contract::Better;
using contract::Statistic;

namespace {

bool is_it(double value, Statistic statistic, const std::vector<double>& samples,
           Better better = Better::kMore) {
  protocol::Metric metric;
  metric.name = "x.rate";
  metric.value = value;
  metric.statistic = statistic;
  metric.better = better;
  return ingest::problem_of_value(metric, samples).empty();
}

std::vector<double> up_to(int count) {
  std::vector<double> values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), 1);
  return values;
}

}  // namespace

TEST_CASE("a value is the statistic of its samples that it says it is") {
  const std::vector<double> four = {4, 1, 3, 2};
  CHECK(is_it(4, Statistic::kBest, four));
  CHECK(is_it(1, Statistic::kWorst, four));
  CHECK(is_it(1, Statistic::kBest, four, Better::kLess));
  CHECK(is_it(4, Statistic::kWorst, four, Better::kLess));
  CHECK(is_it(2.5, Statistic::kMean, four));
  CHECK_FALSE(is_it(1, Statistic::kBest, four));
  CHECK_FALSE(is_it(4, Statistic::kWorst, four));
  CHECK_FALSE(is_it(2.6, Statistic::kMean, four));
  CHECK_FALSE(is_it(5, Statistic::kBest, four));
}

TEST_CASE("a median of an even number lies between the middle two, whichever way it was averaged") {
  const std::vector<double> four = {4, 1, 3, 2};
  for (const double value : {2.0, 2.4, 2.5, 3.0}) CHECK(is_it(value, Statistic::kMedian, four));
  CHECK_FALSE(is_it(1.9, Statistic::kMedian, four));
  CHECK_FALSE(is_it(3.1, Statistic::kMedian, four));
  CHECK(is_it(2, Statistic::kMedian, {1, 2, 3}));
  CHECK_FALSE(is_it(2.1, Statistic::kMedian, {1, 2, 3}));
}

TEST_CASE("a percentile lies beside its nearest rank, on the bad side") {
  CHECK(is_it(2, Statistic::kP99, up_to(200)));
  CHECK(is_it(198, Statistic::kP99, up_to(200), Better::kLess));
  CHECK(is_it(198.01, Statistic::kP99, up_to(200), Better::kLess));
  CHECK_FALSE(is_it(190, Statistic::kP99, up_to(200), Better::kLess));
  CHECK_FALSE(is_it(100, Statistic::kP99, up_to(200)));
  CHECK(is_it(1, Statistic::kP99, {1}));
  CHECK(is_it(20, Statistic::kP99, up_to(20), Better::kLess));
}

TEST_CASE("a single value lies among its samples") {
  CHECK(is_it(2, Statistic::kValue, {1, 3}));
  CHECK_FALSE(is_it(4, Statistic::kValue, {1, 3}));
  CHECK(is_it(4, Statistic::kValue, {}));
}

TEST_CASE("what adding up in another order changes is let pass, and what it says is told") {
  CHECK(is_it(1e12 * (1 + 1e-12), Statistic::kBest, {1e12}));
  CHECK_FALSE(is_it(1e12 * (1 + 1e-6), Statistic::kBest, {1e12}));
  protocol::Metric metric;
  metric.name = "x.rate";
  metric.value = 7;
  CHECK(ingest::problem_of_value(metric, {1, 2}) ==
        "the value 7 of x.rate is not the median of its 2 samples, 1 to 2");
}
