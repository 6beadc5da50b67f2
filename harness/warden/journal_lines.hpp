#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "reports/model/host_load.hpp"
#include "reports/model/progress.hpp"
#include "reports/model/states.hpp"

namespace rackproof::warden {

/// How an attempt ended, as far as its warden can see.
struct EndFacts {
  double seconds = 0;
  std::string spawn_error;                          ///< not empty: never started
  model::Reason<model::ProcessState> wedged_state;  ///< not empty: KILL did not end it
  int signal = 0;                                   ///< not 0: ended by it
  int exit_code = 0;
  model::Reason<model::CancelReason> cancelled_by;
  bool timed_out = false;
  bool killed = false;                       ///< TERM was not enough
  model::Reason<model::ProcessState> state;  ///< when its deadline passed
  bool leaked = false;                       ///< something kept its descriptors open
  int stragglers = 0;                        ///< processes it left behind, killed
  std::int64_t oom_kills = 0;                ///< meanwhile, in our memory cgroup
  std::int64_t dropped_lines = 0;
  std::int64_t out_bytes = 0;
  std::int64_t err_bytes = 0;
  std::string err;
  model::HostLoad load;                     ///< what else ran on the host meanwhile
  std::optional<model::Progress> progress;  ///< of a member of a group that did not end well
};

/// The three kinds of line that the warden writes about an attempt; `t` is seconds since the
/// journal was opened. Everything else in a journal comes from the rank (wire/journal.hpp reads
/// them all).
std::string begin_line(const std::string& attempt, double t, const std::string& head,
                       double deadline_seconds, std::int64_t pid);
std::string out_line(const std::string& attempt, const std::string& text, bool whole);
std::string end_line(const std::string& attempt, double t, const EndFacts& facts);
/// The last line of a journal.
std::string close_line(double t, const std::string& utc,
                       const model::Reason<model::CloseReason>& reason);
/// Whether a line of a journal is such a one, with or without its seal.
bool is_close_line(std::string_view line);
/// Whether it is the last whole line of a journal.
bool ends_closed(std::string_view journal);

}  // namespace rackproof::warden
