#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace rackproof::kit::nccl {

/// A limit for calls of NCCL that do not come back: its connections are made inside the first
/// operation that needs them, on the thread that calls, and a member that is gone by then is waited
/// for without end. A communicator that does not block would come back, and launches each operation
/// from a new thread, which short ones would be measured with; and an abort from another thread
/// frees what the call still uses. So nothing is left but to say where, and to end.
class HostPatience {
 public:
  /// `give_up` is called from a thread of its own while the call is still under way, and is not to
  /// come back but in tests.
  HostPatience(double seconds, std::function<void(const std::string& what)> give_up);
  ~HostPatience();
  HostPatience(const HostPatience&) = delete;
  HostPatience& operator=(const HostPatience&) = delete;

  /// Makes the call; gives up after the seconds, with `what` it was for.
  void guard(const std::string& what, const std::function<void()>& call);

 private:
  void watch();

  double seconds_;
  std::function<void(const std::string&)> give_up_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool leaving_ = false;
  bool inside_ = false;
  unsigned long long number_ = 0;  ///< of the call
  std::string what_;
  std::thread thread_;
};

/// Says it on stderr, with `program`, and ends the process as one that gave up on another member.
[[noreturn]] void end_process(const std::string& program, const std::string& what, double seconds);

}  // namespace rackproof::kit::nccl
