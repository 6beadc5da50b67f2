#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <vector>

#include "harness/warden/load_meter.hpp"

namespace rackproof::warden {

/// What other programs did on the host beside each attempt.
class AttemptLoads {
 public:
  explicit AttemptLoads(std::vector<pid_t> own);

  /// The processes that are the run's own; why what others do cannot be told, or nothing.
  void share(std::vector<pid_t> own, std::string blind);
  void begin(const std::string& attempt);
  /// Since it began. Nothing for one that did not.
  model::HostLoad end(const std::string& attempt);

 private:
  LoadMeter meter_;
  std::string blind_;
  std::map<std::string, LoadReading> began_;  ///< by attempt
};

}  // namespace rackproof::warden
