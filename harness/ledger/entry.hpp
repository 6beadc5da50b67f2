#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "contract/subject_kind.hpp"
#include "contract/words.hpp"
#include "reports/model/report.hpp"

namespace rackproof::ledger {

/// What is followed from run to run.
enum class PartKind { kHost, kGpu, kNic };

inline constexpr std::array kPartKindWords = {contract::Word{PartKind::kHost, "host"},
                                              contract::Word{PartKind::kGpu, "gpu"},
                                              contract::Word{PartKind::kNic, "nic"}};
constexpr const auto& words_of(PartKind) { return kPartKindWords; }

/// Where a part was in a run.
struct Place {
  std::string host;
  std::string name;    ///< index of a GPU, name of an adapter; empty for a host
  std::string pci;     ///< address; empty: not known
  std::string serial;  ///< as it was read there; empty: not known

  bool operator==(const Place&) const = default;
};

/// "hgx-02", "hgx-02 GPU 5", "hgx-02 NIC mlx5_0": as reports name a part.
std::string name_of(PartKind kind, const Place& place);

/// Stands above every shortfall: that of a cell which failed without one.
inline constexpr double kWithoutNumber = 2;

/// What became of a part in a run.
struct Tally {
  model::Counts required;        ///< its own required cells; none of links
  std::size_t failed_links = 0;  ///< required cells that failed of links that end at it
  std::size_t isolating = 0;     ///< findings that want it out of service
  double worst = 0;  ///< the largest shortfall of its own cells that failed, or kWithoutNumber

  bool operator==(const Tally&) const = default;
};

/// fail when a required cell of its own failed or a finding isolates it; else the worst of
/// untested, unjudged, waived, verified and pass that one of its required cells is; nothing when it
/// has none.
std::optional<model::Outcome> outcome_of(const Tally& tally);

struct PartSeen {
  PartKind kind = PartKind::kHost;
  std::string code;  ///< UUID of a GPU, node GUID or address of an adapter, name of a host
  Place place;
  Tally tally;
};

/// What cells are about: a part, a link between two, or a group, which is none.
struct SubjectSeen {
  contract::SubjectKind kind = contract::SubjectKind::kNode;
  std::string label;
  std::string members;  ///< of a group: its hosts
  std::optional<std::size_t> part;
  std::optional<std::size_t> peer;  ///< the other end of a link
};

struct Quantity {
  std::string step;
  std::string metric;
  std::string parameters;  ///< as text
  std::string unit;        ///< base unit; empty: nothing was measured

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy takes the 0 inside a default <=> for a null.
  auto operator<=>(const Quantity&) const = default;
};

struct CellSeen {
  std::size_t subject = 0;
  std::size_t quantity = 0;
  bool required = true;
  model::Outcome outcome = model::Outcome::kUntested;
  std::optional<double> observed;  ///< in the quantity's unit, as the limits
  std::optional<double> low;
  std::optional<double> high;
};

/// A required cell that failed.
struct FailureSeen {
  std::size_t cell = 0;
  std::string reason_id;
  std::string reason;
  std::optional<double> shortfall;
};

struct WaiverSeen {
  std::size_t cell = 0;
  std::string reason;
  std::string until;  ///< the last day; empty: waived by suite or table, for as long as they say so
  std::string approved_by;
  std::string ticket;
};

/// A finding of severity warning or worse that names a part.
struct FindingSeen {
  std::size_t part = 0;
  std::string id;
  model::Severity severity = model::Severity::kWarning;
  std::string text;
};

/// What a ledger keeps of one report. Numbers of others point into `parts`, `subjects`,
/// `quantities` and `cells`.
struct Entry {
  std::string digest;  ///< SHA-256 of the file, 32 bytes
  std::string path;    ///< of the file, in full
  std::string run;
  std::string began_utc;
  std::string ended_utc;
  std::string evidence_utc;  ///< since when its numbers are, where it amends another run
  std::string suite;
  std::string rack;      ///< label `rack`
  std::string platform;  ///< ids of the tables that judged it, with commas between them
  model::Acceptance acceptance = model::Acceptance::kIncomplete;
  int segments = 1;
  std::size_t left_out = 0;        ///< steps that a selection or a plan left out
  std::size_t left_out_hosts = 0;  ///< hosts of the job on which nothing was done
  std::vector<PartSeen> parts;
  std::vector<SubjectSeen> subjects;
  std::vector<Quantity> quantities;
  std::vector<CellSeen> cells;
  std::vector<FailureSeen> failures;
  std::vector<WaiverSeen> waivers;
  std::vector<FindingSeen> findings;
};

/// How far a failed cell is on the wrong side, as a share between 0 and 1: how much worse than its
/// peers or its own history where that is why it fails (Verdict::deficit), else 1 - value / limit
/// for a lower and 1 - limit / value for an upper limit. Nothing for what failed otherwise, such as
/// a wrong answer.
std::optional<double> shortfall_of(const model::Verdict& verdict);

/// Pure. Throws UsageError for a report that has a cell twice.
Entry entry_of(const model::Report& report, std::string digest, std::string path);

}  // namespace rackproof::ledger
