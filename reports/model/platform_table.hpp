#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/model/demand.hpp"
#include "reports/model/extent.hpp"
#include "reports/model/finding.hpp"
#include "reports/model/measurement.hpp"

namespace rackproof::model {

/// Where a figure comes from.
struct Source {
  std::string title;
  /// datasheet, vendor-measured, third-party-measured, published-threshold, measured-here, derived
  std::string kind;
  std::string date;      ///< YYYY-MM-DD or YYYY-MM
  std::string software;  ///< versions that the figure was taken with
  std::string note;
  std::optional<std::int64_t> n = {};  ///< samples, devices or nodes behind it
  std::string size = {};               ///< of the problem, as the source says it: "8 GiB"
  std::string scale = {};              ///< of the machine: "8 GPUs, 1 node"

  bool operator==(const Source&) const = default;
};

/// How a baseline judges. kAbsolute: against `expected`. kFraction: against `expected` times the
/// fact named `of` (a peak that the inventory states or computes). kCorrectness: verified and above
/// zero. kCurve: against a latency-bandwidth model through `points`, inside their span. kBound:
/// against `expected` times what topology and inventory allow at most, the BoundOf named `of`.
enum class BaselineKind { kAbsolute, kFraction, kCorrectness, kCurve, kBound };

/// What a bound is computed of (harness/limits/bound.hpp): NVLink and network of a group, for its
/// bandwidth, for the time that NCCL's model says and for each pair in it; clock and
/// width of a GPU's memory, for what is read or written once and for copies within it; its
/// multiprocessors' clock and operations by type; its power limit; generation and width of its PCIe
/// link; what it sends over NVLink; channels and speed of the host's memory; its cores' clock and
/// operations.
enum class BoundOf {
  kCollective,
  kNcclModel,
  kPair,
  kGpuMemory,
  kGpuCopy,
  kGpuFlops,
  kGpuPower,
  kPcie,
  kNvlink,
  kHostMemory,
  kHostFlops
};

/// A figure of a collective at one size and scale; `value` is in the unit of its baseline.
struct CurvePoint {
  std::int64_t bytes = 0;
  std::int64_t ranks = 0;
  std::int64_t nodes = 1;
  double value = 0;

  bool operator==(const CurvePoint&) const = default;
};

/// What a cell must reach on a platform. Values are in the base unit of the metric.
struct Baseline {
  std::string id;                   ///< unique in its table
  std::string metric;               ///< glob over metric names ("stream.*")
  contract::Parameters parameters;  ///< each must equal the cell's; a text may be a glob
  BaselineKind kind = BaselineKind::kAbsolute;
  double expected = 0;
  std::string unit;  ///< base unit; "ratio" for kFraction and kBound; empty for kCorrectness
  std::string of;    ///< kFraction: name of the inventory fact; kBound: the word of a BoundOf
  std::optional<double> tolerance_below;  ///< fraction of expected
  std::optional<double> tolerance_above;
  contract::Statistic statistic = contract::Statistic::kMedian;
  std::optional<std::int64_t> nodes_min;  ///< applies from this many hosts in the subject's group
  std::optional<std::int64_t> nodes_max;
  /// Conditions that the measurement must show: with others it fails, without them it is unjudged.
  contract::Parameters demand = {};
  /// It applies only to measurements that show these conditions; a text may be a glob.
  contract::Parameters when = {};
  std::string backend = {};             ///< glob over the backend of the cell's step; empty: any
  std::vector<CurvePoint> points = {};  ///< kCurve
  bool smaller_by_correctness = false;  ///< kCurve: below its sizes only the answer is judged
  Source source;
  std::string table;     ///< id of the table that wrote it (a family, when inherited)
  bool generic = false;  ///< that table is, so a limit of it says nothing of a machine type

  bool operator==(const Baseline&) const = default;
};

/// A cell that does not apply on this platform, and why.
struct Waiver {
  std::string metric;
  contract::Parameters parameters;
  std::string reason;

  bool operator==(const Waiver&) const = default;
};

/// What an inventory fact of each host must be, and what its being otherwise means.
struct FactExpectation {
  FactRule rule;
  Severity severity = Severity::kWarning;  ///< kError: the machine cannot be accepted
  std::string remedy;                      ///< one line; may be empty

  bool operator==(const FactExpectation&) const = default;
};

/// A machine type, with everything it inherits already folded in.
struct PlatformTable {
  std::string id;
  std::string title;
  std::vector<std::string> chain;   ///< this table first, then what it extends
  bool generic = false;             ///< its checks say nothing about a particular machine
  bool is_abstract = false;         ///< a family: never recognised
  std::vector<FactRule> recognise;  ///< all must hold
  std::vector<FactExpectation> expect;
  std::map<std::string, contract::Scalar> facts;  ///< datasheet peaks, by name, in base units
  std::map<std::string, Source> fact_sources;
  std::vector<Baseline> baselines;  ///< most specific table first
  std::vector<Waiver> waivers;
  /// Where like parts may fall into two groups, and why both are right.
  std::vector<Waiver> groups = {};
  std::vector<Demand> demands = {};  ///< all of them hold, whichever table of the chain wrote them
  std::string digest;                ///< sha256 over the files it was read from
  Extent extent = {};                ///< of one whole machine of this type

  bool operator==(const PlatformTable&) const = default;
};

}  // namespace rackproof::model
