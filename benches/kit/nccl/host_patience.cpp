#include "benches/kit/nccl/host_patience.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "contract/exit_code.hpp"

namespace rackproof::kit::nccl {

HostPatience::HostPatience(double seconds, std::function<void(const std::string&)> give_up)
    : seconds_(seconds), give_up_(std::move(give_up)), thread_([this] { watch(); }) {}

HostPatience::~HostPatience() {
  {
    const std::lock_guard lock(mutex_);
    leaving_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void HostPatience::guard(const std::string& what, const std::function<void()>& call) {
  // Whatever way it is left: by an exception too.
  struct Leave {
    HostPatience& patience;
    ~Leave() {
      const std::lock_guard lock(patience.mutex_);
      patience.inside_ = false;
      patience.changed_.notify_all();
    }
  };
  {
    const std::lock_guard lock(mutex_);
    inside_ = true;
    ++number_;
    what_ = what;
  }
  changed_.notify_all();
  const Leave leave{*this};
  call();
}

void HostPatience::watch() {
  std::unique_lock lock(mutex_);
  while (!leaving_) {
    changed_.wait(lock, [this] { return leaving_ || inside_; });
    if (leaving_) return;
    const auto number = number_;
    const bool over = changed_.wait_for(lock, std::chrono::duration<double>(seconds_),
                                        [&] { return leaving_ || !inside_ || number_ != number; });
    // With the lock: the call cannot be left meanwhile.
    if (over) continue;
    give_up_(what_);
    changed_.wait(lock, [&] { return leaving_ || !inside_ || number_ != number; });
  }
}

void end_process(const std::string& program, const std::string& what, double seconds) {
  const std::string line = fmt::format(
      "{}: {}: NCCL did not come back within {:g} s: it connects to the other members inside its "
      "first operations, and one of them may be gone\n",
      program, what, seconds);
  (void)std::fputs(line.c_str(), stderr);
  (void)std::fflush(stderr);
  std::_Exit(static_cast<int>(contract::ExitCode::kGaveUp));
}

}  // namespace rackproof::kit::nccl
