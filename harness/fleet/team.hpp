#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "harness/fleet/message.hpp"

namespace rackproof::fleet {

/// The ranks cannot talk to each other as they must.
struct TeamError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Who else is here. Small messages between rank 0 and the others, never a collective: a wait that
/// ends can then say who did not come. Nothing here blocks.
class Team {
 public:
  virtual ~Team() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// Hands a message over; it is delivered while later calls are made. One that cannot be
  /// delivered is lost without a word: silence tells. Throws TeamError when it is too large.
  virtual void send(int to, MessageKind kind, const std::string& body) = 0;
  /// The next message that has come, if any: one that cannot be read as kDamaged or kUnknown.
  virtual std::optional<Message> receive() = 0;
  /// Leaves the job in order when `everyone` of the ranks is still there. Otherwise there is nobody
  /// to take leave of, and waiting for them could hang.
  virtual void leave(bool everyone) = 0;
};

/// A team of one: messages to rank 0 come back.
std::unique_ptr<Team> make_solo_team();

}  // namespace rackproof::fleet
