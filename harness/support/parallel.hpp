#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>

namespace rackproof::support {

/// How many threads on_all_cores() works with: one a core, 16 at most.
std::size_t core_count();

/// Calls `work(i)` for each i under `count`, on all cores. Throws what the first of them throws.
void on_all_cores(std::size_t count, const std::function<void(std::size_t)>& work);

/// Of errors that several threads meet, the first in the order of their places, whichever thread
/// met it when.
class FirstError {
 public:
  void add(std::size_t place, std::exception_ptr error);
  /// Throws it, if there was one. Once all threads are done.
  void rethrow() const;

 private:
  std::mutex mutex_;
  std::size_t place_ = 0;
  std::exception_ptr error_;
};

}  // namespace rackproof::support
