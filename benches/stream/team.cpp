#include "benches/stream/team.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <utility>

#include "benches/kit/errors.hpp"
#include "benches/kit/host.hpp"

namespace rackproof::stream {

Slice slice_of(std::size_t count, std::size_t element_bytes, int thread, int threads) {
  constexpr std::size_t kLine = 64;
  const std::size_t line = kLine / element_bytes;
  const std::size_t lines = (count + line - 1) / line;
  const auto t = static_cast<std::size_t>(thread);
  const auto n = static_cast<std::size_t>(threads);
  const auto border = [&](std::size_t part) {
    return std::min(count, line * (lines / n * part + std::min(part, lines % n)));
  };
  return {border(t), border(t + 1)};
}

Team::Team(std::vector<int> cpus) : cpus_(std::move(cpus)), before_(kit::allowed_cpus()) {
  omp_set_dynamic(0);
  std::atomic<int> present{0};
  std::atomic<int> unbound{0};
  run([&](int thread) {
    ++present;
    if (!kit::bind_thread(cpus_[static_cast<std::size_t>(thread)])) ++unbound;
  });
  bound_ = unbound == 0;
  if (present != threads()) {
    kit::bind_thread(before_);
    throw kit::DeviceError("OpenMP gave " + std::to_string(present) + " threads, not " +
                           std::to_string(threads()) + " (is OMP_THREAD_LIMIT set?)");
  }
}

Team::~Team() { kit::bind_thread(before_); }

void Team::run(const std::function<void(int thread)>& work) const {
#pragma omp parallel num_threads(threads())
  work(omp_get_thread_num());
}

}  // namespace rackproof::stream
