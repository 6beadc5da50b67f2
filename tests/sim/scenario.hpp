#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/config/suite.hpp"
#include "tests/sim/deed.hpp"

namespace rackproof::sim {

/// What the world does to a run.
enum class Blow {
  kRankCrash,    ///< the process of a rank is gone
  kRankHang,     ///< it stands still and stays so
  kHostLost,     ///< all ranks of a host, what was not durable on its disk, and their wardens
  kLinkCut,      ///< nothing comes from or to a rank, for a while or for good
  kLoss,         ///< single messages of a rank vanish
  kDelay,        ///< messages of a rank take long, in order
  kDuplicate,    ///< messages come twice, the second time late
  kReorder,      ///< messages overtake each other
  kDiskFull,     ///< a host's disk (or the shared one) takes nothing more
  kSyncFails,    ///< the next sync of a rank's journal fails
  kClockJump,    ///< a host's wall clock
  kInterrupt,    ///< somebody presses Ctrl-C
  kLate,         ///< a rank comes late, or never
  kCutAtCall,    ///< the process is gone between two things that it does
  kWardenHangs,  ///< the supervisor of a rank stands still, as on a mount that hangs
};
inline constexpr int kBlows = 15;
const char* name_of(Blow blow);

struct Fault {
  Blow blow = Blow::kRankCrash;
  int rank = 0;
  double at = 0;       ///< seconds after the segment began
  double amount = 0;   ///< seconds of a delay, an outage or a jump; the probability of a loss
  int call = 0;        ///< kCutAtCall: before which send, note or start of the rank
  bool power = false;  ///< kCutAtCall: the whole host
};

/// One campaign: everything that its seed decides before it begins.
struct Scenario {
  std::uint64_t seed = 0;
  int hosts = 1;
  int ranks_per_host = 1;
  int devices = 1;              ///< of each host
  bool shared_disk = true;      ///< else each host has its own, and rank 0 sees none but its own
  bool launcher_kills = false;  ///< the first process that is gone takes all others with it
  double quantum = 0.05;        ///< no sleep is shorter: the machine is busy
  double bad_deeds = 0;         ///< probability that an attempt is not honest
  bool moody = false;           ///< an attempt made again after a resume may turn out differently
  bool failing_survey = false;
  config::Suite suite;
  std::vector<std::vector<Fault>> segments;  ///< the faults of the first run and of each resume

  int ranks() const { return hosts * ranks_per_host; }
  std::string host_of(int rank) const { return "host" + std::to_string(rank / ranks_per_host); }
  bool is_calm() const;
  /// Whether other programs run on the host whenever it is listened to.
  bool is_busy(int host) const;
  const config::Step& step(const std::string& id) const;
};

/// How large the clusters of a series of campaigns are.
struct Sizes {
  int most_ranks = 64;
  bool always = false;  ///< each campaign has that many, not one in a thousand
};

Scenario draw_scenario(std::uint64_t seed, const Sizes& sizes);

/// What the attempt does, by what it is: the same in every run of the campaign, a moody one apart.
Deed deed_of(const Scenario& scenario, const std::string& step, const std::string& subject,
             int member, int number, int segment, bool speaks);
Part part_of(const Scenario& scenario, const std::string& step, const std::string& subject,
             int member, int number);

std::string to_text(const Scenario& scenario);

}  // namespace rackproof::sim
