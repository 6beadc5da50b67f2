#include "harness/run/run_log.hpp"

#include <iterator>
#include <map>
#include <utility>
#include <variant>

#include "harness/journal/entry_json.hpp"

namespace rackproof::run {
namespace {

/// What is on disk before anything else happens: from `planned` on it is known what the run owes.
struct IsDurable {
  bool operator()(const journal::Open&) const { return true; }
  bool operator()(const journal::Repair&) const { return true; }
  bool operator()(const journal::Planned&) const { return true; }
  bool operator()(const journal::RankLost&) const { return true; }
  bool operator()(const journal::Stopping&) const { return true; }
  bool operator()(const journal::Ended&) const { return true; }
  bool operator()(const journal::Step& step) const {
    return step.state != model::StepState::kBegun;
  }
  template <class Entry>
  bool operator()(const Entry&) const {
    return false;
  }
};

}  // namespace

RunLog::RunLog(warden::Warden& warden, support::Clock& clock, double began)
    : warden_(warden), clock_(clock), began_(began) {}

double RunLog::now() const { return clock_.now() - began_; }

void RunLog::append(const journal::Entry& entry) {
  warden_.note(journal::to_json(entry), std::visit(IsDurable{}, entry));
  ingest::apply(entry, own_, account_);
}

const model::Attempt* RunLog::take(ingest::Transcript&& transcript, int rank) {
  ingest::JournalHead from;
  from.segment = own_.segment;
  from.rank = rank;
  return ingest::apply(std::move(transcript), from, account_);
}

void RunLog::ranks(const std::vector<crew::Arrival>& arrivals,
                   const std::vector<crew::Roster>& rosters, int size) {
  std::map<int, journal::Rank> ranks;
  for (int rank = 0; rank < size; ++rank) ranks[rank].rank = rank;
  for (const crew::Arrival& arrival : arrivals) {
    journal::Rank& rank = ranks[arrival.rank];
    rank.arrived = true;
    rank.host = arrival.host;
    rank.pid = arrival.pid;
  }
  for (const crew::Roster& roster : rosters) {
    ranks[roster.rank].local_rank = roster.local_rank;
    ranks[roster.rank].journal = roster.journal;
  }
  for (int rank = 0; rank < size; ++rank) append(ranks[rank]);
}

void RunLog::plan(const plan::Plan& plan) {
  for (const auto& info : plan.infos) append(journal::PlanStep{info});
  for (const auto& cell : plan.cells) append(journal::Cell{cell});
  append(journal::Planned{std::ssize(plan.infos), std::ssize(plan.cells)});
}

void RunLog::step(const std::string& id, model::StepState state,
                  const model::Reason<model::StepReason>& reason) {
  append(journal::Step{id, state, reason, now()});
}

void RunLog::roll_call(const std::string& step, const std::vector<int>& missing) {
  append(journal::RollCall{step, missing, now()});
}

void RunLog::rank_lost(int rank, const std::string& host, const std::string& why,
                       const std::string& reached) {
  append(journal::RankLost{rank, host, why, reached, now()});
}

void RunLog::stopping(const std::string& reason) {
  append(journal::Stopping{reason, now(), clock_.utc()});
}

void RunLog::ended(bool completed, bool interrupted) {
  append(journal::Ended{completed, interrupted, now(), clock_.utc()});
}

}  // namespace rackproof::run
