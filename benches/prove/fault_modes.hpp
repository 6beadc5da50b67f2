#pragma once

#include <string>
#include <vector>

namespace rackproof::prove {

/// What the command line and the harness tell one process.
struct Part {
  std::string play = "work";
  int who = -1;  ///< which instance of the step plays; -1: each
  double seconds = 1;
  std::string nonce;
  std::vector<std::string> arguments;
};

/// The number of its instance that the nonce of a process holds ("run/segment/step/INSTANCE/try");
/// -1 when there is none.
int instance_in(const std::string& nonce);

/// Names that perform() knows, for messages.
std::vector<std::string> play_names();

/// Plays; gives the exit code. 2 when there is no such play.
int perform(const Part& part);

}  // namespace rackproof::prove
