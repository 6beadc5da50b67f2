#include "harness/compare/trend.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "tests/unit/compare/fleet.hpp"

namespace rackproof::compare {
namespace {

using compare_test::Fleet;
using compare_test::sample_of;

// Nights of a fleet; from `changed_at` on, as `later`.
std::vector<Sample> nights(const Fleet& first, const Fleet& later, std::uint32_t count,
                           std::uint32_t changed_at, std::uint32_t trial = 0) {
  std::vector<Sample> runs;
  for (std::uint32_t night = 0; night < count; ++night) {
    runs.push_back(sample_of(night < changed_at ? first : later, trial * 1000 + night));
  }
  return runs;
}

}  // namespace

TEST_CASE("a planted change of the fleet is found within two runs, with the fact that changed") {
  const Fleet before{.devices = 8, .quantities = 2, .noise = 0.01};
  const Fleet after{.devices = 8,
                    .quantities = 2,
                    .noise = 0.01,
                    .factor = 0.97,
                    .changed = 8,
                    .changed_driver = "560.10"};
  int found = 0;
  for (std::uint32_t trial = 0; trial < 100; ++trial) {
    const std::uint32_t at = 20 + trial % 40;
    const Trend result = trend(nights(before, after, 80, at, trial), {});
    if (result.changes.size() != 1) continue;
    const Change& change = result.changes[0];
    const bool near = change.at + 2 >= at && change.at <= at + 2;
    if (!near || !change.subject.empty() || !change.worse || !change.last) continue;
    CHECK(change.key.metric == "gemm.rate0");
    CHECK(change.shift == Approx(-0.03).margin(0.01));
    if (change.at == at) {
      CHECK(change.facts == std::vector<std::string>{"gpu.driver: 550.54 -> 560.10"});
    }
    ++found;
  }
  CHECK(found >= 95);
}

TEST_CASE("nights of a fleet that stays as it is have no change") {
  int flagged = 0;
  for (std::uint32_t trial = 0; trial < 100; ++trial) {
    const Fleet fleet{.devices = 4, .quantities = 2, .seed = trial, .noise = 0.01};
    flagged += trend(nights(fleet, fleet, 60, 0, trial), {}).changes.empty() ? 0 : 1;
  }
  CHECK(flagged <= 5);
}

TEST_CASE("one device that drops is named, and its fleet is not") {
  const Fleet before{.devices = 8, .quantities = 1, .noise = 0.005};
  const Fleet after{.devices = 8, .quantities = 1, .noise = 0.005, .factor = 0.9, .changed = 1};
  const Trend result = trend(nights(before, after, 60, 30), {});
  REQUIRE(result.changes.size() == 1);
  CHECK(result.changes[0].subject == "node1/GPU0");
  CHECK(result.changes[0].at == 30);
  CHECK(result.series == 9);
}

TEST_CASE("a change that was undone is not the last, and better ones come behind worse ones") {
  const Fleet good{.devices = 2, .quantities = 1, .noise = 0.003};
  const Fleet bad{.devices = 2, .quantities = 1, .noise = 0.003, .factor = 0.9, .changed = 2};
  std::vector<Sample> runs = nights(good, bad, 40, 20);
  for (Sample& run : nights(good, good, 20, 0, 5)) runs.push_back(std::move(run));
  const Trend result = trend(runs, {});
  REQUIRE(result.changes.size() == 2);
  CHECK(result.changes[0].worse);
  CHECK_FALSE(result.changes[0].last);
  CHECK(result.changes[0].subjects == 2);
  CHECK_FALSE(result.changes[1].worse);
  CHECK(result.changes[1].last);
}

TEST_CASE("a series that ends before the last run is counted as gone") {
  const Fleet fleet{.devices = 2, .quantities = 1};
  std::vector<Sample> runs = nights(fleet, fleet, 20, 0);
  CHECK(trend(runs, {}).gone == 0);
  runs.back().numbers.begin()->second.of.erase("node1/GPU1");
  CHECK(trend(runs, {}).gone == 2);  // of one subject there is no median either
}

TEST_CASE("too few runs are counted as such") {
  const Fleet fleet{.devices = 2, .quantities = 1};
  const Trend result = trend(nights(fleet, fleet, 5, 0), {});
  CHECK(result.series == 0);
  CHECK(result.too_short == 3);
  CHECK(trend({}, {}).changes.empty());
}

TEST_CASE("a large drop is an alarm the same night, and noise is none") {
  const Fleet fleet{.devices = 8, .quantities = 2, .noise = 0.01};
  const Fleet half{.devices = 8, .quantities = 2, .noise = 0.01, .factor = 0.5, .changed = 1};
  const Fleet all{.devices = 8, .quantities = 2, .noise = 0.01, .factor = 0.5, .changed = 8};
  int alarms = 0;
  for (std::uint32_t trial = 0; trial < 100; ++trial) {
    const std::uint32_t nights_before = 12 + trial % 40;
    const Trend one = trend(nights(fleet, half, nights_before + 1, nights_before, trial), {});
    REQUIRE(one.alarms.size() == 1);
    CHECK(one.alarms[0].subject == "node1/GPU0");
    CHECK(one.alarms[0].shift == Approx(-0.5).margin(0.03));
    const Trend many = trend(nights(fleet, all, nights_before + 1, nights_before, trial), {});
    REQUIRE(many.alarms.size() == 1);
    CHECK(many.alarms[0].subject.empty());
    CHECK(many.alarms[0].subjects == 8);
    alarms += trend(nights(fleet, fleet, nights_before, 0, trial), {}).alarms.empty() ? 0 : 1;
  }
  CHECK(alarms <= 2);
}

TEST_CASE("an alarm ends with the drop, and with its being told as a change") {
  const Fleet good{.devices = 2, .quantities = 1, .noise = 0.003};
  const Fleet bad{.devices = 2, .quantities = 1, .noise = 0.003, .factor = 0.7, .changed = 2};
  std::vector<Sample> runs = nights(good, bad, 31, 30);
  CHECK_FALSE(trend(runs, {}).alarms.empty());
  runs.push_back(sample_of(good, 77));
  CHECK(trend(runs, {}).alarms.empty());
  const Trend told = trend(nights(good, bad, 60, 30), {});
  CHECK(told.alarms.empty());
  CHECK(told.changes.size() == 1);
}

TEST_CASE("nights that go with their neighbours are no changes") {
  // First-order autoregression of 0.5, as a machine room's weather makes it.
  std::size_t points = 0;
  for (std::uint32_t trial = 0; trial < 20; ++trial) {
    std::mt19937 random(trial + 1);
    std::normal_distribution<double> draw(0, 0.01);
    std::vector<double> levels(4, 0);
    std::vector<Sample> runs;
    for (std::uint32_t night = 0; night < 250; ++night) {
      Sample sample = sample_of(Fleet{.devices = 4, .quantities = 1, .noise = 0}, night);
      std::size_t device = 0;
      for (auto& [subject, number] : sample.numbers.begin()->second.of) {
        levels[device] = 0.5 * levels[device] + draw(random);
        number *= std::exp(levels[device++]);
      }
      runs.push_back(std::move(sample));
    }
    const Trend result = trend(runs, {});
    CHECK(result.correlation == Approx(0.55).margin(0.25));
    points += result.changes.size();
  }
  // 20,000 nights; without a correlation that is allowed for there are ten points and more.
  CHECK(points <= 2);
}

}  // namespace rackproof::compare
