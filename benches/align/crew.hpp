#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace rackproof::align {

/// Threads that stay and share items of unequal work: who is done takes the next one. Each is bound
/// to one processor. The calling thread is one of them and gets its affinity back in the end.
class Crew {
 public:
  /// `work` of one item on one thread (0 to threads() - 1). It must not throw.
  using Work = std::function<void(std::int64_t item, int thread)>;

  explicit Crew(std::vector<int> cpus);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  int threads() const { return static_cast<int>(cpus_.size()); }
  /// False when the kernel refused to bind a thread.
  bool bound() const { return bound_; }

  /// Does items 0 to `count` - 1, begun in this order, and waits for all.
  void run(std::int64_t count, const Work& work);

 private:
  void stay(int thread);
  void take_items(int thread);

  std::vector<int> cpus_;
  std::vector<int> before_;
  std::atomic<bool> bound_{true};
  std::atomic<std::int64_t> next_{0};
  std::int64_t count_ = 0;
  const Work* work_ = nullptr;
  std::mutex mutex_;
  std::condition_variable begin_;
  std::condition_variable end_;
  std::uint64_t round_ = 0;  // of run(); guarded by the mutex, as what follows
  int busy_ = 0;
  bool leave_ = false;
  std::vector<std::thread> others_;
};

/// One processor of each core that this process may use; with `threads`, so many of all that it may
/// use, further ones of a core last. Throws UsageError when there are fewer.
std::vector<int> crew_cpus(std::int64_t threads);

}  // namespace rackproof::align
