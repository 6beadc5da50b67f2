#pragma once

namespace rackproof::job {

/// From now on the first SIGINT or SIGTERM is counted, and a second one ends the process at once
/// with code 130 (the warden then ends everything and the journal holds what was done). SIGHUP is
/// ignored: a lost terminal does not end a run. SIGPIPE is ignored.
void watch_signals();

/// How many times the user has asked to stop.
int interrupts();

/// Ends the process with `code` if it is still there after `seconds`: for what may hang once
/// everything is on disk (MPI_Finalize).
void leave_within(unsigned seconds, int code);
/// Takes that back.
void leave_when_done();

}  // namespace rackproof::job
