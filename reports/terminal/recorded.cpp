#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "reports/model/quantity.hpp"
#include "reports/model/recording_text.hpp"
#include "reports/terminal/layout.hpp"

namespace rackproof::terminal {
namespace {

constexpr std::size_t kProblemsShown = 8;
constexpr std::size_t kAttemptsShown = 20;

/// "recorded: 2 hosts every 100 ms, at most 35 us of CPU a sample and device (0.035 % of a
/// processor)".
void add_cost(Page& page, const std::vector<model::RecordingInfo>& recordings) {
  std::set<std::string> hosts;
  double dearest = 0;
  double interval = 0;
  double slowest = 0;
  for (const model::RecordingInfo& one : recordings) {
    if (one.samples == 0) continue;
    hosts.insert(one.host);
    interval = one.interval_seconds;
    slowest = std::max(slowest, one.slowest_seconds);
    dearest = std::max(dearest, one.cpu_seconds_per_sample);
  }
  if (hosts.empty() || !(interval > 0)) return;
  std::string text = fmt::format("recorded: {} every {}", counted(hosts.size(), "host"),
                                 model::quantity(interval, "s"));
  if (slowest > interval) {
    text += fmt::format(", slowed down to {} to stay in its budget", model::quantity(slowest, "s"));
  }
  if (dearest > 0) {
    text += fmt::format(", at most {} of CPU time a sample and device ({:.2g} % of a processor)",
                        model::quantity(dearest, "s"), 100 * dearest / interval);
  }
  page.paragraph(0, text);
}

std::string problem_of(const model::RecordingInfo& recording) {
  if (!recording.problem.empty()) return recording.problem;
  if (!recording.closed) {
    return fmt::format(
        "ends at {}, after {}", recording.ends_utc.empty() ? "its start" : recording.ends_utc,
        counted(static_cast<std::size_t>(std::max<std::int64_t>(0, recording.samples)), "sample"));
  }
  if (recording.damaged > 0) return fmt::format("{} of its samples are damaged", recording.damaged);
  if (recording.overwritten > 0) {
    return fmt::format("was full: its first {} samples are gone", recording.overwritten);
  }
  return {};
}

}  // namespace

void add_recordings(Page& page, const model::Report& report) {
  add_cost(page, report.recordings);
  std::size_t problems = 0;
  for (const model::RecordingInfo& recording : report.recordings) {
    const std::string problem = problem_of(recording);
    if (problem.empty() || ++problems > kProblemsShown) continue;
    page.paragraph(0, Paint::kWarn, fmt::format("recording of {}:", recording.host), problem);
  }
  if (problems > kProblemsShown) {
    page.paragraph(0, fmt::format("and {} more", counted(problems - kProblemsShown, "recording")));
  }
}

void add_recorded(Page& page, const model::Report& report) {
  std::set<std::string> steps;
  for (const model::Cell& cell : report.cells) {
    if (!cell.causes.empty()) steps.insert(cell.step);
  }
  std::vector<const model::Attempt*> attempts;
  for (const model::Attempt& attempt : report.attempts) {
    if (steps.contains(attempt.step) && !attempt.recorded.empty()) attempts.push_back(&attempt);
  }
  if (attempts.empty()) return;
  page.heading(Paint::kBold,
               fmt::format("RECORDED MEANWHILE ({})", counted(attempts.size(), "attempt")));
  for (std::size_t i = 0; i < std::min(attempts.size(), kAttemptsShown); ++i) {
    const model::Attempt& attempt = *attempts[i];
    page.paragraph(2, Paint::kBold, attempt.host,
                   fmt::format("step {}, {}, attempt {}, {}", attempt.step, label(attempt.subject),
                               attempt.number, model::duration(attempt.seconds)));
    for (const model::SeriesSummary& series : attempt.recorded) {
      const std::string name =
          series.subject.empty() ? series.name : series.name + " of " + series.subject;
      page.paragraph(6, name + ": " + numbers_of(series));
    }
  }
  if (attempts.size() > kAttemptsShown) {
    page.paragraph(
        2, fmt::format("and {} more", counted(attempts.size() - kAttemptsShown, "attempt")));
  }
}

}  // namespace rackproof::terminal
