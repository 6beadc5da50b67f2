#include "harness/run/context.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "reports/model/words.hpp"

namespace rackproof::run {

Context::Context(resume::Request asked, Surroundings with, crew::Arrival own)
    : request(std::move(asked)),
      around(with),
      self(std::move(own)),
      began(with.clock.now()),
      crew(with.team, with.clock, with.local, self),
      log(with.warden, with.clock, began),
      gathered(with.store, with.keepsake, request.segment),
      live(log.account().report) {}

std::string Context::host_of(int rank) const {
  for (const auto* places : {&site.ranks, &site.left_out}) {
    for (const plan::RankPlace& place : *places) {
      if (place.rank == rank) return place.host;
    }
  }
  return "unknown host";
}

bool Context::is_left_out(int rank) const {
  return std::any_of(site.left_out.begin(), site.left_out.end(),
                     [rank](const plan::RankPlace& place) { return place.rank == rank; });
}

void Context::look_for_stop() {
  if (!stop.empty()) return;
  if (around.interrupts() > 0) {
    if (!std::exchange(interrupted, true)) log.stopping("interrupted");
    stop = {model::StepReason::kInterrupted};
  } else if (elapsed() >= request.time_budget_seconds) {
    stop = {model::StepReason::kTimeBudget};
  }
}

void Context::keep(model::Finding& finding) {
  model::suppress(finding, request.suite.info.suppress, around.clock.utc());
  log.append(journal::Finding{finding});
}

void Context::note(model::Finding finding) {
  keep(finding);
  stop_for(finding);
}

void Context::stop_for(const model::Finding& finding) {
  if (!stop.empty() || !config::stops(request.suite.stop, finding)) return;
  stop = {model::StepReason::kStoppedByFinding,
          fmt::format("{}, {}: {}", finding.id, finding.subject, finding.text)};
  around.progress.say(model::to_text(stop));
}

std::vector<crew::LostRank> Context::take_lost() {
  std::vector<crew::LostRank> all = crew.take_lost();
  for (const crew::LostRank& lost : all) {
    const std::string host = host_of(lost.rank);
    log.rank_lost(lost.rank, host, lost.why, lost.reached);
    around.progress.say(fmt::format("rank {} on {} is lost: {}", lost.rank, host, lost.why));
  }
  return all;
}

}  // namespace rackproof::run
