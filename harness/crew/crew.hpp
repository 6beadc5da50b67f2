#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/crew/clocks.hpp"
#include "harness/crew/follower.hpp"
#include "harness/crew/local.hpp"
#include "harness/fleet/team.hpp"
#include "reports/model/states.hpp"

namespace rackproof::crew {

/// A rank that is gone, and how that was noticed.
struct LostRank {
  int rank = 0;
  std::string why;      ///< with the last step it reached
  std::string reached;  ///< that step alone; empty: none
};

/// All ranks as rank 0 sees them: its own Local and, over the team, everybody else's. Orders out,
/// ended attempts in; it notices who falls silent.
class Crew {
 public:
  Crew(fleet::Team& team, support::Clock& clock, Local& local, Arrival self);

  /// Waits for every rank's arrival. Ranks that did not come are lost from then on.
  std::vector<Arrival> gather(double seconds);
  /// Sends the rosters (one for each rank that arrived, not rank 0) and waits until each has its
  /// journal. Gives the first line of each journal by rank; a rank that cannot keep one throws
  /// TeamError.
  std::map<int, std::string> send_rosters(const std::vector<Roster>& rosters);

  /// Asks the ranks for the time, several times within at most `seconds`; gives how far their
  /// clocks are from this rank's, for those that answered.
  std::map<int, ClockOffset> compare_clocks(const std::vector<int>& ranks, double seconds);

  void start(int rank, const Order& order);
  void cancel(int rank, const std::string& attempt, const model::Reason<model::CancelReason>& by);
  /// Asks the ranks to come to a step; gives those that did not within `seconds`, or before
  /// `hurry` said that nobody is waiting for them any more.
  std::vector<int> roll_call(const std::string& step, const std::vector<int>& ranks, double seconds,
                             const std::function<bool()>& hurry);
  /// Runs a bench inside the ranks: orders[i] is for rank orders[i].head.rank, rank 0's included.
  void go(const std::vector<Order>& orders);
  /// Waits up to `seconds`; gives what has ended anywhere.
  std::vector<Ended> wait(double seconds);
  /// Tokens that were given anywhere since the last call. One is here no later than the ending of
  /// the attempt that gave it.
  std::vector<GivenToken> take_tokens() { return std::exchange(tokens_, {}); }
  /// Ranks newly found lost since the last call. Silence is not counted while `in_rank` benches
  /// run.
  std::vector<LostRank> take_lost();
  /// Rank 0 has its reason to count on this rank no more.
  void give_up(int rank, const std::string& why) { lose(rank, why); }
  bool is_lost(int rank) const { return lost_.contains(rank); }
  bool everyone() const { return lost_.empty(); }
  /// The other ranks that still hear what is said to them.
  std::vector<int> listeners() const;
  /// Says that the run is over and waits for the farewells. Without everyone, the ranks stay until
  /// they are told to leave: the first to end could end the job for the others.
  void dismiss(model::CloseReason reason, double seconds);
  /// Goes on telling the other ranks that rank 0 is there, until `done`.
  void keep_heard_until(const std::function<bool()>& done);

 private:
  void send(int rank, fleet::MessageKind kind, const std::string& body);
  void hear(const fleet::Message& message, std::vector<Ended>& ended);
  void understand(const fleet::Message& message, std::vector<Ended>& ended);
  void beat();
  void lose(int rank, const std::string& why);
  template <class Done>
  void listen(double seconds, Done done);

  fleet::Team& team_;
  support::Clock& clock_;
  Local& local_;
  Arrival self_;
  std::map<int, Arrival> arrivals_;
  std::map<int, std::string> ready_;
  std::map<int, std::string> refusals_;
  ClockProbe clocks_;
  std::set<int> here_;
  std::string roll_;
  std::set<int> gone_home_;
  std::set<int> lost_;
  std::set<int> failed_;                ///< lost, yet still listening
  std::map<int, std::string> reached_;  ///< last step that a rank said it is at
  std::vector<LostRank> newly_lost_;
  std::map<int, double> last_heard_;
  std::vector<Ended> waiting_;
  std::vector<GivenToken> tokens_;
  double last_beat_ = 0;
};

}  // namespace rackproof::crew
