#pragma once

#include <stdexcept>

namespace rackproof::kit {

/// The command line cannot be obeyed. Ends the bench with exit code 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What the bench needs is not on this machine. Ends it with exit code 3; nothing was measured.
struct Unavailable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A device or a library reported an error. Ends the bench with exit code 5.
struct DeviceError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A member of a group waited in vain for another one. Ends the bench with exit code 6: who waits is
/// not the one to look at.
struct GaveUp : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace rackproof::kit
