#pragma once

#include <optional>
#include <string_view>

#include "harness/telemetry/event.hpp"

namespace rackproof::telemetry {

/// What a line of /dev/kmsg ("PRIORITY,SEQUENCE,MICROSECONDS,FLAGS;TEXT") says of the hardware;
/// nothing when it says nothing known, is not from the kernel, or is no such line. The time is the
/// kernel's own: microseconds since boot by a clock that nobody sets. Pure.
std::optional<Event> event_in(std::string_view line);

}  // namespace rackproof::telemetry
