#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/compare/sample.hpp"

namespace rackproof::compare {

struct TrendOptions {
  double false_points = 0.05;  ///< expected in all series together when nothing changes
};

/// A change of level in the series of one quantity.
struct Change {
  Key key;
  std::string subject;  ///< empty: the median over all subjects
  bool worse = false;
  bool last = false;   ///< of its series: what it changed to is still so
  std::size_t at = 0;  ///< index of the first run of the new level
  double before = 0;   ///< medians, in the unit of the key
  double after = 0;
  double shift = 0;                ///< relative
  std::size_t subjects = 0;        ///< that changed with the median, when this is of the median
  std::vector<std::string> facts;  ///< what was not the same before and after: "driver: 550 -> 560"
};

/// A last value so far below the level of its series that it is told at once: the ranks need nights
/// to be sure of a change, and a part that lost a tenth is not to wait for them.
struct Alarm {
  Key key;
  std::string subject;  ///< empty: the median over all subjects
  double before = 0;    ///< median since the last change, in the unit of the key
  double now = 0;
  double shift = 0;          ///< relative
  std::size_t subjects = 0;  ///< that dropped with the median, when this is of the median
};

struct Trend {
  std::size_t series = 0;  ///< that were long enough
  std::size_t too_short = 0;
  std::size_t gone = 0;         ///< long enough, and without a value in the last run
  std::vector<Change> changes;  ///< the latest first, those for the worse before others
  std::vector<Alarm> alarms;    ///< of the last run; the largest drop first
  double correlation = 0;       ///< of neighbouring nights, as it was allowed for
};

/// Looks for changes of level over runs, which are in the order of time: of the median over all
/// subjects of a quantity, and of each subject. A subject that only moves with the median, within
/// two runs of it, is counted with it. stats::change_points on logarithms; the expected number of
/// false points is shared out among all series, and the correlation of neighbouring runs is taken
/// from all of them together. An alarm is a last value that is worse than the level by a tenth and
/// more, and by more than one of all series is once in 1 / false_points such trends
/// (stats::peer_threshold). Pure.
Trend trend(const std::vector<Sample>& runs, const TrendOptions& options);

/// What a run has of a quantity, by run: of a subject, or the median over all where that is empty.
std::vector<std::optional<double>> values_over(const std::vector<Sample>& runs, const Key& key,
                                               const std::string& subject);

}  // namespace rackproof::compare
