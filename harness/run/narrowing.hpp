#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/localise/halving.hpp"
#include "harness/run/part_runs.hpp"
#include "harness/run/slow_groups.hpp"

namespace rackproof::run {

/// Each of these parts of a group with two members and more: one that has a single member gets
/// another one beside it, of those that are known to be `good`, each once. Nothing when there are
/// too few of them. Pure.
std::optional<std::vector<localise::Halving::Group>> with_company(
    const std::vector<localise::Halving::Group>& parts, const std::set<std::size_t>& good);

/// Of a group that failed in a way that shows no one member to be the cause (a wrong answer, a hang
/// at the same place for all), the whole runs once more and then its halves, the halves of those
/// that fail, and so on: what became of them tells which member it is. Nothing of what they measure
/// counts. Groups that are only slow are for SlowGroups.
class Narrowing {
 public:
  Narrowing(Context& context, StepRunner& runner)
      : context_(context), runner_(runner), slow_groups_(context, runner) {}

  /// For the step that the runner has measured last.
  void run(const plan::PlacedStep& step);

 private:
  void narrow(const plan::PlacedStep& step, std::size_t instance);
  void tell(const PartRuns& runs, const localise::Halving& halving);
  void tell_member(const PartRuns& runs, std::size_t member);
  void tell_rest(const PartRuns& runs, const std::string& what);

  Context& context_;
  StepRunner& runner_;
  SlowGroups slow_groups_;
  int round_ = 0;  ///< of the step, over all its groups: attempts are told apart by it
};

}  // namespace rackproof::run
