#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/model/attempt.hpp"
#include "reports/model/finding.hpp"

namespace rackproof::evidence {

/// Where the members of a group stood that did nothing any more, by what each had told its warden.
struct Hang {
  using Members = std::vector<const model::Attempt*>;

  /// Those that a signal had stopped, or that had not come to where all others were: the others
  /// waited for them, and of several it is not known for which. Empty where all stood at the same
  /// place.
  Members behind;
  Members others;
  bool stopped = false;      ///< `behind` are those that a signal had stopped
  contract::Place place;     ///< that all others had entered; no cell: they had come to nothing
  double still_seconds = 0;  ///< for so long none of them all had moved
};

/// For all members of one attempt at a group. Nothing where it cannot be told: one of them told
/// nothing, or still moved. Where somebody was while another one moved says not who waited for
/// whom.
std::optional<Hang> hang_of(const Hang::Members& members);

/// "member 3 of 8 (rank 3 on gb-07) had not entered iteration 128 of all_reduce 1048576 B float
/// sum, in which the 7 others had waited for 12 s; the last that it had completed is iteration
/// 127".
std::string to_text(const Hang& hang);

/// The same as a finding about the step and the subject of these members, after the words `what`.
/// Its evidence names a member (`behind_member`, `rank`, `host`, `device`) where one alone was
/// behind, and no one else.
model::Finding finding_of(const Hang& hang, const std::string& what);

}  // namespace rackproof::evidence
