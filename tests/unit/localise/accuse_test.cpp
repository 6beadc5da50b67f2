#include "harness/localise/accuse.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "contract/tournament.hpp"
#include "tests/campaign/played_pairs.hpp"

using namespace rackproof;
using campaign::Planted;
using localise::Accusations;
using localise::Factor;
using localise::Network;
using localise::Part;

namespace {

campaign::Shape shape_of_accused() {
  campaign::Shape shape;
  shape.hosts = 24;
  shape.gpus = 4;
  shape.gpus_of_nic = 2;
  shape.hosts_of_tray = 2;
  shape.hosts_of_pod = 6;
  return shape;
}

Accusations accuse_played(const campaign::Shape& shape, const std::vector<Planted>& planted,
                          int rounds, double noise = 0.015, std::uint64_t seed = 1) {
  const auto members = campaign::members_of(shape);
  campaign::Fabric fabric(members, planted, noise, seed);
  const Network network(members, fabric.play(rounds), true);
  return localise::accuse(network, localise::fit(network), {});
}

bool names(const localise::Accused& accused, const Part& part) {
  return std::find(accused.parts().begin(), accused.parts().end(), part) != accused.parts().end();
}

}  // namespace

TEST_CASE("each kind of part is named as what it is, and nothing else is") {
  const auto shape = shape_of_accused();
  const Part part = GENERATE(Part{Factor::kHost, "h0005"}, Part{Factor::kGpu, "h0005 GPU2"},
                             Part{Factor::kNic, "h0005 mlx5_1"}, Part{Factor::kTray, "t0003"},
                             Part{Factor::kRail, "1"}, Part{Factor::kLeaf, "p001l0"});
  CAPTURE(part.name);
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    const Accusations found = accuse_played(shape, {{part, 0.15}}, 15, 0.015, seed);
    REQUIRE(found.accused.size() == 1);
    CHECK(found.accused[0].alternatives.size() == 1);
    CHECK(names(found.accused[0], part));
    CHECK(found.accused[0].parts().size() == 1);
    CHECK(found.accused[0].deficit == Approx(0.15).margin(0.03));
    CHECK(found.accused[0].slow * 10 >= found.accused[0].seen * 9);
  }
}

TEST_CASE("a leaf that half of all like links go over is named") {
  campaign::Shape shape;
  shape.hosts = 8;
  shape.hosts_of_pod = 2;
  shape.leaf_of_rail = false;
  int others = 0;
  for (const int rounds : {4, 5, 7}) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      CAPTURE(rounds, seed);
      const Accusations found =
          accuse_played(shape, {{{Factor::kLeaf, "p001"}, 0.5}}, rounds, 0.015, seed);
      REQUIRE_FALSE(found.accused.empty());
      CHECK(names(found.accused[0], {Factor::kLeaf, "p001"}));
      CHECK(found.accused[0].alternatives.size() == 1);
      others += found.accused.size() > 1 ? 1 : 0;
    }
  }
  // One in twenty, and three standard deviations of that.
  CHECK(others <= 8);
}

TEST_CASE("of few hosts at few leaves hardly any is accused without cause") {
  campaign::Shape shape;
  shape.hosts = 8;
  shape.hosts_of_pod = 2;
  shape.leaf_of_rail = false;
  int wrong = 0;
  constexpr int kTrials = 400;
  for (std::uint64_t seed = 1; seed <= kTrials; ++seed) {
    wrong += accuse_played(shape, {}, 5, 0.03, seed).accused.empty() ? 0 : 1;
  }
  // 0.05 of them, and three standard deviations of that.
  CHECK(wrong <= 33);
}

TEST_CASE("a link is accused when no part explains it") {
  const auto shape = shape_of_accused();
  const auto members = campaign::members_of(shape);
  const contract::Tournament draw(static_cast<int>(members.size()), 15, 1);
  const auto [low, high] = draw.pairs(4)[7];
  Planted link;
  link.part = {Factor::kLink, ""};
  link.deficit = 0.4;
  link.link = {static_cast<std::size_t>(low), static_cast<std::size_t>(high)};
  const Accusations found = accuse_played(shape, {link}, 15);
  REQUIRE(found.accused.size() == 1);
  CHECK(found.accused[0].link);
  CHECK(found.accused[0].members == std::vector<std::uint32_t>{static_cast<std::uint32_t>(low),
                                                               static_cast<std::uint32_t>(high)});
}

TEST_CASE("several at once are each named") {
  const auto shape = shape_of_accused();
  const std::vector<Planted> planted{{{Factor::kHost, "h0002"}, 0.2},
                                     {{Factor::kNic, "h0011 mlx5_0"}, 0.1},
                                     {{Factor::kLeaf, "p003l1"}, 0.3}};
  const Accusations found = accuse_played(shape, planted, 15);
  REQUIRE(found.accused.size() == 3);
  for (const Planted& one : planted) {
    CHECK(std::any_of(found.accused.begin(), found.accused.end(),
                      [&](const auto& accused) { return names(accused, one.part); }));
  }
}

TEST_CASE("healthy machines are accused in at most one of twenty runs, whatever their size") {
  for (const std::size_t hosts : {8U, 24U, 100U}) {
    campaign::Shape shape;
    shape.hosts = hosts;
    shape.hosts_of_pod = 4;
    int accused = 0;
    constexpr int kRuns = 200;
    for (std::uint64_t seed = 0; seed < kRuns; ++seed) {
      accused += accuse_played(shape, {}, 7, 0.02, seed).accused.empty() ? 0 : 1;
    }
    CAPTURE(hosts);
    // One in twenty of 200 gives more than this in one of a thousand such tests.
    CHECK(accused <= 21);
  }
}

TEST_CASE("who cannot be told from another is named with it and never alone") {
  campaign::Shape shape;
  shape.hosts = 32;
  shape.hosts_of_pod = 8;
  const Accusations found = accuse_played(shape, {{{Factor::kHost, "h0009"}, 0.3}}, 9);
  REQUIRE(found.accused.size() == 1);
  CHECK(localise::text_of(found.accused[0].parts()) ==
        "tray t0009 or host h0009 or nic h0009 mlx5_0");
}

TEST_CASE("of one round a slow pair accuses both its ends and the link, and none alone") {
  campaign::Shape shape;
  shape.hosts = 60;
  shape.hosts_of_pod = 60;
  const Accusations found = accuse_played(shape, {{{Factor::kHost, "h0009"}, 0.3}}, 1);
  REQUIRE(found.accused.size() == 1);
  CHECK(found.accused[0].link);
  std::vector<Part> all;
  for (const auto& parts : found.accused[0].alternatives) {
    all.insert(all.end(), parts.begin(), parts.end());
  }
  CHECK(std::find(all.begin(), all.end(), Part{Factor::kHost, "h0009"}) != all.end());
  CHECK(std::count_if(all.begin(), all.end(),
                      [](const Part& part) { return part.factor == Factor::kHost; }) == 2);
}

TEST_CASE("what everybody has in common accuses nobody") {
  campaign::Shape shape;
  shape.hosts = 32;
  shape.hosts_of_pod = 8;
  // The only rail: all links are slow alike.
  CHECK(accuse_played(shape, {{{Factor::kRail, "0"}, 0.5}}, 9).accused.empty());
}

TEST_CASE("deficits that cannot matter are left alone, however certain they are") {
  const auto shape = shape_of_accused();
  CHECK(accuse_played(shape, {{{Factor::kRail, "1"}, 0.01}}, 31, 0.005).accused.empty());
}

TEST_CASE("better and worse change sides with the unit") {
  const auto members = campaign::members_of(shape_of_accused());
  campaign::Fabric fabric(members, {{{Factor::kHost, "h0005"}, 0.15}}, 0.015, 1);
  auto measured = fabric.play(15);
  for (auto& one : measured) one.value = 1e-3 / one.value;
  const Network latency(members, measured, false);
  const Accusations found = localise::accuse(latency, localise::fit(latency), {});
  REQUIRE(found.accused.size() == 1);
  CHECK(names(found.accused[0], {Factor::kHost, "h0005"}));
  const Network turned(members, measured, true);
  CHECK(localise::accuse(turned, localise::fit(turned), {}).accused.empty());
}

TEST_CASE("the order of values, their unit and the numbers of members change no accusation") {
  const auto members = campaign::members_of(shape_of_accused());
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    campaign::Fabric fabric(members, {{{Factor::kNic, "h0005 mlx5_1"}, 0.1}}, 0.015, seed);
    const auto measured = fabric.play(9);
    const Network plain(members, measured, true);
    const auto first = localise::accuse(plain, localise::fit(plain), {});
    const std::size_t n = members.size();
    std::vector<localise::Member> turned_members(members.rbegin(), members.rend());
    std::vector<localise::Measured> turned;
    for (auto one = measured.rbegin(); one != measured.rend(); ++one) {
      turned.push_back({n - 1 - one->low, n - 1 - one->high, 1e9 * one->value});
    }
    const Network other(turned_members, turned, true);
    const auto second = localise::accuse(other, localise::fit(other), {});
    REQUIRE(first.accused.size() == second.accused.size());
    for (std::size_t i = 0; i < first.accused.size(); ++i) {
      CHECK(first.accused[i].parts() == second.accused[i].parts());
      CHECK(first.accused[i].deficit == Approx(second.accused[i].deficit).margin(0.003));
    }
  }
}

TEST_CASE("too few alike links accuse nobody") {
  campaign::Shape shape;
  shape.hosts = 4;
  CHECK(accuse_played(shape, {{{Factor::kHost, "h0001"}, 0.5}}, 3).accused.empty());
  CHECK(accuse_played(shape, {}, 0).accused.empty());
}
