#include "benches/steps/links.hpp"

#include <catch2/catch.hpp>

namespace rackproof::steps {
namespace {

// A ring of four hosts.
std::vector<Link> ring(double usual) {
  std::vector<Link> links;
  for (int rank = 0; rank < 4; ++rank) links.push_back({rank, (rank + 1) % 4, false, usual});
  return links;
}

}  // namespace

TEST_CASE("links that are alike accuse nobody, however slow they are") {
  CHECK_FALSE(slow_link(ring(1)));
  std::vector<Link> links = ring(0.01);
  links[2].seconds = 0.019;
  CHECK_FALSE(slow_link(links));
}

TEST_CASE("a slow link is named by its ends, with how much longer it takes") {
  std::vector<Link> links = ring(0.002);
  links[3].seconds = 0.02;
  const auto slow = slow_link(links);
  REQUIRE(slow);
  CHECK(slow->ranks == std::vector<int>{3, 0});
  CHECK(slow->times == Approx(10));
  CHECK(
      text_of(*slow, 0.05, 0.4) ==
      "slow link: a message between ranks 3 and 0 takes 20.00 ms, 10.0 times what the other links "
      "take; ranks wait 50.0 ms of a step (40 %) for messages");
}

TEST_CASE("a rank all of whose links are slow is named, and not its neighbours") {
  for (int rank = 0; rank < 4; ++rank) {
    std::vector<Link> links = ring(0.002);
    links[static_cast<std::size_t>(rank)].seconds = 0.02;
    links[static_cast<std::size_t>((rank + 3) % 4)].seconds = 0.021;
    const auto slow = slow_link(links);
    REQUIRE(slow);
    CHECK(slow->ranks == std::vector<int>{rank});
    CHECK_THAT(text_of(*slow, 0.05, 0.4), Catch::StartsWith("slow link: messages of rank " +
                                                            std::to_string(rank) + " take 21.00"));
  }
}

TEST_CASE("links within hosts are no measure for those between them") {
  std::vector<Link> links = ring(0.0001);
  for (Link& link : links) link.within_host = true;
  links[1] = {1, 2, false, 0.002};
  links[3] = {3, 0, false, 0.009};
  // Two between hosts: which of them is as it should be nobody knows.
  CHECK_FALSE(slow_link(links));
  CHECK_FALSE(slow_link({{0, 1, false, 1}}));
  CHECK_FALSE(slow_link({}));
}

}  // namespace rackproof::steps
