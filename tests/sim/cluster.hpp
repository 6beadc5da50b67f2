#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/assemble/assemble.hpp"
#include "harness/run/coordinator.hpp"
#include "tests/fakes/fake_store.hpp"
#include "tests/sim/ledger.hpp"
#include "tests/sim/live.hpp"
#include "tests/sim/net.hpp"
#include "tests/sim/sim_warden.hpp"

namespace rackproof::sim {

/// The disks of a campaign, one for each host or one for all: they outlive a run.
using Disks = std::vector<std::shared_ptr<fakes::FakeDisk>>;

/// The journals that rank 0 can see, as they are now.
std::vector<assemble::JournalFile> journals_on(fakes::FakeDisk& disk);

/// A rank of a simulated cluster with its end of every seam.
struct SimRank {
  int rank = 0;
  int host = 0;
  std::unique_ptr<SimWarden> warden;
  std::unique_ptr<NetTeam> team;
  std::unique_ptr<crew::Local> local;
  std::unique_ptr<crew::Follower> follower;  ///< not for rank 0
  double arrives_at = 0;
  bool dead = false;    ///< its process is gone
  bool frozen = false;  ///< it stands still
  bool left = false;
  bool waits = false;  ///< its journal failed; it waits to be sent home
  double looked_at = -1;
  int calls = 0;
  int dies_at_call = 0;
  bool dies_with_host = false;
};

/// One segment of a campaign: all ranks of a run in one thread, real code over faked seams.
class Cluster {
 public:
  Cluster(const Scenario& scenario, Ledger& ledger, Disks& disks, Time& time);
  Cluster(const Cluster&) = delete;

  /// Does the run as `rackproof run` does, with these faults. Gives the journals as rank 0 saw them
  /// when it made its report, if it came to that.
  std::optional<std::vector<assemble::JournalFile>> play(const resume::Request& request,
                                                         const std::vector<Fault>& faults);
  /// The run as rank 0 knew it, where it came to its end.
  const std::optional<Live>& live() const { return live_; }

 private:
  // cluster.cpp
  void add_rank(int rank);
  void sleep(double seconds);
  void turn();
  void take_turn(SimRank& one);
  bool is_due(SimRank& one);
  void await_dismissal(SimRank& one);
  std::optional<std::vector<assemble::JournalFile>> lead(const resume::Request& request);
  void let_all_leave();
  double run_bound(const resume::Request& request) const;
  // blows.cpp
  void arm(const Fault& fault);
  void strike(const Fault& fault);
  void before_call(SimRank& one);
  void end_rank(SimRank& one);
  void lose_host(int host);
  void freeze(SimRank& one);
  void take_others_along();
  void set_weather(const Fault& fault);
  // programs.cpp
  fakes::Performance start(SimRank& one, const warden::Launch& launch);
  fakes::Performance survey(const SimRank& one, const warden::Launch& launch);
  int run_in_rank(SimRank& one, const std::function<void(const std::string&)>& say,
                  const std::string& nonce);
  void take_line(const SimRank& one, const std::string& attempt, const std::string& line, bool last,
                 const std::string& journal);
  void await_members(const std::string& round);

  void note(const std::string& what);
  SimRank& at(int rank) { return *ranks_[static_cast<std::size_t>(rank)]; }

  const Scenario& scenario_;
  Ledger& ledger_;
  Disks& disks_;
  Time& time_;
  Draw draw_;
  double began_;
  double limit_ = 0;
  int segment_;
  bool turning_ = false;
  std::optional<Live> live_;
  bool over_ = false;  ///< rank 0 is through with its run
  int interrupts_ = 0;
  std::multimap<double, std::function<void()>> due_;
  std::vector<std::unique_ptr<HostClock>> clocks_;
  Net net_;
  std::vector<std::unique_ptr<SimRank>> ranks_;
  std::map<std::string, std::size_t> attempt_at_;
  std::map<std::string, std::set<int>> in_rank_done_;  ///< by round: who is through
};

/// A run went on for longer than it may.
struct Overrun {};

}  // namespace rackproof::sim
