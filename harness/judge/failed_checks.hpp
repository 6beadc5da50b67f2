#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "harness/cells/judged_cells.hpp"

namespace rackproof::judge {

/// Failed checks, and what their processes measured in the same round. One that no cell names may
/// be about any of it: then all of it fails.
class FailedChecks {
 public:
  struct Failed {
    const model::Attempt* attempt = nullptr;
    const model::CheckResult* check = nullptr;
  };

  FailedChecks() = default;
  explicit FailedChecks(const evidence::Context& context);

  /// Which failed checks are of processes that measured the cell, in the same round as a group;
  /// Reach::cell is left open, Reach::voter is a place in the list of failed checks.
  std::vector<evidence::Reach> reached(const model::Cell& cell) const;

  /// What becomes of the cells that checks reach which no cell names, and a finding for each such
  /// check, also of one that reaches none.
  std::vector<model::Finding> condemn(cells::JudgedCells& judged,
                                      cells::Amendments& amendments) const;

 private:
  const evidence::Context* context_ = nullptr;
  std::vector<Failed> failed_;
  /// Of one process alone by its nonce, of a group by step, group and turn.
  std::unordered_map<std::string, std::vector<std::size_t>> by_process_;
};

/// The first failed check that no cell names, as findings say it; empty when there is none.
std::string unnamed_failure(const model::Report& report);

}  // namespace rackproof::judge
