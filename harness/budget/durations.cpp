#include "harness/budget/durations.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "harness/stats/robust.hpp"

namespace rackproof::budget {
namespace {

struct Span {
  double first = 0;
  double last = 0;
};

/// Of runs, how far their number of hosts is from this one, as a factor.
double apart(const RunTimes& run, int hosts) {
  return std::fabs(std::log(static_cast<double>(std::max<std::size_t>(run.hosts, 1)) / hosts));
}

std::vector<double> seconds_of(const config::Step& step, int hosts,
                               const std::vector<RunTimes>& runs) {
  const bool together = step.placement == config::Placement::kWorld;
  std::vector<double> seconds;
  double nearest = 0;
  for (const RunTimes& run : runs) {
    const auto took = run.seconds.find(step.id);
    if (took == run.seconds.end()) continue;
    const double distance = together ? apart(run, hosts) : 0;
    if (!seconds.empty() && distance > nearest) continue;
    if (!seconds.empty() && distance < nearest) seconds.clear();
    nearest = distance;
    seconds.push_back(took->second);
  }
  return seconds;
}

}  // namespace

RunTimes times_of(const model::Report& report) {
  RunTimes times;
  times.hosts = report.nodes.size();
  std::set<std::string> done;
  for (const model::StepInfo& step : report.steps) {
    if (step.state == model::StepState::kDone) done.insert(step.id);
  }
  std::map<std::pair<std::string, int>, Span> spans;
  for (const model::Attempt& attempt : report.attempts) {
    if (!done.contains(attempt.step) || attempt.narrows) continue;
    const double end = attempt.began_seconds + attempt.seconds;
    const auto [at, fresh] =
        spans.try_emplace({attempt.step, attempt.resumed}, Span{attempt.began_seconds, end});
    if (fresh) continue;
    at->second.first = std::min(at->second.first, attempt.began_seconds);
    at->second.last = std::max(at->second.last, end);
  }
  double all = 0;
  for (const auto& [of, span] : spans) {
    times.seconds[of.first] += span.last - span.first;
    all += span.last - span.first;
  }
  const bool whole = report.run.completed && report.run.segments == 1;
  if (whole) times.rest_seconds = std::max(0.0, report.run.seconds - all);
  return times;
}

Duration duration_of(const config::Step& step, int hosts, const std::vector<RunTimes>& runs) {
  const std::vector<double> seconds = seconds_of(step, hosts, runs);
  if (!seconds.empty()) {
    return {stats::median(seconds), *std::max_element(seconds.begin(), seconds.end()),
            KnownFrom::kReports};
  }
  if (step.takes_seconds > 0) {
    return {step.takes_seconds * step.repeat, step.takes_seconds * step.attempts,
            KnownFrom::kSuite};
  }
  return {step.deadline_seconds * step.repeat, step.deadline_seconds * step.attempts,
          KnownFrom::kDeadline};
}

double rest_seconds(const std::vector<RunTimes>& runs) {
  std::vector<double> rests;
  for (const RunTimes& run : runs) {
    if (run.rest_seconds > 0) rests.push_back(run.rest_seconds);
  }
  return rests.empty() ? 0 : stats::median(rests);
}

}  // namespace rackproof::budget
