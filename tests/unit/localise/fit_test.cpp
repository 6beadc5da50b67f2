#include "harness/localise/fit.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/campaign/played_pairs.hpp"

using namespace rackproof;
using localise::Factor;
using localise::Network;

namespace {

std::size_t place_of(const Network& network, const localise::Part& part) {
  for (std::size_t c = 0; c < network.candidates().size(); ++c) {
    for (const auto& one : network.candidates()[c].parts) {
      if (one == part) return c;
    }
  }
  FAIL("no such part");
  return 0;
}

campaign::Shape forty_hosts() {
  campaign::Shape shape;
  shape.hosts = 40;
  shape.gpus = 4;
  shape.hosts_of_pod = 10;
  return shape;
}

}  // namespace

TEST_CASE("without noise the fit gives back what was planted, to a host and to a leaf") {
  const auto members = campaign::members_of(forty_hosts());
  campaign::Fabric fabric(
      members, {{{Factor::kHost, "h0007"}, 0.10}, {{Factor::kLeaf, "p002l1"}, 0.20}}, 1e-6, 3);
  const Network network(members, fabric.play(15), true);
  const localise::Fit fit = localise::fit(network);
  CHECK(fit.effect[place_of(network, {Factor::kHost, "h0007"})] ==
        Approx(std::log(0.9)).margin(1e-3));
  CHECK(fit.effect[place_of(network, {Factor::kLeaf, "p002l1"})] ==
        Approx(std::log(0.8)).margin(1e-3));
  CHECK(fit.effect[place_of(network, {Factor::kHost, "h0008"})] == Approx(0).margin(1e-3));
  CHECK(fit.of_member[7 * 4 + 2] == Approx(std::log(0.9)).margin(2e-3));
}

TEST_CASE("the sum of all sizes never ends above where it began, and sweeps end") {
  const auto members = campaign::members_of(forty_hosts());
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    campaign::Fabric fabric(members, {}, 0.03, seed);
    const Network network(members, fabric.play(3), true);
    const localise::Fit fit = localise::fit(network);
    double sum = 0;
    for (std::size_t kind = 0; kind < network.kinds(); ++kind) {
      for (const std::uint32_t l : network.links_of_kind(kind)) {
        sum += std::abs(network.links()[l].log - fit.level[kind]);
      }
    }
    CHECK(fit.sum <= sum);
    CHECK(fit.sweeps <= 50);
  }
}

TEST_CASE("spread and errors of effects are those of the noise") {
  const auto members = campaign::members_of(forty_hosts());
  campaign::Fabric fabric(members, {}, 0.02, 11);
  const Network network(members, fabric.play(31), true);
  const localise::Fit fit = localise::fit(network);
  CHECK(fit.spread == Approx(0.02).epsilon(0.1));
  double squares = 0;
  double expected = 0;
  std::size_t parts = 0;
  for (std::size_t c = 0; c < network.candidates().size(); ++c) {
    if (network.candidates()[c].parts.front().factor != Factor::kTray) continue;
    squares += fit.effect[c] * fit.effect[c];
    expected += fit.error[c] * fit.error[c];
    ++parts;
  }
  REQUIRE(parts == 40);
  CHECK(std::sqrt(squares / expected) > 0.6);
  CHECK(std::sqrt(squares / expected) < 1.5);
}

TEST_CASE("half of the values of a part may be wild") {
  const auto members = campaign::members_of(forty_hosts());
  campaign::Fabric fabric(members, {}, 0.01, 5);
  auto measured = fabric.play(15);
  int wild = 0;
  for (auto& one : measured) {
    if ((one.low == 0 || one.high == 0) && wild++ < 6) one.value /= 10;
  }
  REQUIRE(wild > 6);
  const Network network(members, measured, true);
  const localise::Fit fit = localise::fit(network);
  CHECK(std::abs(fit.effect[place_of(network, {Factor::kGpu, "h0000 GPU0"})]) < 0.05);
}

TEST_CASE("the level of members is told only with cycles of odd length") {
  campaign::Shape shape;
  shape.hosts = 40;
  const auto members = campaign::members_of(shape);
  campaign::Fabric fabric(members, {}, 0.01, 5);
  const localise::Fit two = localise::fit(Network(members, fabric.play(2), true));
  CHECK(two.told == std::vector<bool>(40, false));
  const localise::Fit six = localise::fit(Network(members, fabric.play(6), true));
  CHECK(six.told == std::vector<bool>(40, true));
}

TEST_CASE("nothing measured is a fit that says nothing") {
  const auto members = campaign::members_of(forty_hosts());
  const localise::Fit fit = localise::fit(Network(members, {}, true));
  CHECK(fit.residual.empty());
  CHECK(fit.of_member == std::vector<double>(160, 0));
}
