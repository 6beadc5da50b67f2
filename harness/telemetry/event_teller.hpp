#pragma once

#include <map>
#include <memory>
#include <string>

#include "harness/telemetry/event.hpp"

namespace rackproof::telemetry {

/// Where a recorder says what happens. Part of a run, it speaks the record protocol on stdout, a
/// note for each event (docs/recordings.md), so that its warden keeps every one in the journal; by
/// hand, a line for people on stderr.
class EventTeller {
 public:
  /// Variables by name.
  using Environment = std::map<std::string, std::string>;

  /// `part_of_run`: says hello, with what `environment` says of the attempt.
  EventTeller(bool part_of_run, const Environment& environment);
  ~EventTeller();
  EventTeller(const EventTeller&) = delete;
  EventTeller& operator=(const EventTeller&) = delete;

  void tell(const Event& event);
  /// The last word.
  void end();

 private:
  class Records;
  std::unique_ptr<Records> records_;  ///< null: by hand
};

}  // namespace rackproof::telemetry
