#include "reports/model/host_load.hpp"

#include <catch2/catch.hpp>
#include <limits>

using rackproof::model::HostLoad;
using rackproof::model::taken_share;
using rackproof::model::to_text;

namespace {

// Ten seconds of four processors.
HostLoad load(double busy, double own, double stolen = 0) {
  return {4, 10, busy, own, stolen, std::nullopt, ""};
}

}  // namespace

TEST_CASE("what others use is what is not the run's own") {
  CHECK(taken_share(load(38, 38)) == 0);
  CHECK(taken_share(load(38.04, 18)) == Approx(0.5));
  CHECK(taken_share(load(18, 38)) == 0);
  CHECK(taken_share(load(38.04, 18, 10)) == Approx(0.75));
  CHECK(taken_share(load(0, 0, 1e9)) == 1);
}

TEST_CASE("what may be the rounding of the counters is nobody's") {
  CHECK(taken_share(load(38.03, 38)) == 0);
  CHECK(taken_share(load(38.44, 38)) == Approx(0.01));
  // Of a tenth of a second a hundredth on each processor is a tenth.
  HostLoad brief = load(0.39, 0.36);
  brief.seconds = 0.1;
  CHECK(taken_share(brief) == 0);
}

TEST_CASE("nothing is taken while processors are left idle") {
  HostLoad spacious = load(20, 4);
  CHECK(taken_share(spacious) == Approx(0.399));
  spacious.waited = 0;
  CHECK(taken_share(spacious) == 0);
  spacious.waited = 1;  // of the ten seconds
  CHECK(taken_share(spacious) == Approx(0.099));
  // The hypervisor takes what was wanted.
  spacious.waited = 0;
  spacious.stolen = 2.04;
  CHECK(taken_share(spacious) == Approx(0.05));
}

TEST_CASE("nothing is said of what is not known") {
  CHECK(taken_share({}) == 0);
  HostLoad unknown = load(40, 0);
  unknown.unknown = "/proc/stat: Permission denied";
  CHECK(taken_share(unknown) == 0);
  CHECK(to_text(unknown) ==
        "whether other programs ran is not known: /proc/stat: Permission denied");
}

TEST_CASE("numbers that no clock gives are no proof of quiet") {
  HostLoad endless = load(1, 1);
  endless.seconds = std::numeric_limits<double>::max();
  CHECK(taken_share(endless) == 1);
  endless = load(std::numeric_limits<double>::infinity(), 1);
  CHECK(taken_share(endless) == 1);
  CHECK(to_text(endless) == "what is told of other programs there makes no sense");
}

TEST_CASE("amounts that contradict each other are no proof of quiet") {
  for (const double seconds : {0.0, -10.0, 1e18, 1e308}) {
    HostLoad one = load(38, 38);
    one.seconds = seconds;
    CHECK(taken_share(one) == 1);
  }
  for (const int processors : {0, -4, 2'000'000'000}) {
    HostLoad one = load(38, 38);
    one.processors = processors;
    CHECK(taken_share(one) == 1);
  }
  for (const double waited : {-1.0, 1e6}) {
    HostLoad one = load(38, 38);
    one.waited = waited;
    CHECK(taken_share(one) == 1);
  }
  CHECK(taken_share(load(-38, 38)) == 1);
  CHECK(taken_share(load(38, 1e300)) == 1);
}

TEST_CASE("the sentence has the share, and what of it the hypervisor took") {
  CHECK(to_text(load(38.04, 18)) == "others took 50 % of the time of its 4 processors");
  CHECK(to_text(load(38, 36.04, 4)) ==
        "others took 15 % of the time of its 4 processors (the hypervisor 10 %)");
  HostLoad one = load(5, 0.01);
  one.processors = 1;
  CHECK(to_text(one) == "others took 50 % of the time of its 1 processor");
}
