#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/judge/judge.hpp"
#include "harness/localise/slow_search.hpp"
#include "harness/run/part_runs.hpp"

namespace rackproof::run {

/// So many slow groups of a step are looked into: where there are more, no one part is to blame.
inline constexpr std::size_t kMostSlowGroups = 3;

/// Of a group that missed a limit of speed, parts of one size run one after the other: which of
/// them are slower than their like tells the host or the member that makes it slow
/// (localise::SlowSearch). Nothing of what they measure counts. A group in which somebody was found
/// is not searched again in a later step: it would be the same one.
class SlowGroups {
 public:
  SlowGroups(Context& context, StepRunner& runner) : context_(context), runner_(runner) {}

  /// For the step that the runner has measured last; `round` is the last one of its parts.
  void run(const plan::PlacedStep& step, int& round);

 private:
  /// A group, and its cells that are beyond a limit.
  struct Slow {
    std::size_t instance = 0;
    std::vector<judge::BeyondLimit> cells;
  };

  std::vector<Slow> find(const plan::PlacedStep& step) const;
  std::vector<localise::SlowSearch::Group> hosts_of(const plan::Instance& whole) const;
  void search(PartRuns& runs, const Slow& slow, std::vector<localise::SlowSearch::Group> hosts);
  void tell_whole(const PartRuns& runs, const std::string& what);
  void tell_part(const PartRuns& runs, const localise::SlowSearch& search, bool open);

  Context& context_;
  StepRunner& runner_;
  std::set<std::string> explained_;  ///< groups in which somebody was found
};

}  // namespace rackproof::run
