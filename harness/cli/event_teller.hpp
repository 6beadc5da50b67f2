#pragma once

#include <memory>

#include "harness/cli/program.hpp"
#include "harness/telemetry/event.hpp"

namespace rackproof::cli {

/// Where a recorder says what happens. Part of a run, it speaks the record protocol on stdout, a
/// note for each event (docs/recordings.md), so that its warden keeps every one in the journal; by
/// hand, a line for people on stderr.
class EventTeller {
 public:
  /// `part_of_run`: says hello.
  EventTeller(bool part_of_run, const Program& program);
  ~EventTeller();
  EventTeller(const EventTeller&) = delete;
  EventTeller& operator=(const EventTeller&) = delete;

  void tell(const telemetry::Event& event);
  /// The last word.
  void end();

 private:
  class Records;
  std::unique_ptr<Records> records_;  ///< null: by hand
};

}  // namespace rackproof::cli
