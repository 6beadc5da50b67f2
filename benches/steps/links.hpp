#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "benches/kit/progress.hpp"
#include "benches/steps/network.hpp"

namespace rackproof::steps {

/// Two ranks that are neighbours by their numbers, and what a message between them takes.
struct Link {
  int first = 0;
  int second = 1;
  bool within_host = false;
  double seconds = 0;  ///< both ways at once
};

/// Measures each rank with the next one, an even number of ranks in a ring, every second link at a
/// time, as the least of a few, which is what the link takes by itself; on rank 0, nothing
/// elsewhere. A message has `count` floats, or kLinkFloats where that is less. Every rank must call
/// it.
inline constexpr std::int64_t kLinkFloats = std::int64_t{1} << 18U;
std::vector<Link> measure_links(Network& network, std::int64_t count, kit::ProgressWriter& word);

/// A link that is slow, or a rank all of whose links are.
struct SlowLink {
  std::vector<int> ranks;  ///< both ends of the link, or the one rank
  double seconds = 0;      ///< of the slowest link
  double times = 0;        ///< those of the median link of its kind
};
/// The slowest link, if it takes twice as long at least as the median of the links that are of its
/// kind, within hosts or between them, itself left out. Where there are not two others of the kind
/// nobody knows what is usual. A rank is named where two links are that slow, and both are its.
std::optional<SlowLink> slow_link(const std::vector<Link>& links);

/// "slow link: ..."; `waited` is what ranks wait for messages in a step, and the share of it.
std::string text_of(const SlowLink& slow, double waited, double share);

}  // namespace rackproof::steps
