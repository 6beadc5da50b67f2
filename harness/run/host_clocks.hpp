#pragma once

#include <map>
#include <optional>
#include <string>

#include "harness/crew/clocks.hpp"
#include "harness/run/context.hpp"

namespace rackproof::run {

/// What the hosts say is the time of day, against rank 0's: at the start and at the end of a run.
class HostClocks {
 public:
  explicit HostClocks(Context& context) : context_(context) {}

  /// Asks every host, at the start.
  void compare();
  /// Puts into the inventory how far the host's clock was; a difference that matters is a finding.
  void note(model::NodeInventory& node);
  /// At the end: a clock that jumped meanwhile is a finding.
  void note_jumps();

 private:
  std::map<std::string, crew::ClockOffset> ask(double seconds);

  Context& context_;
  std::map<std::string, crew::ClockOffset> offsets_;  ///< by host, rank 0's own left out
  double compared_at_ = 0;                            ///< when those were compared, of this clock
  std::optional<double> compared_wall_;               ///< and of this host's wall clock
};

}  // namespace rackproof::run
