#include "benches/swing/load.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <sys/prctl.h>

#include <algorithm>
#include <bit>
#include <thread>

#include "benches/kit/host.hpp"
#include "benches/kit/statistics.hpp"

namespace rackproof::swing {
namespace {

// A thread that sleeps through the whole of a long beat would not see that it is to stop.
constexpr double kNap = 0.05;
// Waking up takes up to so long on an idle processor.
constexpr double kAwake = 0.0002;

// Unlike doubles, -0 is not 0 here, and a NaN equals itself.
using Bits = std::array<std::uint64_t, kLanes>;
Bits bits_of(const Lanes& lanes) { return std::bit_cast<Bits>(lanes); }

class Thread {
 public:
  Thread(const LoadPlan& plan, bool crowded, const OwnClock& clock, const std::atomic<bool>& stop,
         const Lanes& start, const Lanes& expected)
      : plan_(plan),
        crowded_(crowded),
        clock_(clock),
        stop_(stop),
        start_(start),
        expected_(expected) {
    result_.trace = plan.trace;
  }

  void run(int cpu, std::optional<kit::Injection> injection) {
    (void)kit::bind_thread(cpu);
    (void)prctl(PR_SET_TIMERSLACK, 1000UL);
    for (const Pulse& pulse : plan_.pulses) {
      if (!wait(pulse.on)) return;
      double began = clock_.now();
      result_.rises.push_back(began);
      do {
        piece(injection);
        const double ended = clock_.now();
        result_.trace.add(began, ended);
        began = ended;
        if (crowded_) sched_yield();
      } while (began < pulse.off && !stop_.load(std::memory_order_relaxed));
      result_.falls.push_back(began);
    }
  }

  const LoadResult& result() const { return result_; }

 private:
  bool wait(double moment) const {
    while (!stop_.load(std::memory_order_relaxed)) {
      const double nap = clock_.now() + kNap;
      if (nap >= moment) {
        clock_.sleep_until(moment, crowded_ ? 0 : kAwake);
        return !stop_.load(std::memory_order_relaxed);
      }
      clock_.sleep_until(nap);
    }
    return false;
  }

  void piece(std::optional<kit::Injection>& injection) {
    Lanes lanes = work(start_);
    if (injection) {
      kit::flip(*injection, lanes.data(), static_cast<std::int64_t>(kLanes), sizeof(double));
      injection.reset();
    }
    result_.compared += static_cast<std::int64_t>(kLanes);
    if (bits_of(lanes) != bits_of(expected_)) count_wrong(lanes);
  }

  void count_wrong(const Lanes& lanes) {
    const Bits got = bits_of(lanes);
    const Bits want = bits_of(expected_);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      if (got[lane] == want[lane]) continue;
      ++result_.wrong;
      if (result_.first_wrong) continue;
      result_.first_wrong = {static_cast<double>(result_.rises.size()), static_cast<double>(lane),
                             lanes[lane], expected_[lane]};
    }
  }

  const LoadPlan& plan_;
  bool crowded_;
  const OwnClock& clock_;
  const std::atomic<bool>& stop_;
  const Lanes& start_;
  const Lanes& expected_;
  LoadResult result_;
};

// The middle thread of each pulse that all threads came to.
std::vector<double> middle_of(const std::vector<Thread>& threads,
                              std::vector<double> LoadResult::*edges) {
  std::size_t pulses = SIZE_MAX;
  for (const Thread& thread : threads) {
    pulses = std::min(pulses, (thread.result().*edges).size());
  }
  std::vector<double> middle;
  for (std::size_t pulse = 0; pulse < pulses; ++pulse) {
    std::vector<double> instants;
    for (const Thread& thread : threads) instants.push_back((thread.result().*edges)[pulse]);
    middle.push_back(kit::median(std::move(instants)));
  }
  return middle;
}

}  // namespace

std::vector<int> share_of(const std::vector<int>& cpus, std::int64_t index, std::int64_t of) {
  const auto count = static_cast<std::int64_t>(cpus.size());
  if (of >= count) return {cpus[static_cast<std::size_t>(index % count)]};
  return {cpus.begin() + index * count / of, cpus.begin() + (index + 1) * count / of};
}

LoadResult HostLoad::run(const LoadPlan& plan, const OwnClock& clock, const std::atomic<bool>& stop,
                         const std::optional<kit::Injection>& injection) {
  const Lanes start = first_lanes(plan.seed);
  const Lanes expected = reference(start);
  std::vector<Thread> threads;
  threads.reserve(place_.cpus.size());
  for (std::size_t i = 0; i < place_.cpus.size(); ++i) {
    threads.emplace_back(plan, place_.crowded, clock, stop, start, expected);
  }
  std::vector<std::thread> running;
  for (std::size_t i = 0; i < threads.size(); ++i) {
    running.emplace_back([&, i] {
      threads[i].run(place_.cpus[i], i == 0 ? injection : std::optional<kit::Injection>());
    });
  }
  for (std::thread& thread : running) thread.join();
  LoadResult all;
  all.rises = middle_of(threads, &LoadResult::rises);
  all.falls = middle_of(threads, &LoadResult::falls);
  all.trace = plan.trace;
  for (const Thread& thread : threads) {
    all.trace.add(thread.result().trace);
    all.compared += thread.result().compared;
    all.wrong += thread.result().wrong;
    if (!all.first_wrong) all.first_wrong = thread.result().first_wrong;
  }
  return all;
}

std::string HostLoad::proof() const {
  return "every result of each piece of work, bit by bit, against the same computed without "
         "vectors";
}

protocol::Note HostLoad::note() const {
  return {
      fmt::format("threads of rank 0: {}{}", place_.cpus.size(),
                  place_.crowded ? "; more threads than processors: they take turns" : ""),
      {{"threads", static_cast<std::int64_t>(place_.cpus.size())}, {"crowded", place_.crowded}}};
}

}  // namespace rackproof::swing
