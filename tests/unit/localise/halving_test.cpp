#include "harness/localise/halving.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <set>
#include <stdexcept>

using namespace rackproof;
using localise::Halving;
using localise::Pace;

namespace {

Halving::Group all_of(std::size_t parts) {
  Halving::Group group(parts);
  std::iota(group.begin(), group.end(), std::size_t{0});
  return group;
}

/// Runs it to its end, with groups that fail when one of their parts is bad.
void halve(Halving& halving, const std::set<std::size_t>& bad) {
  for (auto groups = halving.next(); !groups.empty(); groups = halving.next()) {
    std::vector<bool> failed;
    std::set<std::size_t> busy;
    std::size_t parts = 0;
    for (const auto& group : groups) {
      parts += group.size();
      busy.insert(group.begin(), group.end());
      failed.push_back(std::any_of(group.begin(), group.end(),
                                   [&](std::size_t part) { return bad.contains(part); }));
    }
    if (busy.size() != parts) FAIL("groups of one round have a part in common");
    halving.tell(failed);
  }
}

std::set<std::size_t> found_of(const Halving& halving) {
  return {halving.found().begin(), halving.found().end()};
}

}  // namespace

TEST_CASE("one bad node of 232 takes at most eight groups, and one more to clear the rest") {
  for (std::size_t bad = 0; bad < 232; ++bad) {
    Halving known(all_of(232), Pace::kFewestGroups, 1);
    halve(known, {bad});
    REQUIRE(found_of(known) == std::set<std::size_t>{bad});
    REQUIRE(known.groups() <= 8);
    Halving unknown(all_of(232), Pace::kFewestGroups);
    halve(unknown, {bad});
    REQUIRE(found_of(unknown) == std::set<std::size_t>{bad});
    REQUIRE(unknown.groups() <= 9);
  }
}

TEST_CASE("two bad nodes of 232 take at most sixteen groups, whichever they are") {
  std::size_t most = 0;
  std::size_t most_unknown = 0;
  for (std::size_t one = 0; one < 232; ++one) {
    for (std::size_t other = one + 1; other < 232; ++other) {
      Halving known(all_of(232), Pace::kFewestGroups, 2);
      halve(known, {one, other});
      if (found_of(known) != std::set<std::size_t>{one, other}) FAIL(one << " " << other);
      most = std::max(most, known.groups());
      Halving unknown(all_of(232), Pace::kFewestGroups);
      halve(unknown, {one, other});
      if (found_of(unknown) != std::set<std::size_t>{one, other}) FAIL(one << " " << other);
      most_unknown = std::max(most_unknown, unknown.groups());
    }
  }
  CHECK(most <= 16);
  CHECK(most_unknown <= 18);
}

TEST_CASE("both halves at once find any bad ones in as many rounds as halvings") {
  for (const std::set<std::size_t>& bad : std::vector<std::set<std::size_t>>{
           {0}, {231}, {0, 231}, {5, 6}, {0, 1, 2, 3}, {17, 80, 99, 200, 201}}) {
    Halving halving(all_of(232), Pace::kFewestRounds);
    halve(halving, bad);
    CHECK(found_of(halving) == bad);
    CHECK(halving.rounds() <= 8);
    CHECK(halving.together().empty());
  }
}

TEST_CASE("what fails only together is told as a group and accuses nobody") {
  Halving halving(all_of(64), Pace::kFewestRounds);
  for (auto groups = halving.next(); !groups.empty(); groups = halving.next()) {
    std::vector<bool> failed;
    for (const auto& group : groups) failed.push_back(group.size() >= 16);
    halving.tell(failed);
  }
  CHECK(halving.found().empty());
  REQUIRE(halving.together().size() == 4);
  for (const auto& group : halving.together()) CHECK(group.size() == 16);
}

TEST_CASE("every part may be bad") {
  for (const Pace pace : {Pace::kFewestGroups, Pace::kFewestRounds}) {
    const auto everybody = all_of(13);
    Halving halving(everybody, pace);
    halve(halving, {everybody.begin(), everybody.end()});
    CHECK(found_of(halving).size() == 13);
    CHECK(halving.done());
  }
}

TEST_CASE("a group without halves and results of other groups are errors") {
  CHECK_THROWS_AS(Halving({4}, Pace::kFewestGroups), std::invalid_argument);
  Halving halving(all_of(4), Pace::kFewestGroups);
  CHECK_THROWS_AS(halving.tell({true, false}), std::invalid_argument);
  halve(halving, {3});
  CHECK_THROWS_AS(halving.tell({}), std::invalid_argument);
}
