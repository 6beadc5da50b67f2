#pragma once

#include <optional>
#include <string>

#include "reports/model/scalar.hpp"
#include "reports/model/subject.hpp"

namespace rackproof::model {

/// What somebody who may do so excuses for a time: cells that neither pass nor show a wrong answer.
struct CellWaiver {
  std::string step = "*";           ///< glob
  std::string metric = "*";         ///< glob
  contract::Parameters parameters;  ///< those that are given; a text may be a pattern
  /// Glob over a host, a device (UUID), either end of a link, or the label of a subject.
  std::string subject = "*";
  std::string reason;
  std::string until;  ///< the last day, YYYY-MM-DD
  std::string approved_by;
  std::string ticket;  ///< may be empty
  /// What the value must reach all the same, in `unit`, a base unit; nothing: any value will do.
  std::optional<double> limit;
  std::string unit;

  bool operator==(const CellWaiver&) const = default;
};

/// Whether a pattern of a waiver fits the subject. A group is fitted by its label alone: who
/// excuses a host does not excuse what all hosts do together.
bool fits_subject(const std::string& pattern, const Subject& subject);

/// Whether the waiver is over on `day` (YYYY-MM-DD, or a time that begins so).
bool is_over(const CellWaiver& waiver, const std::string& day);

/// "until 2026-12-31 by J. Doe (OPS-17): the fan is replaced next week".
std::string terms_of(const CellWaiver& waiver);

}  // namespace rackproof::model
