#include "harness/stats/peer_sets.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <string>

namespace stats = rackproof::stats;

namespace {

/// Clusters by letters, strays as capitals.
stats::Clusters clusters_of(const std::string& letters) {
  stats::Clusters clusters;
  for (const char letter : letters) {
    const bool stray = letter < 'a';
    const auto cluster = static_cast<std::size_t>(letter - (stray ? 'A' : 'a'));
    clusters.of.push_back(cluster);
    clusters.stray.push_back(stray);
    if (clusters.sizes.size() <= cluster) clusters.sizes.resize(cluster + 1, 0);
    ++clusters.sizes[cluster];
  }
  return clusters;
}

/// Who is tested among whom: "0*1 2*".
std::vector<std::string> texts(const std::string& letters) {
  std::vector<std::string> all;
  for (const stats::PeerSet& set : stats::peer_sets(clusters_of(letters))) {
    std::string text = set.whole ? "all:" : "";
    for (std::size_t i = 0; i < set.members.size(); ++i) {
      if (set.tested[i]) text += " " + std::to_string(set.members[i]);
    }
    all.push_back(text);
  }
  return all;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("where there are no kinds all are compared with all") {
  CHECK(texts("aaaa") == Texts{"all: 0 1 2 3"});
  CHECK(texts("aaabb") == Texts{"all: 0 1 2 3 4"});
}

TEST_CASE("each kind is compared by itself") {
  CHECK(texts("abababab") == Texts{" 0 2 4 6", " 1 3 5 7"});
}

TEST_CASE("parts of no kind and strays are compared with all") {
  CHECK(texts("aaaaaabb") == Texts{" 0 1 2 3 4 5", "all: 6 7"});
  CHECK(texts("aaaAbbbb") == Texts{" 0 1 2 3", " 4 5 6 7", "all: 3"});
  // Three are compared with each other as well.
  CHECK(texts("aaaaabbb") == Texts{" 0 1 2 3 4", " 5 6 7", "all: 5 6 7"});
}

TEST_CASE("how kinds lie apart is told by their medians") {
  const stats::Clusters two = clusters_of("aaaabbbb");
  auto apart = stats::kinds_apart(two, {100, 101, 99, 100, 96, 95, 96, 97}, true, 0.03);
  REQUIRE(apart);
  CHECK(apart->gap == Approx(0.04));
  CHECK(apart->slower_centre == 96);
  CHECK(apart->faster_centre == 100);
  CHECK(apart->slower == std::vector<bool>{false, false, false, false, true, true, true, true});
  // Where less is better the others are slower.
  apart = stats::kinds_apart(two, {100, 101, 99, 100, 96, 95, 96, 97}, false, 0.03);
  REQUIRE(apart);
  CHECK(apart->gap == Approx(4.0 / 96));
  CHECK(apart->slower[0]);
}

TEST_CASE("of three kinds those behind the fastest are named, and small clusters count") {
  const std::vector<double> values = {100, 100, 100, 100, 96, 96, 96, 96, 92, 92, 92, 92};
  auto apart = stats::kinds_apart(clusters_of("aaaabbbbcccc"), values, true, 0.03);
  REQUIRE(apart);
  CHECK(apart->gap == Approx(0.08));
  CHECK(apart->slower[4]);
  CHECK(apart->slower[8]);
  apart = stats::kinds_apart(clusters_of("aaaabbbbcccc"), values, true, 0.05);
  CHECK_FALSE(apart->slower[4]);
  // Two of eight are held against the others, one is not.
  CHECK(stats::kinds_apart(clusters_of("aaaaaabb"), {9, 9, 9, 9, 9, 9, 8, 8}, true, 0.03));
  CHECK_FALSE(stats::kinds_apart(clusters_of("aaaaaaab"), {9, 9, 9, 9, 9, 9, 9, 8}, true, 0.03));
}

TEST_CASE("equal kinds and metrics of one kind lie not apart") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const stats::Clusters two = clusters_of("aaaabbbb");
  CHECK_FALSE(stats::kinds_apart(two, std::vector<double>(8, 5), true, 0.03));
  CHECK_FALSE(stats::kinds_apart(two, {1, 2, 3, 4, nan, nan, nan, nan}, true, 0.03));
  CHECK_FALSE(stats::kinds_apart(clusters_of("aaaa"), {1, 2, 3, 4}, true, 0.03));
}
