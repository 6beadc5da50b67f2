#include "benches/stream/cuda_search.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "benches/kit/statistics.hpp"

namespace rackproof::stream {
namespace {

std::vector<double> medians(const SecondsByWay& seconds) {
  if (seconds.empty()) throw std::invalid_argument("a search among no ways");
  std::vector<double> all;
  all.reserve(seconds.size());
  for (const std::vector<double>& series : seconds) all.push_back(kit::median(series));
  return all;
}

// One way of each kernel that has as many.
Runs runs_of(const std::vector<std::vector<Way>>& ways, std::size_t way) {
  Runs runs;
  for (std::size_t kernel = 0; kernel < ways.size(); ++kernel) {
    if (way < ways[kernel].size()) runs.push_back({kernel, ways[kernel][way]});
  }
  return runs;
}

}  // namespace

std::vector<Found> search(const std::vector<std::vector<Way>>& ways, std::int64_t turns,
                          const std::function<std::vector<double>(const Runs&)>& time) {
  constexpr std::int64_t kTimesAsOften = 4;
  std::vector<SecondsByWay> seconds(ways.size());
  std::size_t most = 0;
  for (std::size_t kernel = 0; kernel < ways.size(); ++kernel) {
    seconds[kernel].resize(ways[kernel].size());
    most = std::max(most, ways[kernel].size());
  }
  for (std::int64_t turn = 0; turn <= turns; ++turn) {
    for (std::size_t way = 0; way < most; ++way) {
      const Runs runs = runs_of(ways, way);
      const std::vector<double> times = time(runs);
      for (std::size_t i = 0; i < runs.size() && turn > 0; ++i) {
        seconds[runs[i].kernel][way].push_back(times[i]);
      }
    }
  }
  std::vector<Found> found;
  for (std::size_t kernel = 0; kernel < ways.size(); ++kernel) {
    const std::vector<std::size_t> last = finalists(seconds[kernel]);
    Runs runs;
    for (std::int64_t turn = 0; turn < kTimesAsOften * turns && last.size() > 1; ++turn) {
      for (const std::size_t way : last) runs.push_back({kernel, ways[kernel][way]});
    }
    const std::vector<double> times = runs.empty() ? std::vector<double>{} : time(runs);
    for (std::size_t i = 0; i < times.size(); ++i) {
      seconds[kernel][last[i % last.size()]].push_back(times[i]);
    }
    found.push_back(decide(seconds[kernel], last));
  }
  return found;
}

std::vector<std::size_t> finalists(const SecondsByWay& seconds) {
  constexpr double kWithin = 1.02;
  constexpr std::size_t kMost = 4;
  const std::vector<double> median = medians(seconds);
  std::vector<std::size_t> order(seconds.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return median[a] < median[b]; });
  const auto end = std::find_if(order.begin(), order.end(), [&](std::size_t way) {
    return median[way] > kWithin * median[order.front()];
  });
  order.erase(end, order.end());
  order.resize(std::min(order.size(), kMost));
  return order;
}

Found decide(const SecondsByWay& seconds, const std::vector<std::size_t>& among) {
  if (among.empty()) throw std::invalid_argument("a choice among no ways");
  Found found;
  found.seconds = medians(seconds);
  std::vector<std::size_t> order = among;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return found.seconds[a] < found.seconds[b];
  });
  found.best = order.front();
  const std::vector<double>& series = seconds[found.best];
  const double median = found.seconds[found.best];
  found.noise = (kit::percentile(series, 75) - kit::percentile(series, 25)) / 2 / median;
  if (order.size() > 1) found.lead = found.seconds[order[1]] / median - 1;
  return found;
}

}  // namespace rackproof::stream
