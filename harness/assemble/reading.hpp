#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/assemble/assemble.hpp"
#include "harness/config/document.hpp"
#include "harness/wire/journal.hpp"
#include "harness/wire/transcript.hpp"
#include "reports/model/report.hpp"
#include "reports/model/states.hpp"

namespace rackproof::assemble {

/// What a file is: how long, and which.
struct FileSum {
  std::int64_t bytes = 0;
  std::int64_t lines = 0;
  std::string sha256;
  std::string head;  ///< the seal of its last whole line
};

/// Sums up a journal as it comes, in parts of any size.
class Summing {
 public:
  void feed(std::string_view part);
  FileSum whole() const;
  /// The same without the last line when that is the close of the journal.
  FileSum without_close() const;

 private:
  config::Sha256 digest_;  ///< of what is not in tail_
  std::string previous_;   ///< the last whole line of that
  std::string tail_;       ///< the last whole line, and what follows it
  std::int64_t bytes_ = 0;
  std::int64_t lines_ = 0;
};

/// The journal of one rank in one segment.
struct RankJournal {
  std::string name;
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
  std::vector<wire::Damage> damages;
  FileSum whole;
  FileSum without_close;
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

struct Roll {
  std::string step;
  std::vector<int> missing;
};

/// Everything the journals say, before it becomes a report.
struct Reading {
  model::Report report;  ///< tool, run, suite, nodes, platforms, steps, cells, findings, ranks
  /// The same as the last segment with a whole plan told it, once a later one has begun.
  std::optional<model::Report> planned;
  bool plan_is_whole = false;  ///< that of `report`
  std::vector<RankJournal> journals;
  std::map<int, Segment> segments;
  std::map<std::string, HowFar> steps;
  std::map<int, Loss> lost;  ///< by rank, as rank 0 noticed
  std::set<int> never_arrived;
  std::vector<Roll> rolls;
  std::vector<std::string> attempt_order;  ///< nonces as first seen
  std::map<std::string, wire::Transcript> transcripts;
  std::map<std::string, int> segment_of;  ///< attempt -> segment
};

/// True for what rank 0 kept of the journal of a rank whose disk it cannot see.
bool is_gathered(const std::string& name);

/// The journal of a rank in one segment; null when there is none.
const RankJournal* journal_of(const Reading& reading, int segment, int rank);

/// Reads all journals, in order of segment and rank. Throws NoRun.
Reading read(const std::vector<JournalFile>& journals);

}  // namespace rackproof::assemble
