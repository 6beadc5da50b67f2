#include "harness/crew/follower.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "harness/crew/clocks.hpp"
#include "harness/crew/endings.hpp"
#include "harness/journal/entry_json.hpp"
#include "reports/model/words.hpp"

namespace rackproof::crew {

using fleet::MessageKind;

journal::Open open_entry(const Roster& roster, const Arrival& arrival, support::Clock& clock) {
  return {roster.run,        roster.segment, roster.rank, roster.size,
          roster.local_rank, arrival.host,   arrival.pid, arrival.version,
          arrival.commit,    arrival.boot,   clock.now(), clock.utc()};
}

Follower::Follower(fleet::Team& team, warden::Warden& warden, support::Clock& clock,
                   OpenStore open_store, Local& local, Arrival arrival)
    : team_(team),
      warden_(warden),
      clock_(clock),
      open_store_(std::move(open_store)),
      local_(local),
      arrival_(std::move(arrival)) {}

void Follower::send(MessageKind kind, const std::string& body) {
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
    send(MessageKind::kCannot, error.what());
    return;
  }
  send(MessageKind::kReady, line);
}

void Follower::stop(model::Reason<model::CloseReason> reason, bool everyone) {
  reason_ = std::move(reason);
  over_ = true;
  everyone_ = everyone;
}

void Follower::abandon(std::string why) {
  stop({model::CloseReason::kOther, std::move(why)}, false);
}

void Follower::obey(const fleet::Message& message) {
  last_heard_ = clock_.now();
  try {
    understand(message);
  } catch (const nlohmann::json::exception& error) {
    abandon(fmt::format("rank 0's message '{}' makes no sense: {}", contract::word(message.kind),
                        error.what()));
  }
}

void Follower::understand(const fleet::Message& message) {
  const std::string& body = message.body;
  switch (message.kind) {
    case MessageKind::kRoster:
      return join(roster_from_text(body));
    case MessageKind::kStart:
      return start(order_from_text(body));
    case MessageKind::kCancel: {
      const Cancel cancel = cancel_from_text(body);
      return local_.cancel(cancel.attempt, cancel.by);
    }
    case MessageKind::kArrive:
      return send(MessageKind::kHere, body);
    case MessageKind::kTime:
      return send(MessageKind::kTime, ClockProbe::answer(body, clock_.utc()));
    case MessageKind::kGo:
      return run_in_rank(order_from_text(body));
    case MessageKind::kFinish:
    case MessageKind::kDisband:
      return stop(close_reason_from_text(body), message.kind == MessageKind::kFinish);
    case MessageKind::kBeat:
    // Of a rank that has left the run, which this one has not: it was not told, and silence will.
    case MessageKind::kLeaveTogether:
    case MessageKind::kLeaveAlone:
    case MessageKind::kNext:
      return;
    case MessageKind::kHello:
    case MessageKind::kReady:
    case MessageKind::kCannot:
    case MessageKind::kHere:
    case MessageKind::kAt:
    case MessageKind::kToken:
    case MessageKind::kEnded:
    case MessageKind::kFailed:
    case MessageKind::kBye:
      return abandon(fmt::format("rank 0 sent '{}', which only the others send",
                                 contract::word(message.kind)));
    case MessageKind::kDamaged:
      return abandon("rank 0 sent a corrupted message");
    case MessageKind::kUnknown:
      return abandon(fmt::format("rank 0 sent a message of an unknown kind, '{}'", body));
  }
}

void Follower::start(const Order& order) {
  if (order.own_verb.empty()) send(MessageKind::kAt, order.head.step);
  local_.start(order);
}

void Follower::run_in_rank(const Order& order) {
  send(MessageKind::kAt, order.head.step);
  local_.run_in_rank(order);
  last_heard_ = clock_.now();
}

void Follower::report(std::vector<Ended> ended) {
  for (Ended& one : ended) {
    one.rank = team_.rank();
    send(MessageKind::kEnded, to_text(one));
  }
}

void Follower::listen(double seconds) {
  std::vector<Ended> ended = local_.wait(seconds);
  // Before the ending: a process that gave its token did so while it lived.
  for (GivenToken& told : local_.take_tokens()) {
    told.rank = team_.rank();
    send(MessageKind::kToken, to_text(told));
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
    send(MessageKind::kHello, to_text(arrival_));
  }
  if (over_) return leave();
  // What comes after the end of the run is for whoever sees to this rank's leaving.
  while (!over_) {
    const auto message = team_.receive();
    if (!message) break;
    obey(*message);
  }
  listen(over_ ? 0 : kTickSeconds);
  if (clock_.now() - last_beat_ > kBeatSeconds) send(MessageKind::kBeat, "");
  if (clock_.now() - last_heard_ > kPatienceSeconds) abandon("rank 0 fell silent");
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
  send(MessageKind::kBye, "");
  return false;
}

}  // namespace rackproof::crew
