#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/localise/halving.hpp"
#include "harness/run/step_runner.hpp"

namespace rackproof::run {

/// Groups of fewer members are not run in parts: their members can be tried by hand.
inline constexpr std::size_t kLeastMembers = 4;

/// Each of these parts of a group with two members and more: one that has a single member gets
/// another one beside it, of those that are known to be `good`, each once. Nothing when there are
/// too few of them. Pure.
std::optional<std::vector<localise::Halving::Group>> with_company(
    const std::vector<localise::Halving::Group>& parts, const std::set<std::size_t>& good);

/// "members 0 to 3, 7 and 9". Pure.
std::string members_text(std::set<std::size_t> members);

/// Of a group that failed in a way that shows no one member to be the cause (a wrong answer, a hang
/// at the same place for all), the whole runs once more and then its halves, the halves of those
/// that fail, and so on: what became of them tells which member it is. Nothing of what they measure
/// counts.
class Narrowing {
 public:
  Narrowing(Context& context, StepRunner& runner) : context_(context), runner_(runner) {}

  /// For the step that the runner has measured last.
  void run(const plan::PlacedStep& step);

 private:
  /// A group that is run in parts.
  struct Search {
    const plan::PlacedStep* step = nullptr;
    std::size_t instance = 0;
    GroupFault fault = GroupFault::kMember;  ///< how the whole failed
    double until = 0;                        ///< no round begins later
    int rounds = 0;
    int groups = 0;

    const plan::Instance& whole() const { return step->instances[instance]; }
  };

  void narrow(const plan::PlacedStep& step, std::size_t instance);
  /// Runs these parts at once and gives for each whether it failed as the whole did; nothing when
  /// there is no time left, when one failed in another way, or when there is no saying what became
  /// of them.
  std::optional<std::vector<bool>> try_parts(Search& search,
                                             const std::vector<localise::Halving::Group>& parts);
  void tell(const Search& search, const localise::Halving& halving);
  model::Finding about(const Search& search, const char* id, model::Severity severity) const;
  void tell_member(const Search& search, std::size_t member);
  void tell_rest(const Search& search, const std::string& what);

  Context& context_;
  StepRunner& runner_;
  int round_ = 0;  ///< of the step, over all its groups: attempts are told apart by it
};

}  // namespace rackproof::run
