#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/model/amends.hpp"
#include "reports/model/attempt.hpp"
#include "reports/model/cause.hpp"
#include "reports/model/cell_waiver.hpp"
#include "reports/model/claim.hpp"
#include "reports/model/extent.hpp"
#include "reports/model/finding.hpp"
#include "reports/model/inventory.hpp"
#include "reports/model/journal.hpp"
#include "reports/model/measurement.hpp"
#include "reports/model/metric_bound.hpp"
#include "reports/model/platform_table.hpp"
#include "reports/model/recording.hpp"
#include "reports/model/states.hpp"
#include "reports/model/suite_plan.hpp"
#include "reports/model/verdict.hpp"

namespace rackproof::model {

/// Version of the report document: major.minor. A reader refuses a newer major or minor.
inline constexpr const char* kSchemaVersion = "1.9";

/// One expected result: step x subject x metric x parameters, with its one verdict.
struct Cell {
  std::string id;  ///< stable text built from the four, unique in a run
  std::string step;
  Subject subject;
  std::string metric;
  contract::Parameters parameters;
  bool required = true;
  std::string waived;  ///< reason, when the suite waives it
  /// All measurements of this cell, in the order of their attempts (more than one after a repeat).
  std::vector<Measurement> measurements;
  /// Those of attempts that confirm: of suspects, and of parts beside them.
  std::vector<Measurement> confirmations = {};
  Verdict verdict;
  /// Of one that failed or is untested although it was tried: what may explain it.
  std::vector<Cause> causes = {};
  /// Since when what counts for it is known, where that is older than the run: a report that amends
  /// another one keeps what that one measured. Empty: since this run.
  std::string evidence_utc = {};

  bool operator==(const Cell&) const = default;
};

/// A rank of the run and what became of it.
struct RankInfo {
  int rank = 0;
  std::string host;
  int local_rank = 0;
  std::int64_t pid = 0;
  RankState state = RankState::kUnknown;
  std::string detail;
  std::string journal;  ///< path relative to the report

  bool operator==(const RankInfo&) const = default;
};

/// A step of the suite and how far it came.
struct StepInfo {
  std::string id;
  std::string title;
  std::string bench;
  std::string backend;
  std::string placement;  ///< device, node, world, groups
  int attempts_allowed = 1;
  bool unavailable_waives = false;  ///< exit 3 of its bench makes its cells `waived`
  StepState state = StepState::kNotReached;
  Reason<StepReason> reason;  ///< why it was not done, or not to its end
  /// Of the hosts that were tested those that the selection kept it to, sorted; empty: all.
  std::vector<std::string> only_hosts = {};
  int repeat = 1;  ///< so many attempts must measure it, and all of them count

  bool operator==(const StepInfo&) const = default;
};

/// What becomes of a cell whose limit still lies inside its interval after the last attempt.
enum class Straddle { kFail, kPass, kUnjudged };

/// What becomes of what was measured while other programs ran: it is measured again, and is
/// untested when that does not help, or it is taken as if nothing had been.
enum class Disturbed { kRepeat, kIgnore };

/// Whose recording a run cannot do without: without it an error of the hardware that nobody could
/// see would pass for none.
enum class Recorded { kOptional, kWithGpus, kAlways };

/// What the suite asks of the judge.
struct JudgePolicy {
  bool peer_outlier_fails = false;
  int peer_minimum = 4;        ///< fewer like subjects are not compared
  double family_alpha = 0.05;  ///< chance of one false alarm in the whole run
  double confidence = 0.95;    ///< of the intervals
  Straddle straddle = Straddle::kFail;
  double discovery_rate = 0.05;  ///< share of false ones among the findings about peers
  /// A cell that is worse than the median of its peers by more than this share is a suspect: it is
  /// measured again.
  double peer_effect = 0.03;
  Disturbed disturbed = Disturbed::kRepeat;
  /// Of the processors' time: an attempt from which others took more was disturbed.
  double disturbed_share = 0.03;
  /// Why like parts may fall into two groups; empty: they may only where their table says so.
  std::string accept_groups = {};
  Recorded recorded = Recorded::kOptional;
  double peer_margin = 0.05;   ///< the deficit that the later values of a suspect may show
  int peer_confirmations = 4;  ///< how often suspects, and parts beside them, are measured again

  bool operator==(const JudgePolicy&) const = default;
};

struct SuiteInfo {
  std::string id;
  std::string title;
  std::string digest;  ///< sha256 of the file
  JudgePolicy policy;
  std::vector<Suppression> suppress = {};
  Extent extent = {};
  std::vector<Claim> claims = {};      ///< empty: each step is one
  std::optional<SuitePlan> plan = {};  ///< of one that `rackproof plan` made
  double valid_seconds = 0;            ///< for how long a machine is accepted by it; 0: nobody says

  bool operator==(const SuiteInfo&) const = default;
};

/// When and by which build `rackproof prove` last planted faults from here, and how many were
/// found.
struct ProofInfo {
  std::string utc;  ///< RFC 3339; empty: never, as far as is known
  std::string version;
  std::string commit;
  int ranks = 0;
  int caught = 0;
  int missed = 0;
  int not_proven = 0;

  bool operator==(const ProofInfo&) const = default;
};

struct ToolInfo {
  std::string version;
  std::string commit;
  std::map<std::string, std::string> build;
  std::map<std::string, std::string> bench_sha256;  ///< program name -> digest
  ProofInfo proof;

  bool operator==(const ToolInfo&) const = default;
};

struct RunInfo {
  std::string id;
  std::string began_utc;  ///< RFC 3339
  std::string ended_utc;  ///< empty when the run did not end by itself
  double seconds = 0;
  std::vector<std::string> command;
  std::string launcher;  ///< solo, mpirun, srun
  std::map<std::string, std::string> labels;
  int ranks = 1;
  bool completed = false;    ///< every planned step was reached
  bool interrupted = false;  ///< by a signal
  int segments = 1;          ///< 1, plus one for each resume
  PlatformChoice platform_choice = PlatformChoice::kUnknown;
  std::vector<std::string>
      required;        ///< kinds of hardware without which nothing is accepted: "gpu"
  Extent extent = {};  ///< of --expect
  /// Claims that need not be held, and why.
  std::map<std::string, std::string> accept_unjudged = {};
  std::vector<CellWaiver> waivers = {};  ///< what this site excuses for a time
  /// Hosts of the job on which --only-host or --failed had nothing done, sorted: they have no
  /// inventory here.
  std::vector<std::string> left_out_hosts = {};

  bool operator==(const RunInfo&) const = default;
};

/// What one part of a resumed run was made with.
struct SegmentInfo {
  int segment = 1;
  std::string began_utc;
  std::vector<std::string> command;
  ToolInfo tool;
  std::string suite_digest;
  PlatformChoice platform_choice = PlatformChoice::kUnknown;
  std::map<std::string, std::string> platforms;         ///< id of a table -> digest
  std::map<std::string, std::string> platform_of_host;  ///< host -> id

  bool operator==(const SegmentInfo&) const = default;
};

/// kVerified: everything is right, and nothing says whether all that the suite claims is fast.
enum class Acceptance { kAccepted, kRejected, kIncomplete, kVerified };

struct Counts {
  int pass = 0;
  int verified = 0;
  int fail = 0;
  int unjudged = 0;
  int untested = 0;
  int waived = 0;

  bool operator==(const Counts&) const = default;
};

/// How many of an outcome.
int& count_of(Counts& counts, Outcome outcome);
int count_of(const Counts& counts, Outcome outcome);
/// Of all outcomes together.
int total(const Counts& counts);

/// What earlier accepted runs measured of one cell of a device, or of a node.
struct History {
  std::string subject;  ///< UUID of the device, or the host
  std::string step;
  std::string metric;
  contract::Parameters parameters;
  std::string unit;
  contract::Statistic statistic =
      contract::Statistic::kMedian;  ///< which one `values` are: the one that was judged
  std::vector<double> values;        ///< one for each run, oldest first

  bool operator==(const History&) const = default;
};

/// The document of a run. Everything the judge needs to judge again is in it.
struct Report {
  std::string schema_version = kSchemaVersion;
  ToolInfo tool;
  RunInfo run;
  std::optional<Amends> amends;       ///< of a run after a repair
  std::vector<SegmentInfo> segments;  ///< of a resumed run, in order; else empty
  std::vector<RankInfo> ranks;
  std::vector<NodeInventory> nodes;  ///< one for each host, sorted by host
  /// Tables used, by id, and the table of each host.
  std::vector<PlatformTable> platforms;
  std::map<std::string, std::string> platform_of_host;
  SuiteInfo suite;
  CauseTable cause_table;           ///< empty: cells are not explained
  std::vector<MetricBound> bounds;  ///< of the metrics of its cells, as its benches state them
  std::vector<StepInfo> steps;
  std::vector<Attempt> attempts;
  std::vector<Cell> cells;
  std::vector<History> history;           ///< of the subjects here, when the judge was given any
  std::vector<JournalInfo> journals;      ///< that it was made out of, sorted by file
  std::vector<RecordingInfo> recordings;  ///< one for each host and segment that was recorded
  std::vector<Event> events;              ///< that the hosts told meanwhile, by time
  std::vector<Finding> findings;
  Acceptance acceptance = Acceptance::kIncomplete;
  std::string acceptance_reason;
  Counts counts;                          ///< of all cells
  Counts required_counts;                 ///< of required cells
  std::vector<ClaimState> judged_claims;  ///< of the suite's, those that concern something here

  bool operator==(const Report&) const = default;
};

/// True when others took more of the processors' time from the attempt than the policy lets pass,
/// whatever is to become of its numbers.
bool was_disturbed(const JudgePolicy& policy, const Attempt& attempt);

/// True for a step that --filter, --exclude, --only-host or --failed kept from the run.
bool is_left_out(const StepInfo& step);

/// The ids of the steps that were left out, in the order of the suite.
std::vector<std::string> left_out_steps(const Report& report);

/// These, and those of the whole suite that a planned suite does not have (SuiteInfo::plan).
std::vector<std::string> steps_not_run(const Report& report);

/// What was judged: "18 hosts, 72 GPUs", or "17 of 18 hosts, 68 of 72 GPUs" where somebody said
/// what should be there, or hosts of the job were left out, and of how many steps when some were.
std::string scope_of(const Report& report);

/// The first words of the verdict: "ACCEPTED", "VERIFIED, NOT ACCEPTED".
std::string verdict_word(Acceptance acceptance);

/// The sentence behind the word of the verdict: what was judged, and why it came out so.
std::string verdict_text(const Report& report);

/// What a report amends, and what was measured again: "amends the report of 2026-11-20 (rejected):
/// gb-07 repaired, ticket 4711: 412 of 5743 results measured again"; empty when it amends none.
std::string amends_text(const Report& report);

/// Exit code of the harness for an acceptance: 0, 3, 4 or 7.
int exit_code_of(Acceptance acceptance);

}  // namespace rackproof::model
