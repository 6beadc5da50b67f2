#pragma once

namespace rackproof::protocol {

/// How a bench process ends. The harness reads these; no other code has a meaning.
enum class ExitCode : int {
  kDone = 0,         ///< measured and verified
  kUnexpected = 1,   ///< an internal error
  kUsage = 2,        ///< the command line is wrong
  kUnavailable = 3,  ///< what the bench needs is not on this machine
  kWrongAnswer = 4,  ///< a check found a wrong result
  kDeviceError = 5,  ///< a device or a library reported an error
  kGaveUp = 6,       ///< a member of a group waited in vain for another one
};

}  // namespace rackproof::protocol
