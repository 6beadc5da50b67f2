#include "harness/localise/confirm.hpp"

#include <catch2/catch.hpp>
#include <optional>

#include "contract/tournament.hpp"
#include "tests/campaign/played_pairs.hpp"

using namespace rackproof;
using campaign::Planted;
using localise::Factor;
using localise::Fate;
using localise::Later;
using localise::Network;

namespace {

/// Accused by what a fabric gave first, and measured again on one that may be another.
struct Retried {
  Retried(const std::vector<Planted>& before, const std::vector<Planted>& after,
          double margin = 0.05) {
    campaign::Shape shape;
    shape.hosts = 24;
    shape.gpus = 2;
    shape.hosts_of_pod = 6;
    members = campaign::members_of(shape);
    campaign::Fabric first(members, before, 0.01, 1);
    const Network network(members, first.play(15), true);
    accusations = localise::accuse(network, localise::fit(network), {});
    campaign::Fabric later(members, after, 0.01, 2);
    for (const localise::Link& link : network.links()) {
      values.emplace_back(later.measure(link.low, link.high));
    }
    const localise::Confirmation confirmation(network, values, {}, margin);
    for (const auto& one : accusations.accused) said.push_back(confirmation.of(one));
    // One of its links was not measured again.
    if (accusations.accused.empty()) return;
    values[accusations.accused[0].links[0]].reset();
    CHECK_FALSE(localise::Confirmation(network, values, {}, margin).of(accusations.accused[0]));
    values.assign(values.size(), std::nullopt);
    CHECK_FALSE(localise::Confirmation(network, values, {}, margin).of(accusations.accused[0]));
  }

  std::vector<localise::Member> members;
  localise::Accusations accusations;
  std::vector<std::optional<double>> values;
  std::vector<std::optional<Later>> said;
};

Planted slow_host() { return {{Factor::kHost, "h0005"}, 0.15}; }

Planted slow_link() {
  const auto [low, high] = contract::Tournament(48, 15, 1).pairs(3)[5];
  Planted link{{Factor::kLink, ""}, 0.3};
  link.link = {static_cast<std::size_t>(low), static_cast<std::size_t>(high)};
  return link;
}

}  // namespace

TEST_CASE("a part that is still slow is confirmed") {
  const Retried retried({slow_host()}, {slow_host()});
  REQUIRE(retried.said.size() == 1);
  REQUIRE(retried.said[0]);
  CHECK(retried.said[0]->fate == Fate::kConfirmed);
  CHECK(retried.said[0]->deficit == Approx(0.15).margin(0.01));
}

TEST_CASE("a deficit that the margin allows is no fault") {
  const Retried retried({slow_host()}, {slow_host()}, 0.2);
  REQUIRE(retried.said.size() == 1);
  REQUIRE(retried.said[0]);
  CHECK(retried.said[0]->fate == Fate::kInMargin);
  CHECK(retried.said[0]->deficit == Approx(0.15).margin(0.01));
}

TEST_CASE("what was slow once is cleared, though another is slow by then") {
  for (const std::vector<Planted>& after :
       {std::vector<Planted>{}, {{{Factor::kHost, "h0011"}, 0.15}}}) {
    const Retried retried({slow_host()}, after);
    REQUIRE(retried.said.size() == 1);
    REQUIRE(retried.said[0]);
    CHECK(retried.said[0]->fate == Fate::kCleared);
  }
}

TEST_CASE("a link that alone is slow is confirmed, and one whose end is slow is not the link") {
  const Retried link({slow_link()}, {slow_link()});
  REQUIRE(link.said.size() == 1);
  REQUIRE(link.said[0]);
  CHECK(link.said[0]->fate == Fate::kConfirmed);
  const Planted gpu{{Factor::kGpu, link.members[slow_link().link.first][Factor::kGpu]}, 0.3};
  const Retried end({slow_link()}, {gpu});
  REQUIRE(end.said.size() == 1);
  REQUIRE(end.said[0]);
  CHECK(end.said[0]->fate == Fate::kCleared);
}

TEST_CASE("nobody is cleared by values that could not accuse") {
  Retried retried({slow_host()}, {});
  campaign::Fabric fabric(retried.members, {slow_host()}, 0.01, 1);
  const Network network(retried.members, fabric.play(15), true);
  const localise::Accused& accused = retried.accusations.accused.at(0);
  // Its own links alone: all that they could be compared with goes over it as well.
  std::vector<std::optional<double>> later(network.links().size());
  for (const std::uint32_t link : accused.links) later[link] = 100;
  REQUIRE(accused.links.size() >= Network::kLeastAlike);
  CHECK_FALSE(localise::Confirmation(network, later, {}, 0.05).of(accused));
}

TEST_CASE("nobody accused is nothing to confirm") { CHECK(Retried({}, {}).said.empty()); }
