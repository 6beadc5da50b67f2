#pragma once

#include <map>
#include <optional>
#include <vector>

#include "harness/judge/context.hpp"

namespace rackproof::judge {

/// Members of a group of which a round has no attempt.
struct Absent {
  std::string group;
  int members = 0;
  std::vector<int> missing;
};

/// What is known about one cell before its number is looked at.
struct Evidence {
  /// Every attempt that concerns the cell, in the order of the report.
  std::vector<const model::Attempt*> attempts;
  /// Every measurement of the cell with the attempt that said it; a measurement whose attempt is
  /// not in the report, or belongs to another step, is left out.
  std::vector<std::pair<const model::Measurement*, const model::Attempt*>> said;
  /// Those of them that come from a round without a bad ending and with every member of its group.
  std::vector<const model::Measurement*> clean;
  /// Set when the last round that counts did not end well: the attempt to name.
  const model::Attempt* culprit = nullptr;
  /// Set when members of a group left no attempt in that round, though nobody is to blame.
  std::vector<Absent> absent;
  /// Last attempt of the last round; null when there is none at all.
  const model::Attempt* last = nullptr;
};

/// True when the process ended by itself with a whole transcript whose numbers can stand: exit 0,
/// or exit 4 with the failed check named.
bool is_whole(const model::Attempt& attempt);

/// True when a check says that the answer is wrong, or contradicts itself.
bool is_failed(const model::CheckResult& check);

Evidence gather(const Context& context, const model::Cell& cell);

/// Verdict `fail` when some attempt found a wrong answer that covers the cell (rule 2 of judge()).
std::optional<model::Verdict> find_wrong_answer(const Context& context, const model::Cell& cell,
                                                const Evidence& evidence);

}  // namespace rackproof::judge
