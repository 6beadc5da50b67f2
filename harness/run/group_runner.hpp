#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/run/group.hpp"
#include "harness/run/tally.hpp"

namespace rackproof::run {

/// Steps whose members are processes of their own: the first member alone until its token is there,
/// then all of them, and all of them gone as soon as one is lost.
class GroupRunner {
 public:
  GroupRunner(Context& context, InFlight& in_flight, Tally& tally)
      : context_(context), in_flight_(in_flight), tally_(tally) {}

  /// Starts the first member of the group.
  void start(const Pending& of);
  /// Starts the others where the first member has given its token.
  void pass_tokens();
  /// Ends groups whose first member gives no token, and those that had a moment to end by
  /// themselves.
  void look_after();
  /// A member has ended. Gives what became of the group when it was the last one.
  std::optional<Outcome> settle(const Pending& member, const model::Attempt& attempt,
                                const std::optional<protocol::Phase>& phase);
  /// The rank of these members is lost, and nothing is in flight there any more. Gives what became
  /// of the groups that nobody is left of.
  std::vector<Outcome> lose(const crew::LostRank& lost, const std::vector<Pending>& members);

 private:
  void start_peers(const std::string& name, const protocol::Token& token);
  void take_failure(Group& group, const Pending& member, const model::Attempt& attempt);
  void blame(Group& group, model::Finding finding);
  void tell(const Group& group, model::Finding finding);
  void cancel(const std::string& name, const model::Reason<model::CancelReason>& by);
  std::optional<Outcome> finish(const std::string& name);

  Context& context_;
  InFlight& in_flight_;
  Tally& tally_;
  std::map<std::string, Group> groups_;  ///< by name
};

}  // namespace rackproof::run
