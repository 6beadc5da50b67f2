#include "benches/steps/cores.hpp"

#include <catch2/catch.hpp>

#include "benches/kit/clock.hpp"

namespace rackproof::steps {
namespace {

// Keeps the core for a while, by the clock of the thread's own time.
void compute() {
  volatile double sum = 0;
  for (int i = 0; i < 2'000'000; ++i) sum = sum + i;
}

}  // namespace

TEST_CASE("sleeping ends at the moment that was asked for, and not before it") {
  const double moment = kit::now_seconds() + 0.02;
  sleep_until(moment);
  CHECK(kit::now_seconds() >= moment);
  const double past = kit::now_seconds();
  sleep_until(past - 100);
  CHECK(kit::now_seconds() < past + 50);
}

TEST_CASE("a product lasts what it takes, or its pace divided by the share") {
  Cores whole(1, 1);
  whole.run(Work::kDown, Pass::kForward, compute);
  CHECK(whole.times().at(Work::kDown, Pass::kForward) > 0);
  CHECK(whole.least().at(Work::kDown, Pass::kForward) > 0);
  CHECK(whole.times().total() == whole.times().at(Work::kDown, Pass::kForward));
  WorkTimes pace;
  pace.at(Work::kDown, Pass::kForward) = 0.003;
  Cores tenth(0.1, 1);
  tenth.set_pace(pace);
  tenth.run(Work::kDown, Pass::kForward, [] {});
  CHECK(tenth.times().total() >= 0.029);
  tenth.forget();
  CHECK(tenth.times().total() == 0);
  Cores slow(0.1, 2);
  slow.set_pace(pace);
  slow.run(Work::kDown, Pass::kForward, [] {});
  CHECK(slow.times().total() >= 0.059);
}

TEST_CASE("a product that is planted slow is computed so many times, forward mlp.down alone") {
  Cores cores(1, 3);
  int calls = 0;
  const auto count = [&] { ++calls; };
  cores.run(Work::kDown, Pass::kForward, count);
  CHECK(calls == 3);
  cores.run(Work::kDown, Pass::kBackward, count);
  cores.run(Work::kGateUp, Pass::kForward, count);
  CHECK(calls == 5);
}

}  // namespace rackproof::steps
