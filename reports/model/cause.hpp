#pragma once

#include <optional>
#include <string>
#include <vector>

namespace rackproof::model {

/// What was seen beside a cell that did not pass and may explain it. `rule` is the id of a rule, or
/// one of the two below, of which a cell has one alone.
struct Cause {
  std::string rule;
  std::string subject;  ///< "node1", "node1/GPU-1a2b", "node1 eth0"; empty with the two below
  std::string text;     ///< the sentence with the numbers

  bool operator==(const Cause&) const = default;
};

/// Its time was recorded, and no rule fits.
inline constexpr const char* kNoCauseSeen = "no-cause-seen";
/// Nobody recorded its time, and no rule fits what is known without.
inline constexpr const char* kNotRecorded = "not-recorded";

/// One piece of evidence. Exactly one of `series`, `fact`, `finding` and `event` is set.
struct CauseCondition {
  std::string series = {};     ///< glob over names of recorded series
  std::string statistic = {};  ///< of the series: min, median, p95, max, delta, share, missing
  std::string bit = {};        ///< share: of which throttle reason
  std::string fact = {};       ///< of the inventory; one `*` in it stands for any text
  std::string finding = {};    ///< glob over ids of findings about the subject
  std::string about = {};      ///< finding: glob over the fact that its evidence names
  std::string event = {};      ///< glob over kinds of events in the time of the attempt
  std::optional<double> above = {};  ///< in the base unit, or times the fact `of`
  std::optional<double> below = {};
  std::string of = {};      ///< a fact of the same subject; `*` as in `fact`
  std::string is = {};      ///< glob over a text: the fact, the event, or why values are missing
  std::string is_not = {};  ///< the same, of a fact that is known

  bool operator==(const CauseCondition&) const = default;
};

/// Turns evidence into a sentence beside a cell.
struct CauseRule {
  std::string id;
  std::string of;                          ///< whose evidence: "device" or "node"
  std::vector<std::string> metrics = {};   ///< globs over the metric of the cell; empty: any
  std::vector<std::string> backends = {};  ///< globs over that of the cell's step; empty: any
  std::vector<std::string> outcomes = {};  ///< "fail", "untested"; empty: both
  std::vector<CauseCondition> when = {};   ///< all must hold
  std::vector<std::string> unless = {};    ///< rules that say it better for the same subject
  std::string say;  ///< with {value}, {limit}, {subject}, {finding}, {FACT}, {SERIES:STATISTIC}

  bool operator==(const CauseRule&) const = default;
};

/// The rules by which a report was explained, the one to be said first at the front.
struct CauseTable {
  std::string digest;  ///< sha256 of the file; empty: there is none
  std::vector<CauseRule> rules;

  bool operator==(const CauseTable&) const = default;
};

}  // namespace rackproof::model
