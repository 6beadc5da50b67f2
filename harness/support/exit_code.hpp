#pragma once

namespace rackproof::support {

/// Exit codes of the harness. Launchers use 1 too, so it never means "rejected".
enum ExitCode : int {
  kAccepted = 0,
  kUnexpected = 1,
  kUsage = 2,
  kRejected = 3,
  kIncomplete = 4,
  kNothingSelected = 5,
  kIntegrity = 6,
  kVerified = 7,  ///< all is right, and some of what the suite claims has no speed limit
  kPlanned = 8,   ///< a dry run, or nothing to run: nothing was judged, and no script may take it
                  ///< for a verdict
  kInterrupted = 130
};

}  // namespace rackproof::support
