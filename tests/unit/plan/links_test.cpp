#include "harness/plan/links.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "contract/tournament.hpp"

namespace contract = rackproof::contract;
namespace model = rackproof::model;
namespace plan = rackproof::plan;

namespace {

std::vector<plan::End> ends_of_hosts(int hosts) {
  std::vector<plan::End> ends;
  for (int i = 0; i < hosts; ++i) ends.push_back({"n" + std::to_string(i), "rank 0"});
  return ends;
}

std::vector<std::string> labels_of(const std::vector<model::Subject>& links) {
  std::vector<std::string> labels;
  for (const auto& link : links) labels.push_back(model::label(link));
  return labels;
}

std::string label_of_pair(int low, int high) {
  return "n" + std::to_string(low) + "/rank 0 - n" + std::to_string(high) + "/rank 0";
}

}  // namespace

TEST_CASE("links of rounds are the pairs that the bench will play, one round after the other") {
  const contract::Tournament draw(8, 3, contract::kUsualDraw);
  std::vector<std::string> expected;
  for (int round = 0; round < 3; ++round) {
    for (const auto& [low, high] : draw.pairs(round)) {
      expected.push_back(label_of_pair(low, high));
    }
  }
  CHECK(expected.size() == 12);
  CHECK(labels_of(plan::links_among(ends_of_hosts(8), 3, false)) == expected);
  const auto ways = labels_of(plan::links_among(ends_of_hosts(8), 3, true));
  CHECK(ways.size() == 24);
  CHECK(ways[0] == expected[0]);
}

TEST_CASE("more rounds than there are, and none, are every two once") {
  auto some = labels_of(plan::links_among(ends_of_hosts(6), 100, false));
  auto all = labels_of(plan::links_among(ends_of_hosts(6), 0, false));
  CHECK(all.size() == 15);
  CHECK(all[0] == label_of_pair(0, 1));
  std::sort(some.begin(), some.end());
  std::sort(all.begin(), all.end());
  CHECK(some == all);
}
