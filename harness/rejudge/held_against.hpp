#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "harness/config/installed.hpp"
#include "harness/rejudge/check_document.hpp"
#include "reports/model/report.hpp"

namespace rackproof::rejudge {

/// The plan of a report, made again from the installed suite whose digest the report claims.
/// Nothing can be said where no such suite is installed.
class OwedCells {
 public:
  /// Needs all of the report but its cells.
  OwedCells(const model::Report& report, const config::Paths& paths);

  bool known() const { return known_; }

  /// What identifies a cell of a report to owed(): quick to make and small to keep.
  struct Mark {
    std::uint64_t id = 0;
    std::uint64_t terms = 0;  ///< whether it is required, and why it is waived
  };
  static Mark mark(const model::Cell& cell);

  /// What the report's cells lack, and which of them stand in it on other terms than the suite's.
  Complaints compare(const std::vector<Mark>& cells) const;

  /// What the report says otherwise of the steps.
  const Complaints& steps() const { return steps_; }

 private:
  struct Owed {
    std::string id;
    std::uint64_t terms = 0;
  };

  std::string suite_;
  bool known_ = false;
  bool everyone_ = true;  ///< whether it is known who was there when the plan was made
  bool set_aside_ = false;
  std::unordered_map<std::uint64_t, Owed> owed_;
  Complaints steps_;
};

/// What a report says otherwise of suite, tables and causes than the installed ones whose digests
/// it claims, field by field: the digest in a report proves nothing of what stands beside it.
Complaints contradictions(const model::Report& report, const config::Paths& paths);

/// Bounds of metrics that the report of this very build has otherwise than its benches state them,
/// or lacks. Nothing of other builds, whose bounds have no digest to know them by.
Complaints other_bounds(const model::Report& report, const config::Paths& paths);

/// Whether the installed tables recognise each host as the table that judged it; nothing where the
/// tables were named by somebody.
Complaints other_platforms(const model::Report& report, const config::Paths& paths);

/// Which rules of the suite the command line set otherwise; empty: none.
std::string overridden_policy(const model::Report& report, const config::Paths& paths);

}  // namespace rackproof::rejudge
