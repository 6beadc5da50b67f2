#include "benches/swing/work_trace.hpp"

#include <catch2/catch.hpp>
#include <numeric>

namespace rackproof::swing {
namespace {

double sum_of(const WorkTrace& trace) {
  return std::accumulate(trace.bins().begin(), trace.bins().end(), 0.0);
}

}  // namespace

TEST_CASE("a piece of work is shared out over the bins that it lasts") {
  WorkTrace trace(10, 0.5, 4);
  trace.add(10.25, 11.25);
  CHECK(trace.bins() == std::vector<double>{0.25, 0.5, 0.25, 0});
  trace.add(11.5, 11.75);
  CHECK(trace.bins()[3] == 1);
  CHECK(sum_of(trace) == 2);
}

TEST_CASE("what lies outside is left out") {
  WorkTrace trace(10, 0.5, 4);
  trace.add(9, 11);
  CHECK(sum_of(trace) == 0.5);
  trace.add(11.5, 13.5);
  CHECK(sum_of(trace) == 0.75);
  trace.add(1, 2);
  trace.add(20, 21);
  trace.add(11, 11);
  CHECK(sum_of(trace) == 0.75);
}

TEST_CASE("nothing is lost between bins that no double hits") {
  WorkTrace trace(0.1, 1.0 / 64 / 0.2, 640);
  double at = 0.1;
  for (int i = 0; i < 20000; ++i) {
    trace.add(at, at + 2.3e-3);
    at += 2.3e-3;
  }
  CHECK(sum_of(trace) == Approx(20000).epsilon(1e-9));
}

TEST_CASE("traces of threads add up") {
  WorkTrace one(0, 1, 2);
  WorkTrace other(0, 1, 2);
  one.add(0, 1);
  other.add(0.5, 1.5);
  one.add(other);
  CHECK(one.bins() == std::vector<double>{1.5, 0.5});
}

}  // namespace rackproof::swing
