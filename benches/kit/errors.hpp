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

/// Another member of the group was waited for in vain, or its library says that it is gone: nothing
/// is known to be wrong here. Ends the bench with exit code 6.
struct GaveUp : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace rackproof::kit
