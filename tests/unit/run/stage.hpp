#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/run/coordinator.hpp"
#include "tests/fakes/act.hpp"
#include "tests/fakes/fake_team.hpp"

namespace rackproof::run_test {

inline constexpr const char* kMetric = "fake.rate";

/// The clock of a host: the stage's, with another time on the wall.
class HostClock : public support::Clock {
 public:
  explicit HostClock(fakes::FakeClock& clock) : clock_(clock) {}
  double now() override { return clock_.now(); }
  std::string utc() override;
  void sleep(double seconds) override { clock_.sleep(seconds); }

  double shift_seconds = 0;

 private:
  fakes::FakeClock& clock_;
};

/// A rank of a stage, with its own end of every seam.
struct Player {
  Player(fakes::FakeClock& time, fakes::FakeStar& star, std::shared_ptr<fakes::FakeDisk> own_disk,
         crew::Arrival who, fakes::Script script, std::vector<crew::InRank> in_rank);

  HostClock clock;
  std::shared_ptr<fakes::FakeDisk> disk;
  fakes::FakeTeam team;
  fakes::FakeWarden warden;
  crew::Local local;
  crew::Arrival arrival;
  std::unique_ptr<crew::Follower> follower;  ///< not for rank 0
  double arrives_at = 0;
  bool frozen = false;  ///< takes no turns
  bool left = false;
};

/// A whole run in one thread on virtual time: rank 0 is led by the test, all others take their turn
/// whenever it waits.
class Stage {
 public:
  explicit Stage(int ranks = 1, int ranks_per_host = 1);
  Stage(const Stage&) = delete;

  Player& player(int rank) { return *players_.at(static_cast<std::size_t>(rank)); }
  /// Gives a rank a disk of its own: rank 0 cannot see its journal.
  void separate_disk(int rank);
  /// The rank's process is gone, now.
  void kill(int rank);

  run::Coordinator& coordinator();
  /// Does the run as `rackproof run` does, and assembles the journals on rank 0's disk.
  model::Report play();
  model::Report assembled();
  /// Launches of benches (inventories and listeners left out) over all ranks.
  std::vector<warden::Launch> launches();
  std::vector<std::string> journal_lines(int rank) { return player(rank).warden.lines(); }

  fakes::FakeClock clock;
  fakes::FakeStar star;
  std::shared_ptr<fakes::FakeDisk> disk = std::make_shared<fakes::FakeDisk>();
  fakes::FakeStore store{disk};
  resume::Request request;
  int interrupts = 0;
  std::string seen;  ///< what people saw
  /// What benches do; by default each measures 100 B/s in one second, and of a world step only
  /// rank 0 speaks for the group.
  fakes::Script bench;
  /// What inventories do; by default they tell the host.
  fakes::Script survey;
  /// What else runs on a host while rank 0 listens to it; by default nothing.
  std::function<model::HostLoad(const std::string& host)> others;

 private:
  fakes::Performance perform(const warden::Launch& launch);
  void add_player(int rank, std::shared_ptr<fakes::FakeDisk> own_disk);
  void turn();

  std::vector<std::unique_ptr<Player>> players_;
  int ranks_per_host_;
  std::unique_ptr<run::Progress> progress_;
  std::unique_ptr<run::Coordinator> coordinator_;
};

/// A step of the program fake-host that expects one number.
config::Step step(const std::string& id, config::Placement placement = config::Placement::kNode);

/// The step "ring", whose members are processes of ranks: ring-nccl, with a deadline of 60 s and 10
/// s to come together.
config::Step ring(config::Placement placement = config::Placement::kWorld);

/// What a host is that table() recognises.
model::NodeInventory recognised(model::NodeInventory node);

/// A table of hosts whose cpu.model begins with x. It expects 100 B/s of kMetric, 10 % below at
/// most.
model::PlatformTable table();

model::Subject node(const std::string& host);

/// The verdict of the only cell of a step.
model::Verdict verdict(const model::Report& report, const std::string& step);

/// State and reason of a step: "done", "stopped: interrupted".
std::string state(const model::Report& report, const std::string& step);

/// Whether there is a finding of this id, with the text somewhere in its sentence or subject.
bool has_finding(const model::Report& report, const std::string& id, const std::string& text = "");

}  // namespace rackproof::run_test
