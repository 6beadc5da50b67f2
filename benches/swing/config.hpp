#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "benches/kit/options.hpp"

namespace rackproof::swing {

/// The command line.
struct Config {
  std::vector<std::string> frequencies{"0.2", "0.5", "1", "2", "5", "10", "20"};
  double seconds = 60;
  double duty = 0.5;
  std::int64_t rounds = 1;
  std::vector<std::string> phases{"in-phase", "spread"};
  std::string clocks = "aligned";
  std::int64_t exchanges = 200;
  double start_fraction = 1;
  double stage_seconds = 10;
  double ramp = 0;
  std::string on_limit = "stop";  ///< or "go-on", for the comparison of what limits power
  std::int64_t threads = 0;       ///< of the host
  std::string device;             ///< of the GPU bench; empty: by the rank on its host
  std::int64_t size = 8192;       ///< of its products
  std::int64_t seed = 1;
  std::string page;  ///< file that is drawn; empty: none
  std::vector<std::string> plant;
  std::string kernel_files = "/";  ///< under which sys is
};

/// Test-only faults that the bench makes of its own, by rank.
struct Plants {
  std::map<std::int64_t, double> clock;  ///< seconds by which its clock is ahead
  std::map<std::int64_t, double> late;   ///< seconds by which it begins and ends pulses late
  std::set<std::int64_t> throttle;       ///< counts thermal throttling while all swing in phase
  std::set<std::int64_t> power_limit;    ///< counts a power limit then
};
/// Reads "clock:RANK:MS", "late:RANK:MS", "throttle:RANK" and "power-limit:RANK". Throws
/// kit::UsageError, also for a rank that is not below `ranks`.
Plants plants_of(const std::vector<std::string>& words, std::int64_t ranks);

/// Numbers of hertz, each from 0.01 to 50, one at least and none twice. Throws kit::UsageError.
std::vector<double> frequencies_of(const std::vector<std::string>& words);

/// One thing that all ranks do together.
struct Run {
  enum class Kind { kStage, kSquare, kRamp };
  Kind kind = Kind::kSquare;
  double frequency = 0;  ///< Hz; of a ramp its slots'
  bool in_phase = true;
  std::int64_t round = 1;
  std::int64_t swinging = 0;  ///< ranks, from 0 on, that compute; the others watch
  double seconds = 0;
};
/// "2 Hz in phase, round 1", "4 of 16 ranks in phase", "ramp of 10 s".
std::string title_of(const Run& run, std::int64_t ranks);

/// What is run, in order: first the stages of fewer ranks, at the lowest frequency; then in each
/// round all frequencies, in phase and spread one after the other and in turn the other way around,
/// and a ramp. Throws kit::UsageError.
std::vector<Run> runs_of(const Config& config, std::int64_t ranks);

/// Slots of a ramp, a second: each computes a share of itself.
inline constexpr double kRampSlots = 50;

/// All that is planted, as `hello` shall name it; empty for nothing.
std::string fault_of(const Config& config);

/// The command lines of the two.
void declare_host(kit::Options& options, Config& config);
void declare_cuda(kit::Options& options, Config& config);

}  // namespace rackproof::swing
