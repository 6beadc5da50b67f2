#pragma once

#include <map>
#include <string>
#include <vector>

#include "contract/words.hpp"
#include "harness/config/suite.hpp"
#include "reports/model/report.hpp"

namespace rackproof::budget {

/// How long the steps of one run took.
struct RunTimes {
  std::size_t hosts = 0;
  std::map<std::string, double> seconds;  ///< by the id of a step that was done to its end
  double rest_seconds = 0;  ///< of the run: start, survey, what lies between; 0: not known
};

/// From the first start to the last end of the attempts of each step, those that repeat or confirm
/// included; of each segment of a resumed run, together. Steps that were not done are left out.
RunTimes times_of(const model::Report& report);

/// Where a duration is from.
enum class KnownFrom { kReports, kSuite, kDeadline };

inline constexpr std::array kKnownFromWords = {contract::Word{KnownFrom::kReports, "reports"},
                                               contract::Word{KnownFrom::kSuite, "suite"},
                                               contract::Word{KnownFrom::kDeadline, "deadline"}};
constexpr const auto& words_of(KnownFrom) { return kKnownFromWords; }

struct Duration {
  double usual_seconds = 0;    ///< median of the runs
  double longest_seconds = 0;  ///< longest of the runs; of a suite's word: all attempts
  KnownFrom from = KnownFrom::kDeadline;
};

/// How long a step takes on so many hosts: as runs say, those with the nearest number of hosts
/// where its members work together over all of them; else what the suite says that it takes; else
/// its deadline.
Duration duration_of(const config::Step& step, int hosts, const std::vector<RunTimes>& runs);

/// What a run takes beside its steps: the median of the runs, 0 where none says.
double rest_seconds(const std::vector<RunTimes>& runs);

}  // namespace rackproof::budget
