#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "benches/stream/cuda_plan.hpp"

namespace rackproof::stream {

/// Seconds of one kernel, a series for each way of running it.
using SecondsByWay = std::vector<std::vector<double>>;

/// What a search found of one kernel.
struct Found {
  std::size_t best = 0;         ///< the way with the least median
  std::vector<double> seconds;  ///< the median of each way
  double noise = 0;  ///< half the distance between the quartiles of the best, over its median
  double lead = 0;   ///< how much longer the second takes, over the best; 0 where there is none
};

/// A kernel, by number, that is to be run once in a way.
struct Run {
  std::size_t kernel = 0;
  Way way;
};
using Runs = std::vector<Run>;

/// Tries the ways of each kernel, `ways[kernel]`, of which each kernel has one at least. `time`
/// runs a list on fresh arrays, one after the other, and gives back the seconds of each. Ways are
/// tried in turns, so that what changes meanwhile meets all of them: `turns` times, and once before
/// that does not count, since code is loaded then; after that the finalists of each kernel four
/// times as often.
std::vector<Found> search(const std::vector<std::vector<Way>>& ways, std::int64_t turns,
                          const std::function<std::vector<double>(const Runs&)>& time);

/// Ways that are tried again since they may be the fastest: the one with the least median and up to
/// three that are slower by at most 2 %, the fastest first. Throws std::invalid_argument for no
/// way, or one without a sample.
std::vector<std::size_t> finalists(const SecondsByWay& seconds);

/// The fastest of `among`, which must not be empty. The medians tell, and not the best of each: of
/// a few samples that is luck.
Found decide(const SecondsByWay& seconds, const std::vector<std::size_t>& among);

}  // namespace rackproof::stream
