#include "harness/crew/crew.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "harness/crew/parting.hpp"

namespace rackproof::crew {

using fleet::MessageKind;

Crew::Crew(fleet::Team& team, support::Clock& clock, Local& local, Arrival self)
    : team_(team), clock_(clock), local_(local), self_(std::move(self)) {}

void Crew::send(int rank, MessageKind kind, const std::string& body) {
  if (!lost_.contains(rank)) team_.send(rank, kind, body);
}

void Crew::lose(int rank, const std::string& why) {
  if (rank == 0 || !lost_.insert(rank).second) return;
  const std::string& reached = reached_[rank];
  newly_lost_.push_back(
      {rank, why + (reached.empty() ? "" : "; the last step it reached was " + reached), reached});
}

void Crew::hear(const fleet::Message& message, std::vector<Ended>& ended) {
  last_heard_[message.peer] = clock_.now();
  try {
    understand(message, ended);
  } catch (const nlohmann::json::exception& error) {
    lose(message.peer, fmt::format("its message '{}' makes no sense: {}",
                                   contract::word(message.kind), error.what()));
  }
  // One that was given up and is there all the same: it has to end what it runs, and to stay.
  if (lost_.contains(message.peer) && failed_.insert(message.peer).second) {
    send_home(team_, {message.peer}, false, {model::CloseReason::kOther, "given up by rank 0"});
  }
}

void Crew::understand(const fleet::Message& message, std::vector<Ended>& ended) {
  const int rank = message.peer;
  const std::string& body = message.body;
  switch (message.kind) {
    case MessageKind::kHello:
      arrivals_[rank] = arrival_from_text(body);
      return;
    case MessageKind::kReady:
      ready_[rank] = body;
      return;
    case MessageKind::kCannot:
      refusals_[rank] = body;
      return;
    case MessageKind::kHere:
      if (body == roll_) here_.insert(rank);
      reached_[rank] = body;
      return;
    case MessageKind::kAt:
      reached_[rank] = body;
      return;
    case MessageKind::kTime:
      clocks_.take(rank, body, clock_.now());
      return;
    case MessageKind::kEnded:
      ended.push_back(ended_from_text(body));
      return;
    case MessageKind::kToken:
      tokens_.push_back(given_token_from_text(body));
      return;
    case MessageKind::kFailed:
      // It is there and can be sent home, but nothing that it measures can be kept any more.
      failed_.insert(rank);
      return lose(rank, body);
    case MessageKind::kBye:
      gone_home_.insert(rank);
      return;
    case MessageKind::kBeat:
      return;
    case MessageKind::kRoster:
    case MessageKind::kStart:
    case MessageKind::kCancel:
    case MessageKind::kArrive:
    case MessageKind::kGo:
    case MessageKind::kFinish:
    case MessageKind::kDisband:
    case MessageKind::kLeaveTogether:
    case MessageKind::kLeaveAlone:
    case MessageKind::kNext:
      return lose(
          rank, fmt::format("it sent '{}', which only rank 0 sends", contract::word(message.kind)));
    case MessageKind::kDamaged:
      return lose(rank, "it sent a corrupted message");
    case MessageKind::kUnknown:
      return lose(rank, fmt::format("it sent a message of an unknown kind, '{}'", body));
  }
}

void Crew::beat() {
  if (clock_.now() - last_beat_ < kBeatSeconds) return;
  last_beat_ = clock_.now();
  for (const int rank : listeners()) team_.send(rank, MessageKind::kBeat, "");
}

std::vector<int> Crew::listeners() const {
  std::vector<int> out;
  for (int rank = 1; rank < team_.size(); ++rank) {
    if (!lost_.contains(rank) || failed_.contains(rank)) out.push_back(rank);
  }
  return out;
}

template <class Done>
void Crew::listen(double seconds, Done done) {
  const double until = clock_.now() + seconds;
  while (!done() && clock_.now() < until) {
    beat();
    while (auto message = team_.receive()) hear(*message, waiting_);
    if (!done()) clock_.sleep(kTickSeconds);
  }
}

std::vector<Arrival> Crew::gather(double seconds) {
  arrivals_[0] = self_;
  const auto size = static_cast<std::size_t>(team_.size());
  listen(seconds, [&] { return arrivals_.size() == size; });
  std::vector<Arrival> out;
  for (int rank = 0; rank < team_.size(); ++rank) {
    if (const auto found = arrivals_.find(rank); found != arrivals_.end()) {
      out.push_back(found->second);
    } else {
      lose(rank, fmt::format("did not arrive within {:.0f} s of the start", seconds));
    }
  }
  return out;
}

std::map<int, std::string> Crew::send_rosters(const std::vector<Roster>& rosters) {
  for (const Roster& roster : rosters) send(roster.rank, MessageKind::kRoster, to_text(roster));
  listen(kArrivalSeconds, [&] {
    return std::all_of(rosters.begin(), rosters.end(), [&](const Roster& roster) {
      const int rank = roster.rank;
      return ready_.contains(rank) || refusals_.contains(rank) || lost_.contains(rank);
    });
  });
  if (!refusals_.empty()) {
    const auto& [rank, why] = *refusals_.begin();
    throw fleet::TeamError(fmt::format("rank {} ({}): {}", rank, arrivals_[rank].host, why));
  }
  for (const Roster& roster : rosters) {
    if (!ready_.contains(roster.rank)) lose(roster.rank, "did not open its journal in time");
  }
  return ready_;
}

std::map<int, ClockOffset> Crew::compare_clocks(const std::vector<int>& ranks, double seconds) {
  constexpr int kRounds = 5;
  const double until = clock_.now() + seconds;
  for (int round = 0; round < kRounds && clock_.now() < until && !ranks.empty(); ++round) {
    const std::string question = clocks_.ask(clock_.now(), clock_.utc());
    for (const int rank : ranks) send(rank, MessageKind::kTime, question);
    listen(until - clock_.now(), [&] { return clocks_.answers() >= ranks.size(); });
  }
  return clocks_.take_offsets();
}

void Crew::start(int rank, const Order& order) {
  if (rank == 0) {
    local_.start(order);
  } else {
    send(rank, MessageKind::kStart, to_text(order));
  }
}

void Crew::cancel(int rank, const std::string& attempt,
                  const model::Reason<model::CancelReason>& by) {
  if (rank == 0) {
    local_.cancel(attempt, by);
  } else {
    send(rank, MessageKind::kCancel, to_text(Cancel{attempt, by}));
  }
}

std::vector<int> Crew::roll_call(const std::string& step, const std::vector<int>& ranks,
                                 double seconds, const std::function<bool()>& hurry) {
  here_.clear();
  roll_ = step;
  std::size_t expected = 0;
  for (const int rank : ranks) {
    if (rank == 0 || lost_.contains(rank)) continue;
    send(rank, MessageKind::kArrive, step);
    ++expected;
  }
  listen(seconds, [&] { return here_.size() >= expected || hurry(); });
  std::vector<int> missing;
  for (const int rank : ranks) {
    if (rank != 0 && !here_.contains(rank)) missing.push_back(rank);
  }
  return missing;
}

void Crew::go(const std::vector<Order>& orders) {
  const Order* own = nullptr;
  for (const Order& order : orders) {
    if (order.head.rank == 0) {
      own = &order;
    } else {
      send(order.head.rank, MessageKind::kGo, to_text(order));
    }
  }
  if (own != nullptr) local_.run_in_rank(*own);
  // Nobody could say anything meanwhile: their silence counts from now.
  for (auto& [rank, heard] : last_heard_) heard = clock_.now();
}

std::vector<Ended> Crew::wait(double seconds) {
  const bool alone = team_.size() == 1;
  beat();
  std::vector<Ended> ended = local_.wait(alone ? seconds : kTickSeconds);
  for (GivenToken& told : local_.take_tokens()) tokens_.push_back(std::move(told));
  ended.insert(ended.end(), std::make_move_iterator(waiting_.begin()),
               std::make_move_iterator(waiting_.end()));
  waiting_.clear();
  if (alone) return ended;
  while (auto message = team_.receive()) hear(*message, ended);
  for (int rank = 1; rank < team_.size(); ++rank) {
    const double silence = clock_.now() - last_heard_[rank];
    if (silence > kSilenceSeconds) lose(rank, fmt::format("silent for {:.0f} s", silence));
  }
  return ended;
}

std::vector<LostRank> Crew::take_lost() { return std::exchange(newly_lost_, {}); }

void Crew::dismiss(model::CloseReason reason, double seconds) {
  const std::vector<int> ranks = listeners();
  send_home(team_, ranks, everyone(), reason);
  listen(seconds, [&] {
    return std::all_of(ranks.begin(), ranks.end(),
                       [&](int rank) { return gone_home_.contains(rank); });
  });
  for (const int rank : ranks) {
    if (!gone_home_.contains(rank)) lose(rank, "did not acknowledge the end of the run");
  }
}

void Crew::keep_heard_until(const std::function<bool()>& done) {
  listen(std::numeric_limits<double>::infinity(), done);
}

}  // namespace rackproof::crew
