#pragma once

#include <set>
#include <string>
#include <vector>

#include "harness/config/programs.hpp"
#include "harness/config/suite.hpp"
#include "reports/model/report.hpp"

namespace rackproof::prove {

/// What must be found where a fault was planted.
struct Demand {
  model::Outcome outcome = model::Outcome::kUntested;
  std::set<std::string> reasons;  ///< reason ids, any of them
  std::string finding;   ///< id of a finding about the guilty part; empty: none is demanded
  bool located = false;  ///< the check must say where the first wrong element is
};

/// One planted fault: a step of the proof's suite.
struct Injection {
  std::string name;     ///< "hung bench"; that of its step has dashes
  std::string planted;  ///< what is done, for people
  /// The guilty ones, all others must pass; empty: every process of the step.
  std::set<int> guilty;
  Demand demand;
  config::Step step;
  std::string missing;  ///< why it cannot be planted here; empty: it can
};

/// Where the proof is made.
struct Setting {
  int ranks = 1;
  std::set<std::string> programs;  ///< "gemm-host", in-rank ones included
  int devices = 0;                 ///< GPUs of this node
};

/// Least ranks among which a slow one can be told from its peers.
inline constexpr int kRanksForPeers = 4;
/// Least ranks half of which are a group of their own for the judge; of fewer the slow ones fail.
inline constexpr int kRanksForGroups = 8;
/// How long the lost rank stands still: longer than a rank may be silent.
inline constexpr double kStandstillSeconds = 32;

/// Every fault that is planted as a step, in the order in which they run: the lost rank last. The
/// first is a control: nothing is wrong, and everybody must be right. `benches` are the programs
/// that are made wrong.
std::vector<Injection> injections(const Setting& setting,
                                  const std::vector<config::BenchProgram>& benches);

/// The suite of the injections that can be planted.
config::Suite suite_of(const std::vector<Injection>& all);

/// Judges nothing but correctness and peers: what speed a machine must reach is not what is proven.
model::PlatformTable proof_table();

}  // namespace rackproof::prove
