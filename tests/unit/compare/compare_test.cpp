#include "harness/compare/compare.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/unit/compare/fleet.hpp"

namespace rackproof::compare {
namespace {

using compare_test::Fleet;
using compare_test::sample_of;

std::size_t count(const Comparison& result, Answer answer) {
  return static_cast<std::size_t>(
      std::count_if(result.lines.begin(), result.lines.end(),
                    [&](const Line& line) { return line.answer == answer; }));
}

bool differs(const Comparison& result) {
  return count(result, Answer::kWorse) + count(result, Answer::kBetter) > 0;
}

}  // namespace

TEST_CASE("a planted loss of 3 % is found, and the planted fact goes with it best") {
  for (std::uint32_t trial = 0; trial < 100; ++trial) {
    const Fleet before{.seed = trial};
    const Fleet after{.seed = trial, .factor = 0.97, .changed = 72, .changed_driver = "560.10"};
    const Comparison result =
        compare({sample_of(before, 2 * trial)}, {sample_of(after, 2 * trial + 1)}, {});
    INFO("trial " << trial);
    REQUIRE(result.lines.front().answer == Answer::kWorse);
    CHECK(result.lines.front().key.metric == "gemm.rate0");
    CHECK(result.lines.front().unit == Unit::kPairs);
    CHECK(result.lines.front().shift == Approx(-0.03).margin(0.003));
    CHECK(*result.lines.front().low < -0.03 + 0.002);
    CHECK(count(result, Answer::kEquivalent) == 7);
    REQUIRE(result.associations.size() == 1);
    CHECK(result.associations[0].fact == "gpu.driver");
    CHECK(result.associations[0].a == "550.54 (72)");
    CHECK(result.associations[0].b == "560.10 (72)");
    CHECK(result.associations[0].explained > 0.95);
  }
}

TEST_CASE("two samples of the same fleet do not differ") {
  int alarms = 0;
  int alarms_unpaired = 0;
  for (std::uint32_t trial = 0; trial < 100; ++trial) {
    const Fleet fleet{.seed = trial};
    alarms += differs(compare({sample_of(fleet, 2 * trial)}, {sample_of(fleet, 2 * trial + 1)}, {}))
                  ? 1
                  : 0;
    const Fleet others{.seed = trial + 500, .name = "OTHER"};
    const Comparison apart =
        compare({sample_of(fleet, 2 * trial)}, {sample_of(others, 2 * trial + 1)}, {});
    CHECK(apart.lines.front().unit == Unit::kSubjects);
    alarms_unpaired += differs(apart) ? 1 : 0;
  }
  CHECK(alarms <= 5);
  CHECK(alarms_unpaired <= 5);
}

TEST_CASE("what is less than the margin is equivalent, however certain") {
  const Fleet before;
  const Fleet after{.factor = 0.99, .changed = 72};
  const Comparison result = compare({sample_of(before, 1)}, {sample_of(after, 2)}, {});
  CHECK(count(result, Answer::kEquivalent) == 8);
  const Comparison strict =
      compare({sample_of(before, 1)}, {sample_of(after, 2)}, {.margin = 0.002});
  CHECK(count(strict, Answer::kWorse) == 1);
}

TEST_CASE("less is better where it is a time") {
  Sample before = sample_of(Fleet{.quantities = 1}, 1);
  Sample after = sample_of(Fleet{.quantities = 1, .factor = 0.9, .changed = 72}, 2);
  for (Sample* sample : {&before, &after}) {
    for (auto& [key, numbers] : sample->numbers) numbers.better = contract::Better::kLess;
  }
  CHECK(compare({before}, {after}, {}).lines.at(0).answer == Answer::kBetter);
  CHECK(compare({after}, {before}, {}).lines.at(0).answer == Answer::kWorse);
}

TEST_CASE("too few values are inconclusive, and how many would do is said") {
  const Fleet one{.devices = 1, .quantities = 1};
  const Comparison result = compare({sample_of(one, 1)}, {sample_of(one, 2)}, {});
  CHECK(result.lines.at(0).answer == Answer::kInconclusive);
  CHECK_FALSE(result.lines.at(0).low);
  CHECK(result.lines.at(0).needed == 0);

  const Fleet noisy{.devices = 8, .quantities = 1, .noise = 0.1};
  const Fleet worse{.devices = 8, .quantities = 1, .noise = 0.1, .factor = 0.97, .changed = 8};
  const Line line = compare({sample_of(noisy, 5)}, {sample_of(worse, 6)}, {}).lines.at(0);
  REQUIRE(line.answer == Answer::kInconclusive);
  CHECK(line.needed > 8);
  CHECK(line.needed < 2000);
}

TEST_CASE("from four runs on, what changes from run to run is told apart") {
  // Each run is off by 1 % as a whole: seventy-two devices agree on it, and prove nothing.
  const auto runs = [](std::uint32_t first, std::uint32_t count) {
    std::vector<Sample> samples;
    for (std::uint32_t run = first; run < first + count; ++run) {
      Sample sample = sample_of(Fleet{.quantities = 1}, run);
      const double off = 1 + 0.01 * (static_cast<double>(run * 37 % 11) / 5 - 1);
      for (auto& [key, numbers] : sample.numbers) {
        for (auto& [subject, number] : numbers.of) number *= off;
      }
      samples.push_back(std::move(sample));
    }
    return samples;
  };
  const Comparison pair = compare(runs(3, 1), runs(6, 1), {.margin = 0.001});
  CHECK(differs(pair));
  CHECK(pair.notes.back().find("run-to-run") != std::string::npos);
  for (const std::uint32_t count : {2U, 3U, 7U}) {
    const Comparison few = compare(runs(0, count), runs(11, count), {.margin = 0.001});
    CHECK(few.lines.at(0).unit == Unit::kRuns);
    CHECK(few.lines.at(0).count_a == count);
    CHECK_FALSE(differs(few));
  }
  const Comparison one_and_five = compare(runs(0, 5), runs(14, 1), {.margin = 0.001});
  CHECK_FALSE(differs(one_and_five));
  const Comparison many = compare(runs(0, 11), runs(11, 11), {.margin = 0.001});
  CHECK(many.lines.at(0).unit == Unit::kRuns);
  CHECK(many.lines.at(0).count_a == 11);
  CHECK_FALSE(differs(many));
  CHECK(many.notes.empty());
}

TEST_CASE("a subject that has lost its number is counted, and another fleet has lost nothing") {
  const Sample before = sample_of(Fleet{.devices = 10, .quantities = 1}, 1);
  Sample after = sample_of(Fleet{.devices = 10, .quantities = 1}, 2);
  CHECK(compare({before}, {after}, {}).lines.at(0).lost == 0);
  after.numbers.begin()->second.of.erase("node1/GPU3");
  CHECK(compare({before}, {after}, {}).lines.at(0).lost == 1);
  const Sample others = sample_of(Fleet{.devices = 10, .quantities = 1, .name = "OTHER"}, 3);
  CHECK(compare({before}, {others}, {}).lines.at(0).lost == 0);
}

TEST_CASE("what is only in one side is told") {
  Sample before = sample_of(Fleet{.devices = 10}, 1);
  Sample after = sample_of(Fleet{.devices = 8}, 2);
  after.numbers.erase(after.numbers.begin());
  after.suite = "nightly";
  after.without_number = 3;
  const Comparison result = compare({before}, {after}, {});
  REQUIRE(result.only_a.size() == 1);
  CHECK(result.only_a[0].metric == "gemm.rate0");
  CHECK(result.only_b.empty());
  CHECK(result.subjects_only_a == 2);
  CHECK(result.subjects_only_b == 0);
  CHECK(result.lines.size() == 7);
  CHECK(result.notes.at(0).find("different suites") != std::string::npos);
  CHECK(result.notes.at(1).find("3 cells have no number") != std::string::npos);
  CHECK(compare({before}, {Sample()}, {}).lines.empty());
}

TEST_CASE("a loss is found between few runs on each side") {
  std::vector<Sample> a;
  std::vector<Sample> b;
  for (std::uint32_t run = 0; run < 3; ++run) {
    a.push_back(sample_of(Fleet{.quantities = 2}, run));
    b.push_back(sample_of(Fleet{.quantities = 2, .factor = 0.95, .changed = 72}, 10 + run));
  }
  const Comparison result = compare(a, b, {});
  CHECK(result.lines.front().answer == Answer::kWorse);
  CHECK(result.lines.front().count_b == 3);
}

TEST_CASE("equal numbers are never better, however coarse they are") {
  const auto coarse = [](std::uint32_t run, bool paired) {
    Sample sample =
        sample_of(Fleet{.quantities = 1, .name = paired ? "GPU" : "G" + std::to_string(run)}, run);
    std::size_t i = run;
    for (auto& [key, numbers] : sample.numbers) {
      for (auto& [subject, number] : numbers.of) number = 1e-6 * static_cast<double>(100 + i++ % 3);
    }
    return sample;
  };
  for (const bool paired : {true, false}) {
    for (std::uint32_t run = 1; run < 20; ++run) {
      const Line line =
          compare({coarse(0, paired)}, {coarse(3 * run, paired)}, {.margin = 1e-4}).lines.at(0);
      CHECK(line.answer != Answer::kBetter);
      CHECK(line.answer != Answer::kWorse);
      if (line.low) CHECK(*line.low <= 0);
      if (line.high) CHECK(*line.high >= 0);
    }
  }
}

TEST_CASE("cells that were kept from a run that was amended are said to be left out") {
  const Sample before = sample_of(Fleet{}, 1);
  Sample after = sample_of(Fleet{}, 2);
  const auto says = [](const Comparison& result) {
    return std::ranges::any_of(result.notes, [](const std::string& note) {
      return note.starts_with("7 cells were kept from a run that was amended");
    });
  };
  CHECK_FALSE(says(compare({before}, {after}, {})));
  after.measured_before = 7;
  CHECK(says(compare({before}, {after}, {})));
}

TEST_CASE("two platforms that are compared are said first") {
  Sample before = sample_of(Fleet{}, 1);
  Sample after = sample_of(Fleet{}, 2);
  for (auto& [subject, facts] : before.facts_of) facts[kPlatformFact] = "dgx-h100";
  for (auto& [subject, facts] : after.facts_of) facts[kPlatformFact] = "dgx-a100-80gb";
  after.without_number = 4;
  const Comparison result = compare({before}, {after}, {});
  CHECK(result.platforms ==
        "the two sides are of different platforms: A is dgx-h100, B is dgx-a100-80gb");
  CHECK(compare({before}, {before}, {}).platforms.empty());
}

}  // namespace rackproof::compare
