#include "harness/localise/confirm.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>

#include "contract/tournament.hpp"
#include "tests/campaign/played_pairs.hpp"

using namespace rackproof;
using campaign::Planted;
using localise::Confirmed;
using localise::Factor;
using localise::Fate;
using localise::Network;
using localise::Part;
using localise::Retest;
using localise::Taken;

namespace {

/// Accused by what a fabric gave first, and measured again on one that may be another.
struct Retried {
  Retried(const std::vector<Planted>& before, const std::vector<Planted>& after,
          std::size_t times = 4) {
    campaign::Shape shape;
    shape.hosts = 24;
    shape.gpus = 2;
    shape.hosts_of_pod = 6;
    members = campaign::members_of(shape);
    campaign::Fabric first(members, before, 0.01, 1);
    const Network network(members, first.play(15), true);
    const localise::Fit fit = localise::fit(network);
    accusations = localise::accuse(network, fit, {});
    retests = localise::retests_of(network, fit, accusations);
    campaign::Fabric later(members, after, 0.01, 2);
    const auto again = [&](const auto& pair) {
      std::vector<double> values;
      for (std::size_t i = 0; i < times; ++i) {
        values.push_back(later.measure(pair.first, pair.second));
      }
      return values;
    };
    for (const Retest& retest : retests) {
      Taken one;
      for (const auto& pair : retest.pairs) one.pairs.push_back(again(pair));
      if (retest.link) one.link = again(*retest.link);
      one.control = again(retest.control);
      taken.push_back(std::move(one));
    }
    confirmed = localise::confirm(retests, taken, true, 0.03, 0.05);
  }

  std::vector<localise::Member> members;
  localise::Accusations accusations;
  std::vector<Retest> retests;
  std::vector<Taken> taken;
  std::vector<Confirmed> confirmed;
};

Planted slow_host() { return {{Factor::kHost, "h0005"}, 0.15}; }

Planted slow_link() {
  const auto [low, high] = contract::Tournament(48, 15, 1).pairs(3)[5];
  Planted link{{Factor::kLink, ""}, 0.3};
  link.link = {static_cast<std::size_t>(low), static_cast<std::size_t>(high)};
  return link;
}

}  // namespace

TEST_CASE("a part that is still slow with others is confirmed") {
  const Retried retried({slow_host()}, {slow_host()});
  REQUIRE(retried.confirmed.size() == 1);
  CHECK(retried.confirmed[0].fate == Fate::kConfirmed);
  CHECK(retried.confirmed[0].deficit == Approx(0.15).margin(0.02));
  CHECK(retried.confirmed[0].p < 0.01);
  // Both ends of the host, with members of other hosts, which meet each other too.
  const Retest& retest = retried.retests[0];
  REQUIRE(retest.pairs.size() == 2);
  CHECK(retest.pairs[0].first != retest.pairs[1].first);
  for (const auto& [own, other] : retest.pairs) {
    CHECK(own / 2 == 5);
    CHECK(other / 2 != 5);
  }
  CHECK(retest.control.first / 2 != retest.control.second / 2);
}

TEST_CASE("what was slow once is cleared") {
  const Retried retried({slow_host()}, {});
  REQUIRE(retried.confirmed.size() == 1);
  CHECK(retried.confirmed[0].fate == Fate::kCleared);
}

TEST_CASE("a link that alone is slow is confirmed, and one whose end is slow is not the link") {
  const Retried link({slow_link()}, {slow_link()});
  REQUIRE(link.confirmed.size() == 1);
  CHECK(link.confirmed[0].fate == Fate::kConfirmed);
  const Retried end({slow_link()}, {{{Factor::kGpu, ""}, 0.3}});
  REQUIRE(end.confirmed.size() == 1);
  CHECK(end.confirmed[0].fate == Fate::kCleared);
  Planted gpu{{Factor::kGpu, end.members[slow_link().link.first][Factor::kGpu]}, 0.3};
  const Retried both({slow_link()}, {gpu});
  REQUIRE(both.confirmed.size() == 1);
  CHECK(both.confirmed[0].fate == Fate::kAnEnd);
}

TEST_CASE("too few later values leave it open") {
  const Retried retried({slow_host()}, {slow_host()}, 1);
  REQUIRE(retried.confirmed.size() == 1);
  CHECK(retried.confirmed[0].fate == Fate::kOpen);
}

TEST_CASE("nobody accused is nothing to confirm") {
  const Retried retried({}, {});
  CHECK(retried.retests.empty());
  CHECK(retried.confirmed.empty());
  CHECK_THROWS_AS(localise::confirm({Retest{}}, {}, true, 0.03, 0.05), std::invalid_argument);
}

TEST_CASE("where every like link goes over the accused there is nothing to measure it against") {
  // Of two rails each link between them goes over the slow one.
  campaign::Shape shape;
  shape.hosts = 24;
  shape.gpus = 2;
  shape.hosts_of_pod = 6;
  const auto members = campaign::members_of(shape);
  campaign::Fabric fabric(members, {{{Factor::kRail, "1"}, 0.2}}, 0.01, 1);
  const Network network(members, fabric.play(15), true);
  const localise::Fit fit = localise::fit(network);
  const auto found = localise::accuse(network, fit, {});
  REQUIRE(found.accused.size() == 1);
  CHECK(localise::retests_of(network, fit, found).empty());
}
