#include "harness/run/crew.hpp"
#include "reports/model/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

namespace rackproof::run {

Crew::Crew(fleet::Team& team, warden::Clock& clock, Local& local, Arrival self)
    : team_(team), clock_(clock), local_(local), self_(std::move(self)) {}

void Crew::send(int rank, const std::string& kind, const std::string& body) {
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
  if (message.kind == fleet::kDamaged) {
    lose(message.peer, "a message from it came damaged");
  } else {
    try {
      understand(message, ended);
    } catch (const nlohmann::json::exception& error) {
      lose(message.peer, "its message '" + message.kind + "' makes no sense: " + error.what());
    }
  }
  // One that was given up and is there all the same: it has to end what it runs, and to stay.
  if (lost_.contains(message.peer) && failed_.insert(message.peer).second) {
    team_.send(message.peer, "disband", "given up by rank 0");
  }
}

void Crew::understand(const fleet::Message& message, std::vector<Ended>& ended) {
  if (message.kind == "hello") {
    arrivals_[message.peer] = arrival_from_text(message.body);
  } else if (message.kind == "ready") {
    ready_[message.peer] = message.body;
  } else if (message.kind == "cannot") {
    refusals_[message.peer] = message.body;
  } else if (message.kind == "here") {
    reached_[message.peer] = message.body;
    if (message.body == roll_) here_.insert(message.peer);
  } else if (message.kind == "at") {
    reached_[message.peer] = message.body;
  } else if (message.kind == "time") {
    clocks_.take(message.peer, message.body, clock_.now());
  } else if (message.kind == "ended") {
    ended.push_back(ended_from_text(message.body));
  } else if (message.kind == "token") {
    tokens_.push_back(told_from_text(message.body));
  } else if (message.kind == "failed") {
    // It is there and can be sent home, but nothing that it measures can be kept any more.
    failed_.insert(message.peer);
    lose(message.peer, message.body);
  } else if (message.kind == "bye") {
    gone_home_.insert(message.peer);
  }
}

void Crew::beat() {
  if (clock_.now() - last_beat_ < kBeatSeconds) return;
  last_beat_ = clock_.now();
  for (const int rank : listeners()) team_.send(rank, "beat", "");
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
  for (const Roster& roster : rosters) send(roster.rank, "roster", to_text(roster));
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
    for (const int rank : ranks) send(rank, "time", question);
    listen(until - clock_.now(), [&] { return clocks_.answers() >= ranks.size(); });
  }
  return clocks_.take_offsets();
}

void Crew::start(int rank, const Order& order) {
  if (rank == 0) {
    local_.start(order);
  } else {
    send(rank, "start", to_text(order));
  }
}

void Crew::cancel(int rank, const std::string& attempt,
                  const model::Reason<model::CancelReason>& by) {
  if (rank == 0) {
    local_.cancel(attempt, by);
  } else {
    send(rank, "cancel", to_text(Cancel{attempt, by}));
  }
}

std::vector<int> Crew::roll_call(const std::string& step, const std::vector<int>& ranks,
                                 double seconds, const std::function<bool()>& hurry) {
  here_.clear();
  roll_ = step;
  std::size_t expected = 0;
  for (const int rank : ranks) {
    if (rank == 0 || lost_.contains(rank)) continue;
    send(rank, "arrive", step);
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
      send(order.head.rank, "go", to_text(order));
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
  for (Told& told : local_.take_tokens()) tokens_.push_back(std::move(told));
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
  for (const int rank : ranks)
    team_.send(rank, everyone() ? "finish" : "disband", std::string(model::word(reason)));
  listen(seconds, [&] {
    return std::all_of(ranks.begin(), ranks.end(),
                       [&](int rank) { return gone_home_.contains(rank); });
  });
  for (const int rank : ranks) {
    if (!gone_home_.contains(rank)) lose(rank, "said no farewell");
  }
}

void Crew::keep_heard_until(const std::function<bool()>& done) {
  listen(std::numeric_limits<double>::infinity(), done);
}

}  // namespace rackproof::run
