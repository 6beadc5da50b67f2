#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace rackproof::stream {

/// A part of the arrays: elements [begin, end).
struct Slice {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// The slice of `thread` out of `threads`: near-equal parts in order that start on a cache line and
/// cover `count` elements of `element_bytes` without gap or overlap.
Slice slice_of(std::size_t count, std::size_t element_bytes, int thread, int threads);

/// OpenMP threads, each bound to one processor, that always do the same slices: the thread that
/// first touches a page is the one that works on it. Throws DeviceError when OpenMP gives fewer
/// threads than processors were named. The calling thread is one of them and gets its affinity back
/// in the end.
class Team {
 public:
  explicit Team(std::vector<int> cpus);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  int threads() const { return static_cast<int>(cpus_.size()); }
  /// False when the kernel refused to bind a thread.
  bool bound() const { return bound_; }

  /// Calls `work` with the number of each thread on that thread, and waits for all. `work` must not
  /// throw.
  void run(const std::function<void(int thread)>& work) const;

 private:
  std::vector<int> cpus_;
  std::vector<int> before_;
  bool bound_ = true;
};

}  // namespace rackproof::stream
