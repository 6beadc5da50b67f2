#pragma once

#include <string>
#include <vector>

#include "tests/fakes/fake_warden.hpp"
#include "tests/sim/draw.hpp"

namespace rackproof::sim {

inline constexpr const char* kMetric = "sim.rate";
/// What the table of a simulated cluster expects; 10 % less is still good.
inline constexpr double kExpected = 100;

/// What a simulated bench really did in one attempt. Only the simulator knows.
enum class Deed {
  kHonest,
  kSlow,       ///< honest and far below the limit
  kNoisy,      ///< honest, with the limit in its interval
  kDisturbed,  ///< honest, and far below the limit for what others did on the host
  kWrong,
  kWrongExitZero,
  kWrongThenCrash,
  kStaleNonce,
  kSecondAnswer,
  kZeroWork,
  kNoCheck,
  kEmptyCheck,
  kNotANumber,
  kTruncated,
  kGarbage,
  kFaultFlag,
  kCrash,
  kCrashAtEnd,
  kHang,
  kIgnoresTerm,
  kExitOne,
  kUnavailable,
  kOtherExit,
  kHalfLine,
  kMute,
  kSpawnFailed,
  kLeaked,
  kAfterEnd,
  kFlood,
};

struct DeedFacts {
  Deed deed;
  const char* name;
  bool proven;  ///< complete, verified, fresh: its number may be believed
  bool wrong;   ///< the answer was wrong, and a check of its own said so
  /// A bench inside a rank can do it; there is no process of its own to start, hang or end.
  bool in_rank;
};

const std::vector<DeedFacts>& all_deeds();
const DeedFacts& facts_of(Deed deed);

/// The part that an attempt plays in its step.
struct Part {
  bool group = false;  ///< its number is about a group
  std::string device;  ///< its number is about that one
  bool speaks = true;  ///< it gives that number; only the first member does
  bool token = false;  ///< it gives the token of a group of processes
  double seconds = 1;
  double value = kExpected;
};

/// Of four processors for ten seconds, others used `share`.
model::HostLoad taken(double share);

/// What the program does and says.
fakes::Performance perform(Deed deed, const Part& part, const warden::Launch& launch);

}  // namespace rackproof::sim
