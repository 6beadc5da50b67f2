#include "harness/run/recorders.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/crew/endings.hpp"
#include "harness/telemetry/event.hpp"

namespace rackproof::run {
namespace {

// A recorder outlives what it records; the run ends it.
constexpr double kSpareSeconds = 900;
constexpr double kGraceSeconds = 2;
constexpr double kEndSeconds = 15;
constexpr int kMostMebibytes = 64;

}  // namespace

void Recorders::start(const std::vector<crew::Roster>& rosters) {
  for (const crew::Roster& roster : rosters) {
    const bool first = roster.local_rank == 0 && !context_.is_left_out(roster.rank);
    if (!first || context_.crew.is_lost(roster.rank)) continue;
    const std::string name =
        fmt::format("journals/{:04}-rank-{:05}.recording", context_.request.segment, roster.rank);
    const double longest = context_.request.time_budget_seconds + kSpareSeconds;
    crew::Order order;
    order.head.rank = roster.rank;
    order.head.host = context_.host_of(roster.rank);
    order.attempt = fmt::format("{}/{}/recorder/{}", context_.request.run_id,
                                context_.request.segment, order.head.host);
    order.head.bench = telemetry::kRecorderBench;
    order.head.backend = "host";
    order.head.arguments = {
        "--out",
        roster.rank == 0 ? context_.around.store.path(name) : roster.directory + "/" + name,
        "--size",
        std::to_string(kMostMebibytes),
        "--longest",
        fmt::format("{:.0f}", longest),
        "--quiet"};
    order.own_verb = "record";
    order.deadline_seconds = longest;
    order.grace_seconds = kGraceSeconds;
    recorders_[order.attempt] = roster.rank;
    context_.crew.start(roster.rank, order);
  }
}

bool Recorders::take(crew::Ended& ended) {
  if (recorders_.erase(ended.attempt) == 0) return false;
  context_.gathered.keep(ended);
  context_.log.take(crew::take_transcript(ended), ended.rank);
  return true;
}

// Before the end of the run is written: the report is made out of whole recordings.
void Recorders::stop() {
  for (const auto& [attempt, rank] : recorders_) {
    context_.crew.cancel(rank, attempt, {model::CancelReason::kRunEnded});
  }
  const double until = context_.around.clock.now() + kEndSeconds;
  while (!recorders_.empty() && context_.around.clock.now() < until) {
    std::erase_if(recorders_,
                  [&](const auto& entry) { return context_.crew.is_lost(entry.second); });
    for (crew::Ended& ended : context_.crew.wait(crew::kTickSeconds)) take(ended);
  }
}

}  // namespace rackproof::run
