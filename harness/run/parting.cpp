#include "harness/run/parting.hpp"

#include <optional>

namespace rackproof::run {
namespace {

constexpr const char* kLeaveTogether = "leave-together";
constexpr const char* kLeaveAlone = "leave-alone";
// What was sent last is on its way by then.
constexpr double kLastWordSeconds = 0.5;

std::optional<Parting> parting_said(fleet::Team& team, double& heard, warden::Clock& clock) {
  while (const auto message = team.receive()) {
    heard = clock.now();
    if (message->kind == "disband") team.send(0, "bye", "");
    if (message->kind == kLeaveTogether) return Parting::kTogether;
    if (message->kind == kLeaveAlone) return Parting::kAlone;
  }
  return std::nullopt;
}

}  // namespace

void tell_to_leave(fleet::Team& team, warden::Clock& clock, const std::vector<int>& ranks,
                   Parting parting) {
  const bool together = parting == Parting::kTogether;
  for (const int rank : ranks) team.send(rank, together ? kLeaveTogether : kLeaveAlone, "");
  if (together) return;
  const double until = clock.now() + kLastWordSeconds;
  while (clock.now() < until) {
    team.receive();
    clock.sleep(kTickSeconds);
  }
}

Parting await_parting(fleet::Team& team, warden::Clock& clock, double heard,
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

}  // namespace rackproof::run
