#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "harness/crew/local.hpp"
#include "harness/fleet/team.hpp"
#include "harness/journal/entry.hpp"
#include "harness/support/clock.hpp"
#include "harness/support/store.hpp"
#include "reports/model/states.hpp"

namespace rackproof::crew {

/// How often ranks say that they are there, and how long silence may last.
inline constexpr double kBeatSeconds = 1;
inline constexpr double kSilenceSeconds = 20;
/// How long a rank goes on without a word from rank 0, which may be waiting for its disk.
inline constexpr double kPatienceSeconds = 30;
/// How long a rank may take to arrive at the start of the run and at a step of all ranks.
inline constexpr double kArrivalSeconds = 60;
/// Tick of a rank that waits: long enough to cost nothing on a core that is being measured.
inline constexpr double kTickSeconds = 0.01;

/// Opens the run directory that rank 0 names.
using OpenStore = std::function<std::unique_ptr<support::Store>(const std::string& directory)>;

/// A rank other than 0: says that it is there, does what rank 0 orders, says how it ended.
class Follower {
 public:
  Follower(fleet::Team& team, warden::Warden& warden, support::Clock& clock, OpenStore open_store,
           Local& local, Arrival arrival);

  /// Returns when rank 0 says that the run is over, or has not been heard of for too long.
  void run();
  /// One turn of run(), about kTickSeconds long. False once this rank has left; then no more turns.
  bool step();
  /// False when this rank must not take leave of the others: one is lost, or rank 0 is. It then
  /// stays until it is told to leave.
  bool everyone() const { return everyone_; }
  /// When rank 0 was last heard, by the clock.
  double last_heard() const { return last_heard_; }

 private:
  bool leave();
  void obey(const fleet::Message& message);
  void understand(const fleet::Message& message);
  void stop(model::Reason<model::CloseReason> reason, bool everyone);
  /// Without rank 0, for a reason that no list has.
  void abandon(std::string why);
  void join(const Roster& roster);
  void start(const Order& order);
  void run_in_rank(const Order& order);
  void send(fleet::MessageKind kind, const std::string& body);
  void listen(double seconds);
  void report(std::vector<Ended> ended);

  fleet::Team& team_;
  warden::Warden& warden_;
  support::Clock& clock_;
  OpenStore open_store_;
  Local& local_;
  Arrival arrival_;
  double last_heard_ = 0;
  double last_beat_ = 0;
  bool arrived_ = false;
  bool over_ = false;
  bool leaving_ = false;
  bool everyone_ = true;
  model::Reason<model::CloseReason> reason_ = model::CloseReason::kFinished;
};

/// The journal's first line.
journal::Open open_entry(const Roster& roster, const Arrival& arrival, support::Clock& clock);

}  // namespace rackproof::crew
