#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/ingest/transcript.hpp"
#include "harness/journal/entry.hpp"
#include "reports/model/cell_key.hpp"
#include "reports/model/report.hpp"
#include "reports/model/states.hpp"

namespace rackproof::ingest {

/// What the journal of one rank in one segment says of itself.
struct JournalHead {
  int segment = 1;
  int rank = 0;
  std::string host;
  bool closed = false;  ///< it has a last line
  model::Reason<model::CloseReason> close_reason;
  std::string close_utc;
  std::string last_step;  ///< of the attempts in it; empty: none
  std::string opened_utc;
  std::string boot;             ///< the kernel's id of the boot of its host; empty: not known
  double opened_monotonic = 0;  ///< CLOCK_MONOTONIC of its host when it was opened; 0: not known
  double last_t = 0;            ///< the latest time in it
};

/// What rank 0 wrote about one segment of the run.
struct Segment {
  int number = 0;
  bool planned = false;  ///< the whole plan is there: as many steps and cells as it says
  bool ended = false;
  bool completed = false;
  bool interrupted = false;
  std::string stopping_utc;  ///< when it was asked to stop; empty: it was not
  double seconds = 0;
  std::string ended_utc;
  model::SegmentInfo made_with;
};

/// How far a step came.
struct HowFar {
  model::StepState state = model::StepState::kNotReached;
  model::Reason<model::StepReason> reason;
};

/// A rank that rank 0 gave up.
struct Loss {
  std::string why;
  std::string last_step;  ///< that it reached; empty: none
};

/// Ranks that did not come to a step.
struct Roll {
  std::string step;
  std::vector<int> missing;
};

/// What a warden saw of an attempt beside its ending.
struct Oddities {
  bool dropped_output = false;
  int leftovers = 0;
  int oom_kills = 0;
};

/// A run as far as its journals have told it: the report, and what it takes to read on. While a run
/// goes on rank 0 keeps the account of what it writes and hears; assemble makes the same one of
/// the files.
struct Account {
  /// tool, run, suite, nodes, platforms, steps, cells, findings, ranks, and the attempts of steps.
  /// What they measured is in the cells once the plan is whole; what no cell expects stays with
  /// its attempt.
  model::Report report;
  /// The same as the last segment with a whole plan told it, once a later one has begun.
  std::optional<model::Report> planned;
  bool plan_is_whole = false;                 ///< that of `report`
  std::map<std::string, int> segment_of;      ///< attempt -> segment
  std::map<std::string, Transcript> running;  ///< attempts without an end yet
  std::map<std::string, Transcript> others;   ///< those that ended, and are of no step
  std::map<std::string, Oddities> odd;        ///< by attempt: those with something to tell
  std::map<int, Segment> segments;
  std::map<std::string, HowFar> steps;
  /// The segment that began with a repair, the last of them; 0: none. What earlier ones measured
  /// counts where it was kept.
  int repaired_in = 0;
  /// What it set back: attempts by step and label of their subject.
  std::map<std::string, std::map<std::string, std::vector<model::Attempt>>> set_back;
  std::map<int, Loss> lost;  ///< by rank, as rank 0 noticed
  std::set<int> never_arrived;
  std::vector<Roll> rolls;
  std::map<model::CellKey, std::size_t> cell_at;
};

/// Takes the next entry of a journal into the account. An attempt is taken whole when its end
/// comes; lines after it say nothing. Throws model::BadReport for what no run can mean.
void apply(const journal::Entry& entry, JournalHead& from, Account& account);

/// The same for all entries of an attempt at once, which were read as they came. Gives the attempt
/// as it is in the report; null for one of no step.
const model::Attempt* apply(Transcript&& transcript, const JournalHead& from, Account& account);

/// Nothing more will come: attempts without an end are lost with their ranks, and a plan that is
/// not whole counts for nothing where an earlier one was.
void conclude(Account& account);

}  // namespace rackproof::ingest
