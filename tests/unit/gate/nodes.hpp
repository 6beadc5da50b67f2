#pragma once

#include <string>

#include "harness/gate/decide.hpp"

namespace rackproof::gate {

/// A node with eight GPUs, as a look sees it when all is well.
Look sound_look();

/// The same some minutes later: clocks, sums and corrected errors have moved on.
Look later(Look look, double seconds = 600);

/// The node was started again: what the kernel and the driver count begins anew.
Look restarted(Look look);

/// The state after a good look.
State state_of(const Look& look, const std::string& platform = "hgx");

/// A table of this machine, and one of any machine.
Measure shipped_measure();

void set(Look& look, const std::string& fact, contract::Scalar value);
void set(Look& look, std::size_t gpu, const std::string& fact, contract::Scalar value);
void unread(Look& look, const std::string& fact);
contract::Scalar text(const char* words);

/// The reasons of a decision that decide, in their order.
std::vector<GateReason> deciding(const Decision& decision);
bool has(const Decision& decision, GateReason reason);

}  // namespace rackproof::gate
