#include "harness/evidence/observe.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/judge/builder.hpp"

namespace contract = rackproof::contract;
namespace evidence = rackproof::evidence;
namespace model = rackproof::model;
using contract::Better;
using contract::Statistic;

namespace {

model::Measurement of(std::vector<double> samples, Better better = Better::kMore) {
  model::Measurement result = rackproof::judge_test::measurement("a1", 42);
  result.samples = std::move(samples);
  result.better = better;
  return result;
}

double value_of(const std::vector<model::Measurement>& all, Statistic statistic) {
  std::vector<const model::Measurement*> pointers;
  for (const model::Measurement& one : all) pointers.push_back(&one);
  const auto observed = evidence::observe(pointers, statistic, 0.95);
  return observed ? observed->value : -1;
}

}  // namespace

TEST_CASE("statistics are taken over the samples of all attempts") {
  const std::vector<model::Measurement> two = {of({5, 1, 3}), of({9, 2, 4})};
  CHECK(value_of(two, Statistic::kBest) == 9);
  CHECK(value_of(two, Statistic::kWorst) == 1);
  CHECK(value_of(two, Statistic::kMedian) == 3.5);
  CHECK(value_of(two, Statistic::kMean) == 4);
}

TEST_CASE("best and worst change places where less is better") {
  const std::vector<model::Measurement> one = {of({5, 1, 3}, Better::kLess)};
  CHECK(value_of(one, Statistic::kBest) == 1);
  CHECK(value_of(one, Statistic::kWorst) == 5);
  CHECK(value_of(one, Statistic::kMedian) == 3);
}

TEST_CASE("p99 looks at the bad side") {
  std::vector<double> samples;
  for (int i = 1; i <= 200; ++i) samples.push_back(i);
  CHECK(value_of({of(samples, Better::kLess)}, Statistic::kP99) == 198);
  CHECK(value_of({of(samples, Better::kMore)}, Statistic::kP99) == 2);
}

TEST_CASE("the value is that of the last attempt, or the worst of samples that contradict it") {
  std::vector<model::Measurement> two = {of({1}), of({})};
  two[1].value = 43;
  CHECK(value_of(two, Statistic::kValue) == 43);
  two[1].samples = {5, 50};
  CHECK(value_of(two, Statistic::kValue) == 43);
  two[1].samples = {5, 42};
  CHECK(value_of(two, Statistic::kValue) == 5);
  two[1].samples = {44, 50};
  CHECK(value_of(two, Statistic::kValue) == 44);
  two[1].better = Better::kLess;
  CHECK(value_of(two, Statistic::kValue) == 50);
}

TEST_CASE("without samples only the very statistic that was asked for counts") {
  model::Measurement bare = of({});
  bare.statistic = Statistic::kMedian;
  CHECK(value_of({bare}, Statistic::kMedian) == 42);
  CHECK(value_of({bare}, Statistic::kBest) == -1);
  CHECK(value_of({bare}, Statistic::kWorst) == -1);
  CHECK(value_of({bare}, Statistic::kValue) == 42);
  CHECK(value_of({of({1, 2}), bare}, Statistic::kP99) == -1);
}

TEST_CASE("several attempts without samples count by the least favourable") {
  model::Measurement slow = of({});
  model::Measurement fast = of({});
  fast.value = 50;
  CHECK(value_of({fast, slow}, Statistic::kMedian) == 42);
  CHECK(value_of({fast, of({60, 61, 62})}, Statistic::kMedian) == 50);
  slow.better = fast.better = Better::kLess;
  CHECK(value_of({fast, slow}, Statistic::kMedian) == 50);
  slow.statistic = fast.statistic = Statistic::kBest;
  CHECK(value_of({fast, slow}, Statistic::kBest) == 42);
}

TEST_CASE("median, mean and p99 have intervals when there are samples enough") {
  const model::Measurement ten = of({1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  const auto interval = [](const model::Measurement& one, Statistic statistic) {
    return evidence::observe({&one}, statistic, 0.95)->interval;
  };
  REQUIRE(interval(ten, Statistic::kMedian));
  CHECK(interval(ten, Statistic::kMedian)->low == 2);
  CHECK(interval(ten, Statistic::kMedian)->high == 9);
  CHECK(interval(ten, Statistic::kMean));
  CHECK_FALSE(interval(ten, Statistic::kP99));
  CHECK_FALSE(interval(ten, Statistic::kBest));
  CHECK_FALSE(interval(ten, Statistic::kWorst));
  CHECK_FALSE(interval(ten, Statistic::kValue));
  CHECK_FALSE(interval(of({1, 2, 3}), Statistic::kMedian));
}
