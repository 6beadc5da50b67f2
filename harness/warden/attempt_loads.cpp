#include "harness/warden/attempt_loads.hpp"

#include <utility>

namespace rackproof::warden {

AttemptLoads::AttemptLoads(std::vector<pid_t> own) : meter_(usable_processors()) {
  meter_.own(std::move(own));
}

void AttemptLoads::share(std::vector<pid_t> own, std::string blind) {
  meter_.own(std::move(own));
  blind_ = std::move(blind);
}

void AttemptLoads::begin(const std::string& attempt) {
  LoadReading reading = meter_.read();
  if (!blind_.empty()) reading.unknown = blind_;
  began_[attempt] = std::move(reading);
}

model::HostLoad AttemptLoads::end(const std::string& attempt) {
  const auto from = began_.find(attempt);
  if (from == began_.end()) return {};
  model::HostLoad load = load_between(from->second, meter_.read());
  began_.erase(from);
  return load;
}

}  // namespace rackproof::warden
