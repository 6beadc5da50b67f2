#include "harness/stats/peer_sets.hpp"

#include <catch2/catch.hpp>
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
