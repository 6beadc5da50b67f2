#include "harness/crew/parting.hpp"

#include <optional>

namespace rackproof::crew {
namespace {

using fleet::MessageKind;

// What was sent last is on its way by then.
constexpr double kLastWordSeconds = 0.5;

std::optional<Parting> parting_said(fleet::Team& team, double& heard, support::Clock& clock) {
  while (const auto message = team.receive()) {
    heard = clock.now();
    if (message->kind == MessageKind::kDisband) team.send(0, MessageKind::kBye, "");
    if (message->kind == MessageKind::kLeaveTogether) return Parting::kTogether;
    if (message->kind == MessageKind::kLeaveAlone) return Parting::kAlone;
  }
  return std::nullopt;
}

}  // namespace

void send_home(fleet::Team& team, const std::vector<int>& ranks, bool everyone,
               const model::Reason<model::CloseReason>& reason) {
  const MessageKind word = everyone ? MessageKind::kFinish : MessageKind::kDisband;
  for (const int rank : ranks) team.send(rank, word, to_text(reason));
}

void tell_to_leave(fleet::Team& team, support::Clock& clock, const std::vector<int>& ranks,
                   Parting parting) {
  const bool together = parting == Parting::kTogether;
  const MessageKind word = together ? MessageKind::kLeaveTogether : MessageKind::kLeaveAlone;
  for (const int rank : ranks) team.send(rank, word, "");
  if (together) return;
  const double until = clock.now() + kLastWordSeconds;
  while (clock.now() < until) {
    team.receive();
    clock.sleep(kTickSeconds);
  }
}

Parting await_parting(fleet::Team& team, support::Clock& clock, double heard,
                      double patience_seconds) {
  while (clock.now() - heard < patience_seconds) {
    const auto parting = parting_said(team, heard, clock);
    // Rank 0 leaves first, since its exit code is the one that counts.
    if (parting == Parting::kAlone) clock.sleep(2 * kLastWordSeconds);
    if (parting) return *parting;
    clock.sleep(kTickSeconds);
  }
  // The others, who find the same within a heartbeat, may still be closing their journals.
  clock.sleep(2 * kBeatSeconds);
  return Parting::kLost;
}

}  // namespace rackproof::crew
