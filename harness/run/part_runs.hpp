#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/run/step_runner.hpp"

namespace rackproof::run {

/// Groups of fewer members are not run in parts: their members can be tried by hand.
inline constexpr std::size_t kLeastMembers = 4;

/// "members 0 to 3, 7 and 9". Pure.
std::string members_text(std::set<std::size_t> members);

/// A group of a step that is run in parts, in rounds, and what is found by them.
class PartRuns {
 public:
  /// Members of the group, by number.
  using Part = std::vector<std::size_t>;

  /// `round` counts over all groups of the step: attempts are told apart by it.
  PartRuns(Context& context, StepRunner& runner, const plan::PlacedStep& step, std::size_t instance,
           int& round);

  const plan::Instance& whole() const { return step_.instances[instance_]; }
  std::string name() const { return model::label(whole().subject); }

  /// Runs these parts at once, and gives what became of each; nothing when there is no time left,
  /// or no saying what became of them.
  std::optional<std::vector<PartRun>> run(const std::vector<Part>& parts);

  /// A finding about the whole group.
  model::Finding finding(const char* id, model::Severity severity) const;
  /// The same about a member, or where it has no device its host. The text is for the caller, who
  /// gets the member's name.
  model::Finding finding_of_member(const char* id, model::Severity severity, std::size_t member,
                                   std::string& name) const;
  /// " (7 parts in 4 rounds)".
  std::string cost() const;

 private:
  Context& context_;
  StepRunner& runner_;
  const plan::PlacedStep& step_;
  std::size_t instance_;
  int& round_;
  double until_;  ///< no round begins later
  int rounds_ = 0;
  int groups_ = 0;
};

}  // namespace rackproof::run
