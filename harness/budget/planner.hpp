#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/budget/durations.hpp"
#include "harness/budget/faults.hpp"
#include "harness/budget/risk.hpp"
#include "harness/config/suite.hpp"

namespace rackproof::budget {

/// What is asked for.
struct Request {
  config::Suite suite;
  FaultTable faults;
  Machine machine;
  std::map<std::string, History> seen;  ///< by kind of part
  std::vector<RunTimes> runs;           ///< earlier ones, for durations
  std::vector<std::string> must;        ///< globs over steps that are to be in it
  double seconds = 0;
};

/// Why a step is in the plan, or is not.
enum class Chosen { kYes, kDemanded, kNoTime, kFindsNothing, kNoGpus };

inline constexpr std::array kChosenWords = {contract::Word{Chosen::kYes, "chosen"},
                                            contract::Word{Chosen::kDemanded, "demanded"},
                                            contract::Word{Chosen::kNoTime, "no-time"},
                                            contract::Word{Chosen::kFindsNothing, "finds-nothing"},
                                            contract::Word{Chosen::kNoGpus, "no-gpus"}};
constexpr const auto& words_of(Chosen) { return kChosenWords; }

inline bool is_in(Chosen chosen) { return chosen == Chosen::kYes || chosen == Chosen::kDemanded; }

struct PlannedStep {
  std::string id;
  std::string program;  ///< "burn-cuda"
  Duration takes;
  Chosen chosen = Chosen::kNoTime;
  double alone = 0;  ///< share of the expected faults that it finds by itself
  /// Share that only it finds of those in the plan; of one that is not in it: what it would add.
  double adds = 0;
};

/// What the plan misses of one kind of fault, as it is expected, and of the whole suite.
struct PlannedFault {
  std::string id;
  std::string title;
  double expected = 0;
  double missed = 0;
  double missed_by_all = 0;
};

/// Shares of the expected faults that are missed: as is assumed, and between what lies between
/// chances at best and at worst.
struct MissedShare {
  double usual = 0;
  double low = 0;
  double high = 0;
};

struct Plan {
  std::vector<PlannedStep> steps;    ///< all of the suite, in its order
  std::vector<PlannedFault> faults;  ///< the most missed first
  double expected = 0;               ///< faults, all kinds together
  double rest_seconds = 0;           ///< of the run, beside its steps
  double usual_seconds = 0;          ///< with the rest
  double longest_seconds = 0;        ///< when each step takes its longest
  MissedShare missed;
  MissedShare missed_by_all;
  double fewest_missed = 0;     ///< share that no choice in this time is below
  std::size_t by_reports = 0;   ///< steps of the plan whose duration reports say
  std::size_t by_deadline = 0;  ///< of whose duration nobody knows more than a deadline
};

/// Chooses steps of the suite for the time: choose.hpp over expected_faults(). Pure. Throws
/// std::invalid_argument for a glob of `must` that no step fits, for steps of `must` that take
/// longer than there is time, and when no step fits that finds anything.
Plan make_plan(const Request& request);

}  // namespace rackproof::budget
