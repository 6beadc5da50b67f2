#include "harness/learn/tolerance.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "harness/stats/robust.hpp"

using namespace rackproof;
using learn::Kind;
using learn::Value;
using learn::Variation;

namespace {

std::vector<Value> values_of(const std::vector<double>& numbers) {
  std::vector<Value> values;
  for (const double number : numbers) {
    Value value;
    value.value = number;
    value.edge = number;
    values.push_back(value);
  }
  return values;
}

Kind kind_of(const std::string& type) {
  Kind kind;
  kind.metric = "stream.triad";
  kind.parameters["type"] = type;
  kind.backend = "host";
  return kind;
}

}  // namespace

TEST_CASE("the next healthy value is within the tolerance but once in a thousand times") {
  std::mt19937_64 random(11);
  std::normal_distribution<double> noise(0, 0.03);
  int beyond = 0;
  const int trials = 20000;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> numbers;
    for (int i = 0; i < 5; ++i) numbers.push_back(100 * std::exp(noise(random)));
    const std::map<Kind, std::vector<Value>> kinds = {{kind_of("a"), values_of(numbers)}};
    const Variation variation = learn::variations_of(kinds).at(kind_of("a"));
    const double median = stats::median(numbers);
    const double tolerance =
        learn::tolerance_of(kinds.begin()->second, variation, median, true, 0.02);
    if (100 * std::exp(noise(random)) < median * (1 - tolerance)) ++beyond;
  }
  CHECK(beyond < 0.002 * trials);
}

TEST_CASE("fewer values take more, and like kinds tell of each other") {
  std::map<Kind, std::vector<Value>> alone = {
      {kind_of("a"), values_of({100, 101, 99, 100.5, 99.5})}};
  const Variation own = learn::variations_of(alone).at(kind_of("a"));
  CHECK(own.freedom == Approx(4));
  CHECK(own.deviation == Approx(0.0079).epsilon(0.02));
  for (const char* type : {"b", "c", "d", "e", "f", "g"}) {
    alone[kind_of(type)] = values_of({200, 202, 198, 201, 199});
  }
  const Variation together = learn::variations_of(alone).at(kind_of("a"));
  CHECK(together.freedom > 8);
  CHECK(learn::tolerance_of(alone.at(kind_of("a")), together, 100, true, 0) <
        learn::tolerance_of(alone.at(kind_of("a")), own, 100, true, 0));
}

TEST_CASE("the tolerance lets every value pass, and lies above where less is better") {
  std::vector<Value> values = values_of({100, 100, 100, 100, 100});
  values[2].edge = 90;
  const Variation steady{0.003, 4};
  CHECK(learn::tolerance_of(values, steady, 100, true, 0.02) == Approx(0.1));
  values[2].edge = 112;
  CHECK(learn::tolerance_of(values, steady, 100, false, 0.02) == Approx(0.12));
  CHECK(learn::tolerance_of(values_of({100, 100}), {0.003, 1000}, 100, true, 0.02) == Approx(0.02));
}

TEST_CASE("how many values a cell would need is said, and where none are enough") {
  CHECK(learn::what_helps({0.15, 4}, 0.5, true).starts_with("with "));
  CHECK(learn::what_helps({0.3, 4}, 0.5, true) ==
        "they vary by 30 %, and no number of runs makes a limit of that");
}
