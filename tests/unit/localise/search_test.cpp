#include "harness/localise/search.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/campaign/played_pairs.hpp"

using namespace rackproof;
using localise::Factor;
using localise::Network;
using localise::Search;

TEST_CASE("of an even number of values the milder middle counts") {
  CHECK(localise::milder_middle({}) == 0);
  CHECK(localise::milder_middle({-3}) == -3);
  CHECK(localise::milder_middle({-3, -1}) == -1);
  CHECK(localise::milder_middle({-3, -2, -1}) == -2);
  CHECK(localise::milder_middle({-4, -3, -2, -1}) == -2);
}

TEST_CASE("who is accused explains its links, and is acquitted without a trace") {
  campaign::Shape shape;
  shape.hosts = 40;
  const auto members = campaign::members_of(shape);
  campaign::Fabric fabric(members, {{{Factor::kHost, "h0003"}, 0.2}}, 0.01, 2);
  const Network network(members, fabric.play(9), true);
  Search search(network, localise::fit(network));
  std::size_t host = 0;
  for (std::size_t c = 0; c < network.candidates().size(); ++c) {
    if (network.candidates()[c].members == std::vector<std::uint32_t>{3}) host = c;
  }
  const Search::Shown before = search.shown(host);
  CHECK(before.effect == Approx(std::log(0.8)).margin(0.02));
  CHECK(before.reduction > 1);
  const double left = search.left(network.candidates()[host].evidence.front());
  search.accuse({host});
  CHECK(search.is_accused(host));
  // It is seen as if it were not accused.
  CHECK(search.shown(host).effect == Approx(before.effect).margin(0.01));
  for (const std::uint32_t l : network.candidates()[host].evidence) {
    CHECK(std::abs(search.left(l)) < 0.06);
  }
  search.acquit(host);
  CHECK_FALSE(search.is_accused(host));
  CHECK(search.left(network.candidates()[host].evidence.front()) == Approx(left));
  CHECK(search.accused().empty());
}
