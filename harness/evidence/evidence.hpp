#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/evidence/context.hpp"

namespace rackproof::evidence {

/// Members of a group of which a round has no attempt.
struct Absent {
  std::string group;
  int members = 0;
  std::vector<int> missing;
};

/// When an attempt was made: how often the run had been resumed, and its number.
using Turn = std::pair<int, int>;
Turn turn_of(const model::Attempt& attempt);

/// What cells of one step and subject share: above all the attempts that concern them, round by
/// round.
struct Course {
  /// Attempts of one turn, one for each process. What was left of it before a resume is no part of
  /// what was made after it: processes that did not run together prove nothing together.
  struct Round {
    std::vector<const model::Attempt*> attempts;
    /// The attempt to blame when the round did not end well.
    const model::Attempt* culprit = nullptr;
    std::vector<Absent> absent;
    /// The attempt from which others took most, when its numbers do not count for that.
    const model::Attempt* disturbed = nullptr;
  };

  Platform platform;                            ///< of the subject
  std::vector<const model::Attempt*> attempts;  ///< in the order of the report
  std::map<Turn, Round> rounds;
};

/// Remembers the course of the last cell: the next one is mostly of the same step and subject. One
/// for each thread.
class Courses {
 public:
  explicit Courses(const Context& context) : context_(context) {}

  const Context& context() const { return context_; }

  /// Of the attempts_of() the cell. Valid until the next call.
  const Course& of(const model::Cell& cell);

 private:
  const Context& context_;
  std::string step_;
  model::Subject subject_;
  std::optional<Course> last_;
};

/// What is known about one cell before its number is looked at.
struct Evidence {
  /// Every attempt that concerns the cell, in the order of the report.
  std::vector<const model::Attempt*> attempts;
  /// Every measurement of the cell with the attempt that said it; a measurement whose attempt is
  /// not in the report, or belongs to another step, is left out.
  std::vector<std::pair<const model::Measurement*, const model::Attempt*>> said;
  /// Those of them that come from a round without a bad ending, with every member of its group, and
  /// that other programs did not disturb.
  std::vector<const model::Measurement*> clean;
  /// The same of attempts that confirm.
  std::vector<const model::Measurement*> again;
  /// Of the last round whose numbers do not count because it was disturbed.
  const model::Attempt* disturbed = nullptr;
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

Evidence gather(Courses& courses, const model::Cell& cell);

/// Verdict `fail` when some attempt found a wrong answer that covers the cell (rule 2 of judge()).
std::optional<model::Verdict> find_wrong_answer(const Context& context, const model::Cell& cell,
                                                const Evidence& evidence);

}  // namespace rackproof::evidence
