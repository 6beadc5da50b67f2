#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "contract/progress_page.hpp"
#include "reports/model/states.hpp"

namespace rackproof::warden {

/// The warden is gone or can no longer keep the journal: nothing can be measured any more.
struct WardenError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What the journal held is gone, though somebody may still know it.
struct JournalLost : WardenError {
  using WardenError::WardenError;
};

/// How a warden is to go about its work.
struct WardenSettings {
  /// Not 0: ends the rank once that has stood still, stopped by a signal, for so long.
  double patience_seconds = 0;
  /// But not while the process is there that started the rank.
  bool patient_with_led = false;
  /// Gives each attempt a control group of its own where the kernel and its owner let us.
  bool control_groups = true;
  /// How long what an attempt started may outlive it when it ended by itself, before it is killed
  /// and told of: the daemon of an MPI program that nobody launched ends a moment after it.
  double linger_seconds = 1;
  /// How long the warden may take to answer: then it is given up, and killed.
  double answer_seconds = 60;
};

/// A program to start: one attempt.
struct Launch {
  std::string attempt;  ///< nonce, unique in the run; reaches the child as RACKPROOF_NONCE
  std::string head;     ///< JSON object text: who and what, kept in the journal's `begin` line
  std::vector<std::string> arguments;              ///< [0] is the absolute path of the program
  std::map<std::string, std::string> environment;  ///< set over the scrubbed environment
  std::string stdin_text;
  double deadline_seconds = 0;  ///< TERM to the group when it passes
  double grace_seconds = 5;     ///< then KILL
  bool starts_others = true;    ///< false for a program that is known to start no process
  bool tells_progress = false;  ///< gets memory to tell in how far it is (progress_page.hpp)
};

/// Who of this run is on the host of a rank.
struct HostShare {
  std::vector<std::int64_t> ranks;  ///< process ids, its own among them
  /// Looks at the host for what runs inside the ranks; one of them does.
  bool looks = true;
  std::string blind;  ///< why what others do there cannot be told; empty: it can
};

/// Something that happened to an attempt: exactly the line that the journal got.
struct Event {
  std::string attempt;
  std::string line;   ///< without the newline
  bool last = false;  ///< the `end` line: nothing more comes for this attempt
};

/// Starts programs, bounds them and keeps the journal. Behind it stands a process of its own, so
/// that neither the death of a rank nor a wedged child loses a line or leaves an orphan.
class Warden {
 public:
  virtual ~Warden() = default;

  /// Creates the journal file; it must not exist. Throws WardenError when it cannot be written.
  virtual void open_journal(const std::string& path) = 0;
  /// Appends a line (one JSON object, no newline). With `durable` it is on disk when this returns.
  /// Throws WardenError when the journal cannot be written.
  virtual void note(std::string_view line, bool durable) = 0;
  /// Says whose use of the host's processors is the run's own: the `end` line of each attempt tells
  /// what it was, and what others used.
  virtual void share_host(const HostShare& share) = 0;
  virtual void start(const Launch& launch) = 0;
  /// Ends an attempt for another's sake; its ending will be "cancelled by `by`".
  virtual void cancel(const std::string& attempt, const model::Reason<model::CancelReason>& by) = 0;
  /// Waits up to `seconds` for the first event and returns all there are. Throws WardenError when
  /// the warden is gone or its journal failed.
  virtual std::vector<Event> wait(double seconds) = 0;
  /// From now on this very process runs an attempt itself (an MPI bench); lines and events come as
  /// for a started one. If release() does not come in time, the journal gets the attempt's ending
  /// and this process is killed: a rank that hangs in a collective cannot be ended in any other
  /// way.
  virtual void guard(const std::string& attempt, const std::string& head,
                     double deadline_seconds) = 0;
  /// Where the guarded attempt tells how far it is; null: nowhere. It is empty when guard()
  /// returns.
  virtual contract::ProgressPage* progress_page() = 0;
  /// A record of the guarded attempt, without the newline.
  virtual void say(const std::string& attempt, const std::string& line) = 0;
  virtual void release(const std::string& attempt, int exit_code) = 0;
  /// Program to run if this process vanishes without close(): assembles the report from the
  /// journals.
  virtual void last_act(const std::vector<std::string>& arguments) = 0;
  /// Ends every child, closes the journal with `reason` and lets the warden go.
  virtual void close(const model::Reason<model::CloseReason>& reason) = 0;
};

}  // namespace rackproof::warden
