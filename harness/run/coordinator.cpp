#include "harness/run/coordinator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/learn/learn.hpp"
#include "harness/run/neighbours.hpp"
#include "harness/run/together.hpp"

namespace rackproof::run {
Coordinator::Coordinator(Request request, Surroundings around, Arrival self)
    : request_(std::move(request)),
      around_(around),
      self_(std::move(self)),
      crew_(around.team, around.clock, around.local, self_),
      began_(around.clock.now()),
      logbook_(around.warden, around.clock, began_) {}

const plan::Plan& Coordinator::prepare(bool record) {
  rendezvous(record);
  survey(record);
  choose_platforms();
  note_busy_hosts();
  check_setup();
  site_.mpi = request_.mpi;
  site_.everyone = crew_.everyone();
  site_.in_rank_benches = request_.in_rank_programs;
  plan_ = plan::make_plan(request_.suite, site_, request_.selection);
  if (request_.set_aside.empty()) {
    refuse_other_plan();
  } else {
    keep_owed_cells();
  }
  keep_bounds();
  logbook_.plan(plan_);
  for (const model::History& history : learn::relevant_to(live_, request_.history)) {
    logbook_.append(journal::History{history});
  }
  if (record && request_.record) start_recorders();
  return plan_;
}

// What bounds the metrics that will be judged: the judge reads nothing but the report.
void Coordinator::keep_bounds() {
  std::set<std::string> metrics;
  for (const model::Cell& cell : plan_.cells) metrics.insert(cell.metric);
  for (const model::MetricBound& bound : request_.bounds) {
    if (metrics.contains(bound.metric)) logbook_.append(journal::Bound{bound});
  }
}

void Coordinator::rendezvous(bool record) {
  const std::vector<Arrival> arrivals = crew_.gather(kArrivalSeconds);
  if (const std::string why = why_not_together(arrivals); !why.empty()) throw Refused(why);
  place_ranks(arrivals);
  if (record) {
    around_.store.make_folder("journals");
    around_.warden.open_journal(around_.store.path(rosters_.front().journal));
    around_.warden.share_host(rosters_.front().share);
    logbook_.append(open_entry(rosters_.front(), self_, around_.clock));
    try {
      open_lines_ = crew_.send_rosters({rosters_.begin() + 1, rosters_.end()});
    } catch (const fleet::TeamError& error) {
      throw Refused(error.what());
    }
    for (const Roster& roster : rosters_) {
      if (around_.store.exists(roster.journal)) visible_.insert(roster.rank);
    }
    compare_clocks();
  }
  model::RunInfo run;
  run.id = request_.run_id;
  run.began_utc = around_.clock.utc();
  run.command = request_.command;
  run.launcher = request_.launcher;
  run.labels = request_.labels;
  run.required = request_.required;
  run.extent = request_.extent;
  run.accept_unjudged = request_.accept_unjudged;
  run.ranks = around_.team.size();
  run.segments = request_.segment;
  run.platform_choice = request_.forced_platform.empty() ? model::PlatformChoice::kRecognised
                                                         : model::PlatformChoice::kForced;
  logbook_.append(journal::Run{request_.tool, run, request_.suite.info});
  if (!request_.causes.rules.empty()) logbook_.append(journal::Causes{request_.causes});
  logbook_.ranks(arrivals, rosters_, around_.team.size());
  note_lost();
}

void Coordinator::place_ranks(const std::vector<Arrival>& arrivals) {
  std::map<std::string, int> next_local;
  const std::vector<warden::HostShare> shares = shares_of(arrivals);
  for (const Arrival& arrival : arrivals) {
    Roster roster;
    roster.run = request_.run_id;
    roster.segment = request_.segment;
    roster.rank = arrival.rank;
    roster.size = around_.team.size();
    roster.local_rank = next_local[arrival.host]++;
    roster.directory = request_.directory;
    roster.share = shares.at(rosters_.size());
    roster.journal = fmt::format("journals/{:04}-rank-{:05}.jsonl", request_.segment, arrival.rank);
    site_.ranks.push_back({arrival.rank, arrival.host, roster.local_rank});
    rosters_.push_back(std::move(roster));
  }
}

std::string Coordinator::host_of(int rank) const {
  for (const plan::RankPlace& place : site_.ranks) {
    if (place.rank == rank) return place.host;
  }
  return "unknown host";
}

void Coordinator::hold_up(model::StepReason id, int rank) {
  if (held_up_.empty()) held_up_ = {id, fmt::format("rank {} on {}", rank, host_of(rank))};
}

void Coordinator::note_lost() {
  for (const LostRank& lost : crew_.take_lost()) {
    const std::string host = host_of(lost.rank);
    logbook_.rank_lost(lost.rank, host, lost.why, lost.reached);
    around_.progress.say(fmt::format("rank {} on {} is lost: {}", lost.rank, host, lost.why));
    lose_members(lost);
    const auto owed =
        std::erase_if(pending_, [&](const auto& entry) { return entry.second.rank == lost.rank; });
    if (owed > 0) hold_up(model::StepReason::kRankLost, lost.rank);
  }
}

void Coordinator::keep_lines(const Ended& ended) {
  // A rank whose disk rank 0 cannot see: its lines are kept here as well, or they would be missing
  // from the report.
  if (ended.rank == 0 || open_lines_.empty()) return;
  const std::string name =
      fmt::format("journals/{:04}-rank-{:05}.gathered.jsonl", request_.segment, ended.rank);
  if (Keepsake* const keepsake = around_.keepsake) {
    if (kept_.insert(ended.rank).second) keepsake->keep(name, open_lines_[ended.rank]);
    for (const std::string& line : ended.lines) keepsake->keep(name, line);
  }
  if (visible_.contains(ended.rank)) return;
  std::string bytes;
  warden::Seal& seal = seals_[ended.rank];
  if (!around_.store.exists(name)) bytes = seal.sealed(open_lines_[ended.rank]) + "\n";
  for (const std::string& line : ended.lines) bytes += seal.sealed(line) + "\n";
  around_.store.append(name, bytes);
}

void Coordinator::dismiss() {
  crew_.dismiss(interrupted_ ? model::CloseReason::kInterrupted : model::CloseReason::kFinished,
                10);
}

}  // namespace rackproof::run
