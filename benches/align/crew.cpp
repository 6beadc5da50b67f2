#include "benches/align/crew.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "benches/kit/errors.hpp"
#include "benches/kit/host.hpp"

namespace rackproof::align {

Crew::Crew(std::vector<int> cpus) : cpus_(std::move(cpus)), before_(kit::allowed_cpus()) {
  for (int thread = 1; thread < threads(); ++thread) {
    others_.emplace_back([this, thread] { stay(thread); });
  }
  if (!kit::bind_thread(cpus_.front())) bound_ = false;
  // Once round: now it is known whether each could be bound.
  run(0, [](std::int64_t, int) {});
}

Crew::~Crew() {
  {
    const std::lock_guard lock(mutex_);
    leave_ = true;
  }
  begin_.notify_all();
  for (std::thread& other : others_) other.join();
  kit::bind_thread(before_);
}

void Crew::run(std::int64_t count, const Work& work) {
  {
    const std::lock_guard lock(mutex_);
    next_ = 0;
    count_ = count;
    work_ = &work;
    busy_ = threads() - 1;
    ++round_;
  }
  begin_.notify_all();
  take_items(0);
  std::unique_lock lock(mutex_);
  end_.wait(lock, [this] { return busy_ == 0; });
}

void Crew::stay(int thread) {
  if (!kit::bind_thread(cpus_[static_cast<std::size_t>(thread)])) bound_ = false;
  std::uint64_t seen = 0;
  while (true) {
    {
      std::unique_lock lock(mutex_);
      begin_.wait(lock, [&] { return leave_ || round_ != seen; });
      if (leave_) return;
      seen = round_;
    }
    take_items(thread);
    const std::lock_guard lock(mutex_);
    if (--busy_ == 0) end_.notify_one();
  }
}

void Crew::take_items(int thread) {
  for (std::int64_t item = next_++; item < count_; item = next_++) (*work_)(item, thread);
}

std::vector<int> crew_cpus(std::int64_t threads) {
  const std::vector<int> allowed = kit::allowed_cpus();
  if (threads == 0) return kit::one_cpu_per_core(allowed);
  if (threads > static_cast<std::int64_t>(allowed.size())) {
    throw kit::UsageError(fmt::format(
        "--threads {}: expected at most {}, the processors allowed here", threads, allowed.size()));
  }
  std::vector<int> cpus = kit::one_cpu_per_core(allowed);
  for (const int cpu : allowed) {
    if (std::find(cpus.begin(), cpus.end(), cpu) == cpus.end()) cpus.push_back(cpu);
  }
  cpus.resize(static_cast<std::size_t>(threads));
  return cpus;
}

}  // namespace rackproof::align
