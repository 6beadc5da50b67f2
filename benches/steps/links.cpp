#include "benches/steps/links.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "benches/kit/clock.hpp"
#include "benches/kit/statistics.hpp"

namespace rackproof::steps {
namespace {

constexpr int kLooks = 7;
constexpr double kSlow = 2;
constexpr int kTag = 3;

// Of this rank's link to its partner, both ways at once.
double once(Network& network, int partner, const std::vector<float>& out, std::vector<float>& in) {
  const Group& world = network.world();
  const auto count = static_cast<std::int64_t>(out.size());
  const double start = kit::now_seconds();
  const Message received = world.receive(in.data(), count, partner, kTag);
  const Message sent = world.send(out.data(), count, partner, kTag);
  network.wait(received);
  network.wait(sent);
  return kit::now_seconds() - start;
}

// With whom a rank is linked in a turn, or -1: 0 with 1, 2 with 3, and then 1 with 2, the last with
// 0.
int partner_of(int rank, int turn, int ranks) {
  const int partner = (rank + turn) % 2 == 0 ? rank + 1 : rank - 1;
  if (partner >= 0 && partner < ranks) return partner;
  return turn == 1 && ranks % 2 == 0 ? (partner + ranks) % ranks : -1;
}

bool has(const Link& link, int rank) { return link.first == rank || link.second == rank; }

}  // namespace

std::vector<Link> measure_links(Network& network, std::int64_t count, kit::ProgressWriter& word) {
  const Group& world = network.world();
  const auto floats = static_cast<std::size_t>(std::min(count, kLinkFloats));
  const std::vector<float> out(floats, 1.0F);
  std::vector<float> in(floats);
  std::vector<Link> links;
  const int turns = world.size() > 2 ? 2 : 1;
  for (int turn = 0; turn < turns; ++turn) {
    const int partner = partner_of(world.rank(), turn, world.size());
    std::vector<double> seconds;
    for (int i = 0; i <= kLooks; ++i) {
      word.exchange([&] { world.barrier(); });
      const double took = partner >= 0 ? once(network, partner, out, in) : 0;
      if (i > 0) seconds.push_back(took);
    }
    const std::vector<double> all = world.gather(std::vector<double>{kit::smallest(seconds)});
    if (world.rank() != 0) continue;
    for (int first = turn; first < world.size(); first += 2) {
      const int second = partner_of(first, turn, world.size());
      if (second < 0) continue;
      const auto a = static_cast<std::size_t>(first);
      const auto b = static_cast<std::size_t>(second);
      links.push_back(
          {first, second, network.hosts()[a] == network.hosts()[b], std::max(all[a], all[b])});
    }
  }
  return links;
}

std::optional<SlowLink> slow_link(const std::vector<Link>& links) {
  const auto usual = [&](std::size_t link) -> std::optional<double> {
    std::vector<double> others;
    for (std::size_t other = 0; other < links.size(); ++other) {
      if (other != link && links[other].within_host == links[link].within_host) {
        others.push_back(links[other].seconds);
      }
    }
    if (others.size() < 2) return std::nullopt;
    // The lower one of two in the middle: of four ranks a slow one has half of the links.
    std::sort(others.begin(), others.end());
    return others[(others.size() - 1) / 2];
  };
  std::optional<SlowLink> slowest;
  std::vector<Link> slow;
  for (std::size_t at = 0; at < links.size(); ++at) {
    const Link& link = links[at];
    const auto median = usual(at);
    if (!median || *median <= 0 || link.seconds < kSlow * *median) continue;
    slow.push_back(link);
    if (slowest && link.seconds <= slowest->seconds) continue;
    slowest = SlowLink{{link.first, link.second}, link.seconds, link.seconds / *median};
  }
  if (slow.size() != 2) return slowest;
  for (const int end : {slow[0].first, slow[0].second}) {
    if (has(slow[1], end)) slowest->ranks = {end};
  }
  return slowest;
}

std::string text_of(const SlowLink& slow, double waited, double share) {
  const std::string who =
      slow.ranks.size() == 1
          ? fmt::format("messages of rank {} take", slow.ranks.front())
          : fmt::format("a message between ranks {} and {} takes", slow.ranks[0], slow.ranks[1]);
  return fmt::format(
      "slow link: {} {:.2f} ms, {:.1f} times what the other links take; ranks wait {:.1f} ms of a "
      "step ({:.0f} %) for messages",
      who, slow.seconds * 1e3, slow.times, waited * 1e3, share * 100);
}

}  // namespace rackproof::steps
