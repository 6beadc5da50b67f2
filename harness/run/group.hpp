#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "benches/protocol/record.hpp"
#include "harness/run/in_flight.hpp"

namespace rackproof::run {

/// How far a member had come by its own word.
struct Reached {
  Pending member;
  std::optional<protocol::Phase> phase;
};

/// A group of processes while it is measured.
struct Group {
  const plan::PlacedStep* step = nullptr;
  std::size_t instance = 0;
  int number = 1;
  bool confirms = false;
  bool narrows = false;
  double began = 0;
  bool token_passed = false;
  bool clean = true;                             ///< so far every ending was one with 0
  bool blamed = false;                           ///< a finding names who spoiled it
  bool wrong = false;                            ///< a member told a wrong answer
  bool transient = false;                        ///< what spoiled it may not be there the next time
  std::set<std::string> disturbed;               ///< hosts on which other programs ran meanwhile
  model::Reason<model::CancelReason> cancelled;  ///< empty: it is not
  std::optional<double> cancel_at;
  model::Reason<model::CancelReason> cancel_by;
  std::optional<Pending> late;   ///< who was the first to be stopped at its deadline
  std::vector<Reached> reached;  ///< by each member that ended then, or for its sake
  std::set<std::string> nonces;  ///< of the attempts that have ended
  std::vector<Pending> gave_up;  ///< who waited in vain for another member
  std::vector<Pending> silent;   ///< who then ended only because it was told to

  const std::vector<int>& ranks() const { return step->instances[instance].ranks; }
};

/// "member 3 of 8 (rank 3 on gb-07, GPU-1f...)".
std::string name_member(const Pending& pending, const Context& context);

/// That this member was the first to spoil its group, and by what.
model::Finding blame_member(const Pending& member, const std::string& what, const Context& context);

/// The same for a wrong answer. Whoever compares finds what another member has received, of a third
/// one's data: both are named where the record tells them.
model::Finding blame_for_answer(const Pending& teller, const model::Attempt& attempt,
                                const Context& context);

/// That the group was not done at its deadline. Whoever is stopped first at its deadline waited for
/// somebody, most likely. Who did not come as far as the others, in what all do together or by
/// their own word, may be the one; where all stand at the same place nobody knows.
model::Finding blame_for_deadline(const Group& group, const Context& context);

/// Nobody failed by itself. Who neither gave up nor ended is the one that the others waited for.
model::Finding blame_for_waiting(const Group& group, const Context& context);

}  // namespace rackproof::run
