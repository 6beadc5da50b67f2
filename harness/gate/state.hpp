#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/gate/look.hpp"

namespace rackproof::gate {

/// What became of reading the state of a node.
enum class StateKind {
  kNone,          ///< there is none: the first look
  kGood,          ///< it is of this node
  kForeign,       ///< it is of another machine or host: copied with an image, or the node got a new
                  ///< name
  kOtherVersion,  ///< it was written by a version that this one does not read
  kUnreadable,    ///< it is there, and damaged or not to be read
};

/// A state as it was read; `why` is a sentence for each kind but kNone and kGood.
struct State {
  StateKind kind = StateKind::kNone;
  std::optional<GoodLook> good;
  std::string why;
};

/// The document that is kept of a node: what it was at its last good look.
std::string state_text(const GoodLook& good);

/// Reads it. What is not whole is kUnreadable, whatever else it says.
State read_state(std::string_view text);

/// The same for the node of `now`: a state of another machine or host is kForeign.
State of_this_node(State state, const Look& now);

/// What is to be remembered of a good look: the look itself, and what could be read at the last one
/// and not now. Else a fact that cannot be read once could change unseen.
Look remembered(const Look& now, const State& before);

}  // namespace rackproof::gate
