#include "harness/support/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>
#include <vector>

namespace rackproof::support {
namespace {

/// More than these do not read faster.
constexpr std::size_t kMostThreads = 16;

/// Threads that are joined whatever happens.
class Crew {
 public:
  Crew(std::size_t size, const std::function<void()>& work) {
    for (std::size_t i = 0; i < size; ++i) threads_.emplace_back(work);
  }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  ~Crew() {
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  std::vector<std::thread> threads_;
};

}  // namespace

std::size_t core_count() {
  return std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, kMostThreads);
}

void on_all_cores(std::size_t count, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  FirstError errors;
  {
    const Crew crew(std::min(count, core_count()), [&] {
      for (std::size_t i = next++; i < count; i = next++) {
        try {
          work(i);
        } catch (...) {
          errors.add(i, std::current_exception());
        }
      }
    });
  }
  errors.rethrow();
}

void FirstError::add(std::size_t place, std::exception_ptr error) {
  const std::lock_guard lock(mutex_);
  if (error_ != nullptr && place >= place_) return;
  place_ = place;
  error_ = std::move(error);
}

void FirstError::rethrow() const {
  if (error_ != nullptr) std::rethrow_exception(error_);
}

}  // namespace rackproof::support
