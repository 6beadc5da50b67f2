#include "harness/plan/links.hpp"

#include "contract/tournament.hpp"
#include "harness/plan/instances.hpp"

namespace rackproof::plan {
namespace {

std::vector<model::Subject> links_of_rounds(const std::vector<End>& ends, int rounds,
                                            bool both_ways) {
  const contract::Tournament draw(static_cast<int>(ends.size()), rounds, contract::kUsualDraw);
  std::vector<model::Subject> links;
  for (int round = 0; round < draw.rounds(); ++round) {
    for (const auto& [one, other] : draw.pairs(round)) {
      const End& low = ends[static_cast<std::size_t>(one)];
      const End& high = ends[static_cast<std::size_t>(other)];
      links.push_back(link_between(low, high));
      if (both_ways) links.push_back(link_between(high, low));
    }
  }
  return links;
}

}  // namespace

std::vector<model::Subject> links_among(const std::vector<End>& ends, int rounds, bool both_ways) {
  if (rounds > 0) return links_of_rounds(ends, rounds, both_ways);
  std::vector<model::Subject> links;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    for (std::size_t j = both_ways ? 0 : i + 1; j < ends.size(); ++j) {
      if (j != i) links.push_back(link_between(ends[i], ends[j]));
    }
  }
  return links;
}

}  // namespace rackproof::plan
