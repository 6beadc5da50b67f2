#include <fmt/format.h>

#include <algorithm>

#include "harness/run/coordinator.hpp"
#include "harness/telemetry/event.hpp"

// The part of rank 0's work that lasts for the whole run: one recorder on each host.
namespace rackproof::run {
namespace {

// A recorder outlives what it records; the run ends it.
constexpr double kSpareSeconds = 900;
constexpr double kGraceSeconds = 2;
constexpr double kEndSeconds = 15;
constexpr int kMostMebibytes = 64;

}  // namespace

void Coordinator::start_recorders() {
  for (const Roster& roster : rosters_) {
    if (roster.local_rank != 0 || crew_.is_lost(roster.rank)) continue;
    const std::string name =
        fmt::format("journals/{:04}-rank-{:05}.recording", request_.segment, roster.rank);
    const double longest = request_.time_budget_seconds + kSpareSeconds;
    Order order;
    order.head.rank = roster.rank;
    order.head.host = host_of(roster.rank);
    order.attempt =
        fmt::format("{}/{}/recorder/{}", request_.run_id, request_.segment, order.head.host);
    order.head.bench = telemetry::kRecorderBench;
    order.head.backend = "host";
    order.head.arguments = {
        "--out",     roster.rank == 0 ? around_.store.path(name) : roster.directory + "/" + name,
        "--size",    std::to_string(kMostMebibytes),
        "--longest", fmt::format("{:.0f}", longest),
        "--quiet"};
    order.own_verb = "record";
    order.deadline_seconds = longest;
    order.grace_seconds = kGraceSeconds;
    recorders_[order.attempt] = roster.rank;
    crew_.start(roster.rank, order);
  }
}

// Before the end of the run is written: the report is made out of whole recordings.
void Coordinator::stop_recorders() {
  for (const auto& [attempt, rank] : recorders_) {
    crew_.cancel(rank, attempt, {model::CancelReason::kRunEnded});
  }
  const double until = around_.clock.now() + kEndSeconds;
  while (!recorders_.empty() && around_.clock.now() < until) {
    std::erase_if(recorders_, [&](const auto& entry) { return crew_.is_lost(entry.second); });
    for (Ended& ended : crew_.wait(kTickSeconds)) settle(ended);
  }
}

}  // namespace rackproof::run
