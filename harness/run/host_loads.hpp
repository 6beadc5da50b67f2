#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>

#include "harness/run/in_flight.hpp"

namespace rackproof::run {

/// What other programs run on the hosts: listened to before the first step, told by each attempt,
/// and listened to again before what was disturbed is repeated.
class HostLoads {
 public:
  HostLoads(Context& context, InFlight& in_flight) : context_(context), in_flight_(in_flight) {}

  /// Starts to listen on the first rank of each of these hosts that answers.
  void listen(const std::set<std::string>& hosts);
  /// True when it was one that listened: it is settled.
  bool take(crew::Ended& ended);
  /// A finding for each host that was busy before the first step.
  void note_busy();
  /// A new step: no host was disturbed in it yet.
  void begin_step() { disturbed_.clear(); }
  void remember(const model::Attempt& attempt);
  /// Hosts whose last attempt at this step was disturbed.
  const std::set<std::string>& disturbed() const { return disturbed_; }
  /// Seconds of the run that may still be spent on waiting.
  double wait_left() const;
  /// Waits until the hosts are quiet; `await` returns when nothing is in flight. Gives those that
  /// did not become so in time.
  std::set<std::string> await_quiet(std::set<std::string> hosts,
                                    const std::function<void()>& await);

 private:
  bool is_busy(const std::string& host) const;

  Context& context_;
  InFlight& in_flight_;
  std::map<std::string, std::string> listening_;  ///< attempt -> host
  std::map<std::string, model::HostLoad> loads_;  ///< of hosts, as they were last
  std::set<std::string> disturbed_;
  double waited_ = 0;
  int listened_ = 0;
};

}  // namespace rackproof::run
