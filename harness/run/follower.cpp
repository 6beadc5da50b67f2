#include "harness/run/follower.hpp"

#include <nlohmann/json.hpp>

#include "harness/journal/entry_json.hpp"
#include "harness/run/clocks.hpp"
#include "harness/run/endings.hpp"
#include "reports/model/words.hpp"

namespace rackproof::run {

journal::Open open_entry(const Roster& roster, const Arrival& arrival, warden::Clock& clock) {
  return {roster.run,        roster.segment, roster.rank, roster.size,
          roster.local_rank, arrival.host,   arrival.pid, arrival.version,
          arrival.commit,    arrival.boot,   clock.now(), clock.utc()};
}

Follower::Follower(fleet::Team& team, warden::Warden& warden, warden::Clock& clock,
                   OpenStore open_store, Local& local, Arrival arrival)
    : team_(team),
      warden_(warden),
      clock_(clock),
      open_store_(std::move(open_store)),
      local_(local),
      arrival_(std::move(arrival)) {}

void Follower::send(const std::string& kind, const std::string& body) {
  team_.send(0, kind, body);
  last_beat_ = clock_.now();
}

void Follower::join(const Roster& roster) {
  std::string line;
  try {
    const auto store = open_store_(roster.directory);
    store->make_folder("journals");
    warden_.open_journal(store->path(roster.journal));
    warden_.share_host(roster.share);
    line = journal::to_json(open_entry(roster, arrival_, clock_));
    warden_.note(line, true);
  } catch (const std::exception& error) {
    send("cannot", error.what());
    return;
  }
  send("ready", line);
}

void Follower::stop(const std::string& reason, bool everyone) {
  reason_ = model::reason_of<model::CloseReason>(reason);
  over_ = true;
  everyone_ = everyone;
}

void Follower::obey(const fleet::Message& message) {
  last_heard_ = clock_.now();
  if (message.kind == fleet::kDamaged) return stop("a message from rank 0 came damaged", false);
  try {
    understand(message);
  } catch (const nlohmann::json::exception& error) {
    stop("rank 0's message '" + message.kind + "' makes no sense: " + error.what(), false);
  }
}

void Follower::understand(const fleet::Message& message) {
  if (message.kind == "roster") {
    join(roster_from_text(message.body));
  } else if (message.kind == "start") {
    const Order order = order_from_text(message.body);
    if (order.own_verb.empty()) send("at", order.head.step);
    local_.start(order);
  } else if (message.kind == "cancel") {
    const Cancel cancel = cancel_from_text(message.body);
    local_.cancel(cancel.attempt, cancel.by);
  } else if (message.kind == "arrive") {
    send("here", message.body);
  } else if (message.kind == "time") {
    send("time", ClockSurvey::answer(message.body, clock_.utc()));
  } else if (message.kind == "go") {
    const Order order = order_from_text(message.body);
    send("at", order.head.step);
    local_.run_in_rank(order);
    last_heard_ = clock_.now();
  } else if (message.kind == "finish" || message.kind == "disband") {
    stop(message.body, message.kind == "finish");
  }
}

void Follower::report(std::vector<Ended> ended) {
  for (Ended& one : ended) {
    one.rank = team_.rank();
    send("ended", to_text(one));
  }
}

void Follower::listen(double seconds) {
  std::vector<Ended> ended = local_.wait(seconds);
  // Before the ending: a process that gave its token did so while it lived.
  for (Told& told : local_.take_tokens()) {
    told.rank = team_.rank();
    send("token", to_text(told));
  }
  report(std::move(ended));
}

void Follower::run() {
  while (step()) {
  }
}

bool Follower::step() {
  if (!arrived_) {
    arrived_ = true;
    last_heard_ = clock_.now();
    send("hello", to_text(arrival_));
  }
  if (over_) return leave();
  // What comes after the end of the run is for whoever sees to this rank's leaving.
  while (!over_) {
    const auto message = team_.receive();
    if (!message) break;
    obey(*message);
  }
  listen(over_ ? 0 : kTickSeconds);
  if (clock_.now() - last_beat_ > kBeatSeconds) send("beat", "");
  if (clock_.now() - last_heard_ > kPatienceSeconds) stop("rank 0 fell silent", false);
  return true;
}

// One turn of leaving: first everything that runs here has to end.
bool Follower::leave() {
  if (!leaving_) {
    leaving_ = true;
    for (const std::string& attempt : local_.running()) {
      local_.cancel(attempt, why_cancelled(reason_));
    }
  }
  if (!local_.idle()) {
    listen(kTickSeconds);
    return true;
  }
  warden_.close(reason_);
  send("bye", "");
  return false;
}

}  // namespace rackproof::run
