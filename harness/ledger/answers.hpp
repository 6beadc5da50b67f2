#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/ledger/entry.hpp"

namespace rackproof::ledger {

/// A run that a part took part in.
struct RunRef {
  std::string run;
  std::string began_utc;
  double began_seconds = 0;  ///< since 1970
  std::string suite;
  std::string rack;
  model::Acceptance acceptance = model::Acceptance::kIncomplete;
  std::string path;  ///< of the report
  /// Of its oldest number: before it began in a run that amends another (docs/retest.md).
  std::string evidence_utc = {};
  double evidence_seconds = 0;
  std::string platform = {};  ///< ids of the tables that judged it, with commas between them
};

/// A part in one run.
struct Sight {
  RunRef run;
  Place place;
  Tally tally;
};

/// Runs in which a part was at one place, one after the other.
struct Stay {
  Place place;
  std::string rack;
  std::string first_utc;
  std::string last_utc;
  std::size_t runs = 0;
};

/// A cell in one run: of a part, or of a link that ends at it.
struct CellIn {
  RunRef run;
  std::string subject;
  Quantity quantity;
  model::Outcome outcome = model::Outcome::kUntested;
  std::optional<double> observed;
  std::optional<double> low;
  std::optional<double> high;
};

struct FailureIn {
  CellIn cell;
  bool on_link = false;
  std::string reason_id;
  std::string reason;
  std::optional<double> shortfall;
};

struct WaiverIn {
  CellIn cell;
  std::string reason;
  std::string until;
  std::string approved_by;
  std::string ticket;
};

struct FindingIn {
  RunRef run;
  std::string id;
  model::Severity severity = model::Severity::kWarning;
  std::string text;
};

/// A part that a host held in the host's last run.
struct Held {
  PartKind kind = PartKind::kGpu;
  std::string code;
  Sight sight;
};

/// All that is known of a part. Newest first, but for the stays.
struct PartAnswer {
  PartKind kind = PartKind::kHost;
  std::string code;
  std::vector<Stay> stays;  ///< oldest first
  std::vector<Sight> runs;
  std::vector<FailureIn> failures;
  std::vector<FindingIn> findings;
  std::vector<CellIn> values;  ///< of its last run of each suite, the newest of each quantity
  std::vector<WaiverIn> waivers;
  std::vector<Held> held;  ///< of a host
};

/// A part with a failure in the period.
struct Worst {
  PartKind kind = PartKind::kHost;
  std::string code;
  Sight last;              ///< its last run in the period in which it was tested
  std::size_t runs = 0;    ///< in which it was tested
  std::size_t failed = 0;  ///< of them
  std::optional<FailureIn> worst;
  std::optional<FindingIn> finding;  ///< the last one that isolates it, where no cell of it failed
};

/// Why a host is due.
enum class Due { kNever, kPartly, kOld };

inline constexpr std::array kDueWords = {contract::Word{Due::kNever, "never-accepted"},
                                         contract::Word{Due::kPartly, "never-whole"},
                                         contract::Word{Due::kOld, "too-old"}};
constexpr const auto& words_of(Due) { return kDueWords; }

struct DueHost {
  std::string host;
  Due why = Due::kNever;
  std::optional<RunRef> last;      ///< its last run, whatever came of it
  std::optional<RunRef> accepted;  ///< its last accepted one
  std::optional<RunRef> whole;     ///< its last accepted one that left out no step
};

struct DueAnswer {
  std::size_t hosts = 0;  ///< that are known
  std::vector<DueHost> due;
};

/// Failures of one sort in the period.
struct FailureGroup {
  std::string kind;    ///< host, gpu, nic, link or group
  std::string metric;  ///< empty: a finding that isolates
  std::string id;      ///< of the reason, or of the finding
  std::size_t cells = 0;
  std::size_t parts = 0;  ///< or links, or groups
  std::size_t runs = 0;
  std::optional<double> shortfall;  ///< the largest
  std::string last_utc;
};

/// How often parts of a kind failed that had been good.
struct PartRate {
  PartKind kind = PartKind::kGpu;
  std::size_t failures = 0;  ///< times that one failed which had not in its run before
  double days = 0;           ///< from the first to the last run of each part, together
};

struct FailuresAnswer {
  std::size_t runs = 0;      ///< in the period
  std::size_t rejected = 0;  ///< of them
  std::vector<FailureGroup> groups;
};

}  // namespace rackproof::ledger
