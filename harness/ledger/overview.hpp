#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "harness/ledger/answers.hpp"
#include "harness/ledger/file.hpp"

namespace rackproof::ledger {

/// What became of a part between two runs of a rack.
enum class Turn { kFails, kGone, kUndecided, kMoved, kCame, kRecovered };

struct PartChange {
  Turn turn = Turn::kFails;
  PartKind kind = PartKind::kHost;
  std::string code;
  Place place;                       ///< in the newer run; of what is gone, in the older
  std::optional<Place> before = {};  ///< of what moved
  std::size_t with = 0;  ///< of a host that came or is gone: parts in it, which are not told apart
};

/// Cells of a run that were waived for one reason.
struct OpenWaiver {
  std::string reason;
  std::string until;  ///< the last day; empty: for as long as suite or table say so
  std::string approved_by;
  std::string ticket;
  std::string metric;       ///< one of them
  std::size_t metrics = 0;  ///< how many different ones
  std::string subject;      ///< one of them
  std::size_t subjects = 0;
  std::size_t cells = 0;
};

/// The runs of one suite on one rack.
struct Line {
  std::string rack;  ///< label `rack` of the runs; without it their first host by name
  std::string suite;
  std::vector<std::size_t> runs;  ///< places in Overview::runs, newest first; never empty
  std::size_t hosts = 0;          ///< in the newest run
  std::size_t gpus = 0;
  std::size_t left_out_hosts = 0;  ///< of the job of the newest run
  /// The last run before the newest of those that left out no host; where all did, the last one.
  std::optional<std::size_t> before = {};
  std::vector<PartChange> changes;  ///< from that to the newest, gravest first
  std::vector<OpenWaiver> waivers;  ///< in the newest run, those that end first first
};

/// What a page about a fleet is made of.
struct Overview {
  std::vector<RunRef> runs;  ///< newest first
  std::vector<Line> lines;   ///< by rack and suite
};

/// A run in the history of a part; nothing of it was required where it has no outcome.
struct PartRun {
  double began_seconds = 0;
  std::string began_utc;
  std::optional<model::Outcome> outcome;
};

/// A part that failed, moved, or is not seen any more.
struct PartHistory {
  PartKind kind = PartKind::kGpu;
  std::string code;
  std::vector<Stay> stays;          ///< oldest first
  std::vector<PartRun> runs;        ///< newest first
  std::optional<Worst> worst = {};  ///< where it failed
  /// When its host was seen without it first, after it was seen last; empty: never.
  std::string lost_utc = {};
  std::string heir = {};      ///< what was seen at its last place after it; empty: nothing
  std::string heir_utc = {};  ///< since when
};

struct Histories {
  std::vector<PartHistory> parts;  ///< those that failed first, as the worst of them were given
  std::size_t left_out = 0;
};

/// Each rack and suite with a run that began at `since` or later. Throws UsageError as the
/// questions of ask.hpp do.
Overview ask_overview(LedgerFile& ledger, double since);

/// Of the parts in `worst` (as ask_worst() gives them for the same time), then of those without a
/// failure that their host is seen without, then of those that moved, at most `most`; the others
/// are counted. Throws UsageError.
Histories ask_histories(LedgerFile& ledger, double since, const std::vector<Worst>& worst,
                        std::size_t most);

struct PartThen {
  PartKind kind = PartKind::kHost;
  std::string code;
  Place place;
  std::optional<model::Outcome> outcome;
};
/// A run as changes_between() compares it.
struct RunThen {
  std::vector<PartThen> parts;
  bool is_whole = true;  ///< it left out no host of the job
};

/// From the parts of a run to those of the next. Of a run that left out hosts a host that is not
/// in it is neither gone nor new. Pure; gravest first, then by name.
std::vector<PartChange> changes_between(const RunThen& before, const RunThen& now);

}  // namespace rackproof::ledger
