#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/evidence/context.hpp"
#include "harness/evidence/evidence.hpp"

namespace rackproof::evidence {

/// A condemned voter and a cell that one of its attempts concerns.
struct Reach {
  std::size_t voter = 0;  ///< its place in Votes::condemned()
  std::size_t cell = 0;
  bool by_check = false;  ///< a measurement of the cell names the check
};

/// Digests of one answer, voted across devices of the same kind (or hosts with the same processor)
/// that ran the same check of the same build of a bench with the same arguments in the same step.
/// A voter that gives several digests in its own attempts, and one that is not with the majority
/// of at least three, is condemned to `fail`; without a majority all are to `untested`. A finding
/// for each.
class Votes {
 public:
  /// What becomes of the cells that a voter's check proves or, when it proves none, of all that its
  /// attempts concern.
  struct Condemned {
    std::string check;
    std::vector<const model::Attempt*> attempts;  ///< in the order of the report
    model::Verdict verdict;
  };

  /// Nobody voted.
  Votes() = default;
  explicit Votes(const Context& context);

  const std::vector<model::Finding>& findings() const { return findings_; }
  const std::vector<Condemned>& condemned() const { return condemned_; }

  /// Who of the condemned has attempts that concern the cell; Reach::cell is left open.
  std::vector<Reach> reached(Courses& courses, const model::Cell& cell) const;

 private:
  std::vector<model::Finding> findings_;
  std::vector<Condemned> condemned_;
};

}  // namespace rackproof::evidence
