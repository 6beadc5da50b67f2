#pragma once

#include <functional>
#include <string>

#include "harness/cli/verbs.hpp"
#include "harness/gate/result.hpp"

namespace rackproof::cli {

/// What the check of a node needs to know, with nothing left open.
struct GateTerms {
  const GateOptions& options;
  const Program& program;
  std::string node;      ///< its name for the scheduler
  bool benches = false;  ///< are to be run
  double seconds = 0;    ///< that the check has, from its beginning
};

/// Says what the check is at, for who has to tell what it hung in.
using TellPhase = std::function<void(const std::string&)>;

/// The check itself: looks, decides, runs benches and remembers a good look. May hang in the disk
/// or a driver: who calls it is a process of its own (gate.cpp). Throws UsageError and
/// document::ConfigError.
gate::Result check_node(const GateTerms& terms, const TellPhase& tell);

/// Runs the suite of the gate in a program of its own, judged as any run is, within `seconds`, and
/// adds what it says.
void run_gate_benches(const GateTerms& terms, double seconds, gate::Result& result);

/// The one look at inventory, counters and the kernel's log, printed for check_node(); in a program
/// of its own, since NVML may hang in it.
int look_at_node(const GateOptions& options);

}  // namespace rackproof::cli
