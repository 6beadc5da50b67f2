#include "harness/budget/choose.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <numeric>
#include <random>

namespace rackproof::budget {
namespace {

struct Instance {
  Faults faults;
  std::vector<Option> options;
  double seconds = 0;
};

/// Few steps of few programs, as suites have them, or none alike.
Instance drawn(std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto between = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  const auto up_to = [&](std::size_t most) { return 1 + random() % most; };
  Instance drawn;
  drawn.faults.again = between(0, 1);
  const std::size_t kinds = up_to(8);
  const std::size_t programs = up_to(10);
  for (std::size_t i = 0; i < kinds; ++i) drawn.faults.expected.push_back(between(0, 1));
  const std::size_t options = up_to(12);
  double all = 0;
  for (std::size_t i = 0; i < options; ++i) {
    Option option{between(1, 100), {}, random() % programs};
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      option.chances.push_back(random() % 3 == 0 ? between(0, 1) : 0);
    }
    all += option.seconds;
    drawn.options.push_back(std::move(option));
  }
  drawn.seconds = between(0, all);
  return drawn;
}

double seconds_of(const Instance& instance, const std::vector<std::size_t>& chosen) {
  double seconds = 0;
  for (const std::size_t i : chosen) seconds += instance.options[i].seconds;
  return seconds;
}

/// What is missed of one kind, as choose.hpp says it and not as it computes it.
double missed_plainly(const Instance& instance, std::size_t kind,
                      const std::vector<std::size_t>& chosen) {
  std::map<std::size_t, std::vector<double>> chances;
  for (const std::size_t i : chosen) {
    chances[instance.options[i].program].push_back(instance.options[i].chances[kind]);
  }
  double missed = instance.faults.expected[kind];
  for (auto& [program, of] : chances) {
    std::sort(of.rbegin(), of.rend());
    missed *= 1 - of.front();
    for (std::size_t i = 1; i < of.size(); ++i) missed *= 1 - instance.faults.again * of[i];
  }
  return missed;
}

double missed_plainly(const Instance& instance, const std::vector<std::size_t>& chosen) {
  double missed = 0;
  for (std::size_t kind = 0; kind < instance.faults.expected.size(); ++kind) {
    missed += missed_plainly(instance, kind, chosen);
  }
  return missed;
}

/// The least that any choice misses.
double best_of_all(const Instance& instance) {
  double best = missed_plainly(instance, {});
  for (std::size_t set = 0; set < (std::size_t{1} << instance.options.size()); ++set) {
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < instance.options.size(); ++i) {
      if ((set >> i & 1) != 0) chosen.push_back(i);
    }
    if (seconds_of(instance, chosen) > instance.seconds) continue;
    best = std::min(best, missed_plainly(instance, chosen));
  }
  return best;
}

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

TEST_CASE("what is missed does not depend on the order in which steps are given") {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    const Instance instance = drawn(seed);
    std::vector<std::size_t> all(instance.options.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    std::mt19937 random(seed);
    std::shuffle(all.begin(), all.end(), random);
    CHECK(missed(instance.faults, instance.options, all) ==
          Approx(missed_plainly(instance, all)).margin(1e-12));
  }
}

TEST_CASE("of 1,000 drawn instances each choice finds at least 0.95 of the best one") {
  double worst = 1;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    const Instance instance = drawn(seed);
    const Choice choice = choose(instance.faults, instance.options, {}, instance.seconds);
    const double all = sum(instance.faults.expected);
    const double best = best_of_all(instance);
    CHECK(choice.missed == Approx(missed_plainly(instance, choice.options)).margin(1e-12));
    CHECK(choice.seconds == Approx(seconds_of(instance, choice.options)));
    CHECK(choice.seconds <= instance.seconds + 1e-6);
    CHECK(std::is_sorted(choice.options.begin(), choice.options.end()));
    // The bound holds, and is one.
    CHECK(choice.fewest_missed <= best + 1e-9);
    CHECK(choice.fewest_missed <= choice.missed);
    if (all - best > 0) worst = std::min(worst, (all - choice.missed) / (all - best));
  }
  CHECK(worst >= 0.95);
}

TEST_CASE("the bound says more than that there is one") {
  double gap = 0;
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    const Instance instance = drawn(seed);
    const Choice choice = choose(instance.faults, instance.options, {}, instance.seconds);
    gap += (choice.missed - choice.fewest_missed) / sum(instance.faults.expected);
  }
  CHECK(gap / 300 < 0.1);
}

TEST_CASE("demanded steps are chosen first, and what they leave is given to the others") {
  const Faults faults{{1, 1}, 0.25};
  const std::vector<Option> options = {
      {50, {0.9, 0}, 0}, {50, {0, 0.1}, 1}, {10, {0.5, 0}, 2}, {60, {0.9, 0.9}, 3}};
  CHECK(choose(faults, options, {}, 60).options == std::vector<std::size_t>{3});
  CHECK(choose(faults, options, {1}, 60).options == std::vector<std::size_t>{1, 2});
  CHECK(choose(faults, options, {1, 1}, 60).options == std::vector<std::size_t>{1, 2});
  // They may take longer than there is time: that is for who demands them to know.
  CHECK(choose(faults, options, {0, 1}, 60).options == std::vector<std::size_t>{0, 1});
}

TEST_CASE("a second step of a program finds less than one of another program") {
  const Faults faults{{1}, 0.25};
  const std::vector<Option> options = {{10, {0.8}, 0}, {10, {0.8}, 0}, {10, {0.4}, 1}};
  CHECK(choose(faults, options, {}, 20).options == std::vector<std::size_t>{0, 2});
  CHECK(missed(faults, options, {0, 1}) == Approx(0.2 * 0.8));
  CHECK(missed({{1}, 1}, options, {0, 1}) == Approx(0.04));
  CHECK(missed({{1}, 0}, options, {0, 1}) == Approx(0.2));
}

TEST_CASE("what finds nothing is not chosen, and a sure step ends the search") {
  const Faults faults{{2}, 1};
  const std::vector<Option> options = {{0, {0}, 0}, {1, {1}, 1}, {1, {0.5}, 1}, {1, {1}, 1}};
  const Choice choice = choose(faults, options, {}, 10);
  CHECK(choice.options == std::vector<std::size_t>{1});
  CHECK(choice.missed == 0);
  CHECK(choice.fewest_missed == 0);
  CHECK(choose(faults, {}, {}, 10).missed == 2);
}

TEST_CASE("suites of many steps are planned too") {
  std::mt19937 random(7);
  Faults faults{std::vector<double>(20, 1.0), 0.5};
  for (const std::size_t count : {std::size_t{60}, std::size_t{200}}) {
    std::vector<Option> options;
    for (std::size_t i = 0; i < count; ++i) {
      Option option{static_cast<double>(1 + random() % 50), std::vector<double>(20, 0), i / 3};
      option.chances[random() % 20] = 0.5;
      options.push_back(std::move(option));
    }
    const Choice choice = choose(faults, options, {}, 300);
    CHECK(choice.seconds <= 300);
    CHECK(choice.missed < 20);
    CHECK(choice.missed - choice.fewest_missed < 3);
  }
}

}  // namespace
}  // namespace rackproof::budget
