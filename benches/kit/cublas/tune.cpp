#include "benches/kit/cublas/tune.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "benches/kit/clock.hpp"
#include "benches/kit/cuda/graph.hpp"
#include "benches/kit/statistics.hpp"

namespace rackproof::cublas {
namespace {

constexpr double kCannot = -1;
constexpr double kSampleSeconds = 0.01;
constexpr std::int64_t kSamples = 3;
constexpr std::size_t kFinalists = 3;
constexpr int kMostRounds = 5;

class Trial {
 public:
  Trial(Matmul& matmul, const Operand& a, const Operand& b, void* c,
        const kit::cuda::Stream& stream)
      : matmul_(matmul), a_(a), b_(b), c_(c), stream_(stream) {}

  // Loads the kernel and gives the seconds of one product, launch and wait included; kCannot when
  // the library refuses.
  double first_run(const Algorithm& algorithm) {
    if (matmul_.try_run(algorithm, a_, b_, c_, stream_) != CUBLAS_STATUS_SUCCESS) return kCannot;
    stream_.synchronize();
    const double start = kit::now_seconds();
    matmul_.run(algorithm, a_, b_, c_, stream_);
    stream_.synchronize();
    return kit::now_seconds() - start;
  }

  // Seconds of one product on the device, out of launches of about kSampleSeconds each.
  double measure(const Algorithm& algorithm, double estimate) {
    const auto repeats =
        std::clamp<std::int64_t>(std::llround(kSampleSeconds / std::max(estimate, 1e-9)), 1, 200);
    return kit::median(kit::cuda::time_in_graph(stream_, kSamples, repeats, [&](std::int64_t) {
      matmul_.run(algorithm, a_, b_, c_, stream_);
    }));
  }

 private:
  Matmul& matmul_;
  const Operand& a_;
  const Operand& b_;
  void* c_;
  const kit::cuda::Stream& stream_;
};

}  // namespace

std::vector<std::size_t> finalists(const std::vector<double>& seconds, std::size_t most) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    if (seconds[i] >= 0) places.push_back(i);
  }
  if (places.empty()) return places;
  const std::size_t first = places.front();
  std::stable_sort(places.begin(), places.end(),
                   [&](std::size_t a, std::size_t b) { return seconds[a] < seconds[b]; });
  if (places.size() > most) places.resize(most);
  std::erase(places, first);
  places.insert(places.begin(), first);
  return places;
}

std::optional<Tuned> tune(Matmul& matmul, const Operand& a, const Operand& b, void* c,
                          const Search& search, const kit::cuda::Stream& stream) {
  const double start = kit::now_seconds();
  const std::vector<Algorithm> all = matmul.algorithms(search.candidates, a, b);
  Trial trial(matmul, a, b, c, stream);
  Tuned tuned;
  tuned.offered = static_cast<int>(all.size());
  std::vector<double> seconds;
  for (const Algorithm& algorithm : all) {
    const bool one_runs =
        std::any_of(seconds.begin(), seconds.end(), [](double s) { return s > 0; });
    if (one_runs && kit::now_seconds() - start > search.seconds / 2) break;
    const double estimate = trial.first_run(algorithm);
    seconds.push_back(estimate < 0 ? kCannot : trial.measure(algorithm, estimate));
    ++tuned.tried;
  }
  const std::vector<std::size_t> last = finalists(seconds, kFinalists);
  if (last.empty()) return std::nullopt;
  std::vector<std::vector<double>> rounds(last.size());
  for (int round = 0; round < kMostRounds; ++round) {
    if (round > 0 && kit::now_seconds() - start > search.seconds) break;
    for (std::size_t i = 0; i < last.size(); ++i) {
      rounds[i].push_back(trial.measure(all[last[i]], seconds[last[i]]));
    }
  }
  tuned.first = all[last.front()];
  tuned.first_seconds = kit::median(rounds.front());
  tuned.best_seconds = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < last.size(); ++i) {
    const double median = kit::median(rounds[i]);
    seconds[last[i]] = median;
    if (median >= tuned.best_seconds) continue;
    tuned.best_seconds = median;
    tuned.best = all[last[i]];
    tuned.noise = (kit::percentile(rounds[i], 75) - kit::percentile(rounds[i], 25)) / 2 / median;
  }
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    if (seconds[i] > 0) tuned.timed.push_back({static_cast<int>(i) + 1, all[i], seconds[i]});
  }
  tuned.search_seconds = kit::now_seconds() - start;
  return tuned;
}

}  // namespace rackproof::cublas
