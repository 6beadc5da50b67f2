#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "contract/words.hpp"

namespace rackproof::fleet {

/// What a message between ranks says. Who writes and who reads the body of each is named beside it;
/// where nothing is, there is no body.
enum class MessageKind {
  // From rank 0.
  kRoster,         ///< where it belongs in the run (crew::Roster)
  kStart,          ///< make this attempt (crew::Order)
  kCancel,         ///< end this attempt (crew::Cancel)
  kArrive,         ///< say kHere when you are free for this step (its name)
  kGo,             ///< run this bench inside the rank (crew::Order)
  kFinish,         ///< the run is over and everyone is there (a close reason)
  kDisband,        ///< the run is over and somebody is lost (a close reason)
  kLeaveTogether,  ///< leave the job, with MPI_Finalize
  kLeaveAlone,     ///< leave the job, without it
  kNext,           ///< the next trial of a proof begins
  // To rank 0.
  kHello,   ///< who it is (crew::Arrival)
  kReady,   ///< its journal is open (its first line)
  kCannot,  ///< it can open none (why)
  kHere,    ///< it has come to this step (its name)
  kAt,      ///< it has reached this step (its name)
  kToken,   ///< what the first member of a group gave (crew::GivenToken)
  kEnded,   ///< an attempt is over (crew::Ended)
  kFailed,  ///< it can keep no journal any more (why)
  kBye,     ///< its journal is closed
  // Both ways.
  kTime,  ///< a question for the time, and its answer (crew::ClockProbe)
  kBeat,  ///< it is there
  // Never sent: what receive() gives for a message that cannot be read.
  kDamaged,  ///< it came, but not as it was sent
  kUnknown,  ///< its word is none of this build (the word)
};

inline constexpr std::array kMessageKindWords = {
    contract::Word{MessageKind::kRoster, "roster"},
    contract::Word{MessageKind::kStart, "start"},
    contract::Word{MessageKind::kCancel, "cancel"},
    contract::Word{MessageKind::kArrive, "arrive"},
    contract::Word{MessageKind::kGo, "go"},
    contract::Word{MessageKind::kFinish, "finish"},
    contract::Word{MessageKind::kDisband, "disband"},
    contract::Word{MessageKind::kLeaveTogether, "leave-together"},
    contract::Word{MessageKind::kLeaveAlone, "leave-alone"},
    contract::Word{MessageKind::kNext, "next"},
    contract::Word{MessageKind::kHello, "hello"},
    contract::Word{MessageKind::kReady, "ready"},
    contract::Word{MessageKind::kCannot, "cannot"},
    contract::Word{MessageKind::kHere, "here"},
    contract::Word{MessageKind::kAt, "at"},
    contract::Word{MessageKind::kToken, "token"},
    contract::Word{MessageKind::kEnded, "ended"},
    contract::Word{MessageKind::kFailed, "failed"},
    contract::Word{MessageKind::kBye, "bye"},
    contract::Word{MessageKind::kTime, "time"},
    contract::Word{MessageKind::kBeat, "beat"}};
static_assert(kMessageKindWords.size() == static_cast<std::size_t>(MessageKind::kDamaged),
              "every kind that is sent has a word");
constexpr const auto& words_of(MessageKind) { return kMessageKindWords; }

struct Message {
  int peer = 0;  ///< who sent it
  MessageKind kind = MessageKind::kUnknown;
  std::string body;
};

}  // namespace rackproof::fleet
