#include "benches/kit/results.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>

using namespace rackproof;
using contract::Better;
using contract::Statistic;

namespace {

double value_of(Better better, Statistic statistic, const std::vector<double>& samples) {
  protocol::Metric metric = kit::metric_of("bench.rate", "B/s", better, "proof");
  kit::put_samples(metric, statistic, samples);
  CHECK(metric.statistic == statistic);
  CHECK(metric.samples == samples);
  return metric.value;
}

}  // namespace

TEST_CASE("a check passed when something was compared and nothing is wrong") {
  CHECK(kit::check_of("name", "what", 5, 0).passed);
  CHECK_FALSE(kit::check_of("name", "what", 0, 0).passed);
  CHECK_FALSE(kit::check_of("name", "what").passed);
  const protocol::Check wrong =
      kit::check_of("name", "what", 5, 1, protocol::FirstWrong{"element 3", "1", "2"});
  CHECK_FALSE(wrong.passed);
  CHECK(wrong.name == "name");
  CHECK(wrong.detail == "what");
  REQUIRE(wrong.first_wrong);
  CHECK(wrong.first_wrong->where == "element 3");
}

TEST_CASE("a check that was counted up is decided at the end") {
  protocol::Check check = kit::check_of("name", "what");
  check.compared = 7;
  kit::decide(check);
  CHECK(check.passed);
  check.wrong = 1;
  kit::decide(check);
  CHECK_FALSE(check.passed);
}

TEST_CASE("the value is the statistic of the samples, by what is better") {
  const std::vector<double> samples = {3, 1, 2, 8};
  CHECK(value_of(Better::kMore, Statistic::kBest, samples) == 8);
  CHECK(value_of(Better::kLess, Statistic::kBest, samples) == 1);
  CHECK(value_of(Better::kMore, Statistic::kWorst, samples) == 1);
  CHECK(value_of(Better::kLess, Statistic::kWorst, samples) == 8);
  CHECK(value_of(Better::kMore, Statistic::kMedian, samples) == 2.5);
  CHECK(value_of(Better::kMore, Statistic::kMean, samples) == 3.5);
  CHECK(value_of(Better::kLess, Statistic::kP99, samples) == 8);
  CHECK(value_of(Better::kMore, Statistic::kP99, samples) == 1);
  CHECK(value_of(Better::kMore, Statistic::kValue, {4}) == 4);
}

TEST_CASE(
    "a number without samples, a single one of several and a limit's statistic are mistakes") {
  protocol::Metric metric = kit::metric_of("bench.rate", "B/s", Better::kMore, "proof");
  CHECK_THROWS_AS(kit::put_samples(metric, Statistic::kMedian, {}), std::invalid_argument);
  CHECK_THROWS_AS(kit::put_samples(metric, Statistic::kValue, {1, 2}), std::invalid_argument);
  CHECK_THROWS_AS(kit::put_samples(metric, Statistic::kP05, {1, 2}), std::invalid_argument);
  CHECK(metric.samples.empty());
}

TEST_CASE("subjects say what a number is about") {
  CHECK(kit::device_subject("GPU-1").kind == contract::SubjectKind::kDevice);
  CHECK(kit::device_subject("GPU-1").id == "GPU-1");
  CHECK(kit::group_subject().kind == contract::SubjectKind::kGroup);
  CHECK(kit::metric_of("a.b", "s", Better::kLess, "c").subject.kind ==
        contract::SubjectKind::kNode);
}
