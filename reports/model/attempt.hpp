#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "reports/model/host_load.hpp"
#include "reports/model/measurement.hpp"
#include "reports/model/progress.hpp"
#include "reports/model/recording.hpp"
#include "reports/model/states.hpp"

namespace rackproof::model {

/// The closed list of ways an attempt can end.
namespace ending {
/// The process ended by itself and its transcript is whole.
struct Completed {
  int exit_code = 0;
  bool operator==(const Completed&) const = default;
};
/// Ended by a signal that the warden did not send.
struct Signalled {
  int signal = 0;
  bool operator==(const Signalled&) const = default;
};
/// Its deadline passed; TERM, then KILL when that was not enough.
struct TimedOut {
  double after_seconds = 0;
  bool needed_kill = false;
  Reason<ProcessState> state;  ///< what the process was doing
  bool operator==(const TimedOut&) const = default;
};
/// Stopped by us for another's sake.
struct Cancelled {
  Reason<CancelReason> by;
  bool operator==(const Cancelled&) const = default;
};
/// The program could not be started.
struct SpawnFailed {
  std::string what;
  bool operator==(const SpawnFailed&) const = default;
};
/// The process ended, something that it left behind kept its descriptors or went on running.
struct Leaked {
  int exit_code = 0;
  std::string what;
  bool operator==(const Leaked&) const = default;
};
/// The process ended, its transcript has no `end`.
struct Truncated {
  int exit_code = 0;
  std::string what;
  bool operator==(const Truncated&) const = default;
};
/// The transcript breaks the protocol: not JSON, stale nonce, records after `end`, wrong unit...
struct Garbled {
  int exit_code = 0;
  std::string what;
  bool operator==(const Garbled&) const = default;
};
/// KILL did not end it: a wedged driver.
struct Wedged {
  double after_seconds = 0;
  Reason<ProcessState> state;
  bool operator==(const Wedged&) const = default;
};
/// The rank that ran it is gone; its journal ends in the middle.
struct RankLost {
  std::string what;
  bool operator==(const RankLost&) const = default;
};
}  // namespace ending

using Ending = std::variant<ending::Completed, ending::Signalled, ending::TimedOut,
                            ending::Cancelled, ending::SpawnFailed, ending::Leaked,
                            ending::Truncated, ending::Garbled, ending::Wedged, ending::RankLost>;

/// "completed", "signalled", "timed-out", ...: the word in reports.
std::string word(const Ending& ending);

/// One sentence for people: "ended by signal 11 (SIGSEGV)".
std::string sentence(const Ending& ending);

/// One try at a step by one process.
struct Attempt {
  std::string nonce;
  std::string step;
  int resumed = 0;  ///< how often the run had been resumed by then
  int number = 1;   ///< 1 for the first try, again after each resume
  /// Made after all others of its step to confirm that a part is slower than its peers: its numbers
  /// are those of Cell::confirmations.
  bool confirms = false;
  /// Made by a part of a group that had failed, to find which member it is: none of its numbers
  /// counts.
  bool narrows = false;
  int rank = 0;
  int member = 0;   ///< its number in the group that makes the attempt together
  int members = 0;  ///< size of that group; 0: it works alone
  std::string host;
  Subject subject;
  std::string bench;
  std::string backend;
  std::string version;
  std::vector<std::string> arguments;
  /// The device that it was given, where its subject is none: that of a member of a group. In
  /// memory only: in reports the arguments say it.
  std::string device;
  std::map<std::string, std::string> build;
  std::map<std::string, std::string> libraries;
  std::string fault_injected;  ///< not empty: a test-only fault was on, nothing here can pass
  double began_seconds = 0;    ///< since its rank's journal was opened
  double seconds = 0;
  Ending ending = ending::Completed{};
  std::vector<CheckResult> checks;
  std::vector<std::string> notes;
  std::vector<Measurement> measurements;  ///< in memory only; reports keep them in cells
  std::string stderr_tail;
  HostLoad load;                        ///< what else ran on its host meanwhile
  std::optional<Progress> progress;     ///< of a member of a group that did not end well
  std::vector<SeriesSummary> recorded;  ///< what its host was recorded to do meanwhile

  bool operator==(const Attempt&) const = default;
};

/// The device that the attempt worked on, when it was one alone: its subject's, or the one that it
/// was given. Else empty.
std::string device_of(const Attempt& attempt);

/// The device that arguments name, for documents that say it in no other way.
std::string device_among(const std::vector<std::string>& arguments);

}  // namespace rackproof::model
