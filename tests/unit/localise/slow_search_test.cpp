#include "harness/localise/slow_search.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <set>

using rackproof::localise::SlowSearch;
using Group = SlowSearch::Group;

namespace {

std::vector<Group> rack(std::size_t hosts, std::size_t members) {
  std::vector<Group> all(hosts);
  for (std::size_t h = 0; h < hosts; ++h) {
    for (std::size_t m = 0; m < members; ++m) all[h].push_back(h * members + m);
  }
  return all;
}

/// How fast a group with these members is.
struct Played {
  std::set<std::size_t> slow;
  double deficit = 0.2;
  double noise = 0;
  std::mt19937_64 random{7};

  double speed(const Group& group) {
    const bool slowed = std::any_of(group.begin(), group.end(),
                                    [&](std::size_t member) { return slow.contains(member); });
    std::normal_distribution<double> around(1, noise);
    return (slowed ? 1 - deficit : 1) * (noise > 0 ? around(random) : 1);
  }
};

struct Found {
  Group suspects;
  double deficit = 0;
  int parts = 0;
};

// How many members there are on each host, of those that have any, least first.
std::vector<std::size_t> shape(const Group& group, std::size_t members) {
  std::map<std::size_t, std::size_t> on_host;
  for (const std::size_t member : group) ++on_host[member / members];
  std::vector<std::size_t> counts;
  for (const auto& [host, count] : on_host) counts.push_back(count);
  std::sort(counts.begin(), counts.end());
  return counts;
}

Found search(std::size_t hosts, std::size_t members, Played played, double margin = 0.05) {
  SlowSearch all(rack(hosts, members), margin);
  Found found;
  std::size_t size = 0;
  while (const auto sides = all.next()) {
    REQUIRE(found.parts < 100);
    // Two parts of one size and shape, nobody twice in one.
    REQUIRE(sides->one.size() == sides->other.size());
    REQUIRE_FALSE(sides->one.empty());
    if (size == 0) size = sides->one.size();
    CHECK(sides->one.size() == size);
    CHECK(shape(sides->one, members) == shape(sides->other, members));
    CHECK(std::set<std::size_t>(sides->one.begin(), sides->one.end()).size() == size);
    CHECK(std::set<std::size_t>(sides->other.begin(), sides->other.end()).size() == size);
    found.parts += 2;
    all.tell(played.speed(sides->one) / played.speed(sides->other));
  }
  found.suspects = all.suspects();
  found.deficit = all.deficit();
  return found;
}

}  // namespace

TEST_CASE("any one slow member of any rack is found") {
  for (const auto& [hosts, members] : std::vector<std::pair<std::size_t, std::size_t>>{{18, 4},
                                                                                       {4, 8},
                                                                                       {1, 8},
                                                                                       {1, 6},
                                                                                       {1, 7},
                                                                                       {2, 8},
                                                                                       {3, 8},
                                                                                       {5, 4},
                                                                                       {7, 1},
                                                                                       {9, 3},
                                                                                       {2, 1},
                                                                                       {1, 2},
                                                                                       {1, 4},
                                                                                       {6, 6}}) {
    for (std::size_t slow = 0; slow < hosts * members; ++slow) {
      INFO(hosts << " hosts of " << members << ", " << slow);
      const Found found = search(hosts, members, {{slow}});
      CHECK(found.suspects == Group{slow});
      CHECK(found.deficit == Approx(0.2));
      CHECK(found.parts <= 22);
    }
  }
}

TEST_CASE("a host whose members are slow only together is named as a host") {
  const Found found = search(4, 8, {{16, 17, 18, 19, 20, 21, 22, 23}});
  CHECK(found.suspects == Group{16, 17, 18, 19, 20, 21, 22, 23});
  CHECK(found.deficit == Approx(0.2));
}

TEST_CASE("a group that is slow as a whole accuses nobody") {
  CHECK(search(18, 4, {}).suspects.size() == 72);
  CHECK(search(18, 4, {}).parts == 2);
  CHECK(search(18, 4, {{}}).deficit == 0);
  // One slow member in each half: neither is slower than the other.
  CHECK(search(4, 8, {{3, 30}}).suspects.size() == 32);
  // Of an odd number the one between is asked, too.
  CHECK(search(7, 1, {}).suspects.size() == 7);
  CHECK(search(7, 1, {}).parts == 4);
}

TEST_CASE("two slow members of one half are narrowed to what has both") {
  const Found found = search(8, 4, {{0, 6}});
  // Hosts 0 and 1 have one each.
  CHECK(found.suspects == Group{0, 1, 2, 3, 4, 5, 6, 7});
}

TEST_CASE("with noise the member is found, and without a culprit hardly anybody is accused") {
  int right = 0;
  int wrong = 0;
  int accused = 0;
  constexpr int kTrials = 500;
  for (int trial = 0; trial < kTrials; ++trial) {
    const std::size_t slow = static_cast<std::size_t>(trial) % 72;
    Played played{{slow}, 0.12, 0.01, std::mt19937_64(static_cast<unsigned>(trial))};
    const Found found = search(18, 4, played);
    right += found.suspects == Group{slow} ? 1 : 0;
    wrong += std::find(found.suspects.begin(), found.suspects.end(), slow) == found.suspects.end();
    played.slow.clear();
    accused += search(18, 4, played).suspects.size() < 72 ? 1 : 0;
  }
  CHECK(right >= kTrials * 99 / 100);
  CHECK(wrong == 0);
  CHECK(accused <= kTrials / 100);
}

TEST_CASE("hosts with different numbers of members cannot be compared") {
  CHECK_THROWS_AS(SlowSearch({{0, 1}, {2}}, 0.05), std::invalid_argument);
  CHECK_THROWS_AS(SlowSearch({{0}}, 0.05), std::invalid_argument);
  SlowSearch done({{0}, {1}}, 0.05);
  done.tell(0.5);
  CHECK_FALSE(done.next());
  CHECK_THROWS_AS(done.tell(1), std::invalid_argument);
}
