#pragma once

#include <set>
#include <string>

#include "harness/run/host_clocks.hpp"
#include "harness/run/host_loads.hpp"
#include "harness/run/in_flight.hpp"

namespace rackproof::run {

/// What every host is, and which platform that makes it: rank 0's work before the plan.
class Survey {
 public:
  Survey(Context& context, InFlight& in_flight, HostLoads& loads, HostClocks& clocks)
      : context_(context), in_flight_(in_flight), loads_(loads), clocks_(clocks) {}

  /// Inventories, platforms, what other programs run, and how the hosts are set up. With `record`,
  /// hosts are listened to. Throws Refused: a resumed run that is on another machine, a platform
  /// that is not what the hosts are, a topology that contradicts itself or is of other hosts.
  void run(bool record);

 private:
  void take_inventories(bool record);
  void start_inventories(double until);
  void take_inventory(crew::Ended& ended);
  void remember_unseen_hosts();
  void add_unknown(const std::string& host, const std::string& why);
  void place_adapters();
  void keep_places();
  void compare_with_earlier();
  void refuse_changes();
  void choose_platforms();
  void note_set_aside(std::set<std::string>& tables);
  void check_setup();

  Context& context_;
  InFlight& in_flight_;
  HostLoads& loads_;
  HostClocks& clocks_;
};

}  // namespace rackproof::run
