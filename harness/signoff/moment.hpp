#pragma once

#include <string>

namespace rackproof::signoff {

/// "20260131120000Z" of "2026-01-31T12:00:00.5Z": as ssh-keygen has it, and in the order of time.
std::string moment_of(const std::string& utc);

}  // namespace rackproof::signoff
