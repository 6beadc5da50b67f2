#include "harness/localise/network.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <stdexcept>

#include "tests/campaign/played_pairs.hpp"

using namespace rackproof;
using localise::Factor;
using localise::Measured;
using localise::Member;
using localise::Network;

namespace {

Member of_host(const std::string& name) {
  Member member;
  member[Factor::kHost] = name;
  return member;
}

const localise::Candidate* candidate_of(const Network& network, const localise::Part& part) {
  for (const auto& candidate : network.candidates()) {
    for (const auto& one : candidate.parts) {
      if (one == part) return &candidate;
    }
  }
  return nullptr;
}

}  // namespace

TEST_CASE("parts that the same links go over are one candidate with all their names") {
  campaign::Shape shape;
  shape.hosts = 6;
  shape.hosts_of_pod = 2;
  const auto members = campaign::members_of(shape);
  campaign::Fabric fabric(members, {}, 0.01, 1);
  const Network network(members, fabric.play(5), true);
  const auto* host = candidate_of(network, {Factor::kHost, "h0002"});
  REQUIRE(host != nullptr);
  CHECK(host == candidate_of(network, {Factor::kNic, "h0002 mlx5_0"}));
  CHECK(host == candidate_of(network, {Factor::kTray, "t0002"}));
  CHECK(localise::text_of(host->parts) == "tray t0002 or host h0002 or nic h0002 mlx5_0");
  CHECK(host->members == std::vector<std::uint32_t>{2});
  CHECK(host->links.size() == 5);
  // A leaf of two hosts is neither of them; the only rail goes over everything.
  const auto* leaf = candidate_of(network, {Factor::kLeaf, "p001l0"});
  REQUIRE(leaf != nullptr);
  CHECK(leaf != host);
  CHECK(leaf->members.size() == 2);
  const auto* rail = candidate_of(network, {Factor::kRail, "0"});
  REQUIRE(rail != nullptr);
  CHECK(rail->evidence.empty());
}

TEST_CASE("of one round a host, its partner and their link are the same") {
  std::vector<Member> members;
  for (int i = 0; i < 20; ++i) members.push_back(of_host("h" + std::to_string(i)));
  std::vector<Measured> measured;
  for (std::size_t i = 0; i < 20; i += 2) measured.push_back({i, i + 1, 10});
  const Network network(members, measured, true);
  REQUIRE(network.candidates().size() == 10);
  CHECK(localise::text_of(network.candidates()[0].parts) == "host h0 or host h1");
}

TEST_CASE("links are alike that have the same in common, and few alike ones say nothing") {
  campaign::Shape shape;
  shape.hosts = 8;
  shape.gpus = 2;
  shape.hosts_of_pod = 4;
  const auto members = campaign::members_of(shape);
  campaign::Fabric fabric(members, {}, 0.01, 1);
  const Network network(members, fabric.play(15), true);
  std::size_t links = 0;
  for (std::size_t kind = 0; kind < network.kinds(); ++kind) {
    links += network.links_of_kind(kind).size();
  }
  CHECK(links == network.links().size());
  CHECK(network.kind_between(0, 1) != network.kind_between(0, 2));
  CHECK(network.kind_between(0, 3) == network.kind_between(1, 2));
  CHECK(network.kind_between(0, 1));
  const Network small({of_host("a"), of_host("b"), of_host("c")}, {{0, 1, 1}, {1, 2, 1}}, true);
  CHECK_FALSE(small.comparable(small.links().front()));
  for (const auto& candidate : small.candidates()) CHECK(candidate.evidence.empty());
}

TEST_CASE("links within a host go over no NIC, rail or leaf, and are of one kind") {
  campaign::Shape shape;
  shape.hosts = 8;
  shape.gpus = 4;
  shape.hosts_of_pod = 4;
  const auto members = campaign::members_of(shape);
  campaign::Fabric fabric(members, {}, 0.01, 1);
  const Network network(members, fabric.play(31), true);
  const auto* nic = candidate_of(network, {Factor::kNic, "h0002 mlx5_1"});
  const auto* gpu = candidate_of(network, {Factor::kGpu, "h0002 GPU1"});
  REQUIRE(nic != nullptr);
  REQUIRE(gpu != nullptr);
  CHECK(nic != gpu);
  CHECK(nic->links.size() == 28);
  CHECK(gpu->links.size() == 31);
  for (const char* leaf : {"p000l0", "p001l3"}) {
    for (const std::uint32_t l : candidate_of(network, {Factor::kLeaf, leaf})->links) {
      CHECK_FALSE(network.links()[l].inside);
    }
  }
  CHECK(network.kind_between(0, 1) == network.kind_between(0, 3));
  CHECK(network.kind_between(0, 1) == network.kind_between(4, 6));
}

TEST_CASE("hosts of one domain are to each other as the GPUs of a host, by another kind of link") {
  std::vector<Member> members;
  for (int i = 0; i < 4; ++i) {
    members.push_back(of_host("h" + std::to_string(i)));
    members.back()[Factor::kNic] = "h" + std::to_string(i) + " mlx5_0";
    members.back()[Factor::kLeaf] = "leaf" + std::to_string(i);
    members.back().domain = i < 2 ? "rack a" : "";
  }
  const Network network(members, {{0, 1, 1}, {0, 2, 1}, {2, 3, 1}}, true);
  CHECK(network.links()[0].inside);
  CHECK_FALSE(network.links()[1].inside);
  // No domain is no domain in common.
  CHECK_FALSE(network.links()[2].inside);
  CHECK(candidate_of(network, {Factor::kHost, "h0"})->links.size() == 2);
  CHECK(candidate_of(network, {Factor::kNic, "h0 mlx5_0"})->links.size() == 1);
  CHECK(candidate_of(network, {Factor::kNic, "h1 mlx5_0"}) == nullptr);
  CHECK(candidate_of(network, {Factor::kNic, "h3 mlx5_0"}) ==
        candidate_of(network, {Factor::kHost, "h3"}));
}

TEST_CASE("lower logarithms are worse, whatever the unit") {
  const std::vector<Member> members{of_host("a"), of_host("b"), of_host("c")};
  const Network latency(members, {{0, 1, 1e-6}, {1, 2, 2e-6}}, false);
  CHECK(latency.links()[0].log > latency.links()[1].log);
  CHECK(latency.value_of(latency.links()[1].log) == Approx(2e-6));
}

TEST_CASE("what cannot have been measured is an error") {
  const std::vector<Member> members{of_host("a"), of_host("b")};
  CHECK_THROWS_AS(Network({Member{}}, {}, true), std::invalid_argument);
  CHECK_THROWS_AS(Network(members, {{0, 0, 1}}, true), std::invalid_argument);
  CHECK_THROWS_AS(Network(members, {{0, 2, 1}}, true), std::invalid_argument);
  CHECK_THROWS_AS(Network(members, {{0, 1, 0}}, true), std::invalid_argument);
  CHECK_THROWS_AS(Network(members, {{0, 1, std::numeric_limits<double>::infinity()}}, true),
                  std::invalid_argument);
  CHECK_THROWS_AS(Network(members, {{0, 1, 1}, {1, 0, 1}}, true), std::invalid_argument);
  CHECK(Network(members, {}, true).candidates().empty());
}
