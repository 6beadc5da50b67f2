#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "benches/protocol/record.hpp"

namespace rackproof::swing {

/// What the power smoothing of a GPU is set to, as its driver tells: a floor under which power does
/// not fall until the hysteresis is over, and limits to how fast it may rise and fall (NVML,
/// NVML_FI_PWR_SMOOTHING_*, from Blackwell on). What it does not tell is missing.
struct Smoothing {
  std::optional<bool> enabled = {};
  std::optional<double> profile = {};      ///< the preset in force
  std::optional<double> floor_watts = {};  ///< as applied
  std::optional<double> rise_watts_a_second = {};
  std::optional<double> fall_watts_a_second = {};
  std::optional<double> hysteresis_seconds = {};
};

/// What was seen of its power in a run in phase.
struct Swung {
  double low = 0;                   ///< watts in the middle half of the off part
  double high = 0;                  ///< and of the on part
  double interval = 0;              ///< seconds between two updates of the counter
  double off_seconds = 0;           ///< from the end of a pulse to the next
  std::optional<double> rise = {};  ///< seconds from a tenth to nine tenths of the swing
  std::optional<double> fall = {};
};

/// How it does what it is set to.
enum class Smoothness {
  kNotTold,     ///< the driver tells nothing of it
  kOff,         ///< it is switched off
  kTooLow,      ///< power was under the floor before the hysteresis was over
  kTooSteep,    ///< it rose or fell faster than it may
  kUnresolved,  ///< in no run could any of this be seen
  kAsSet,       ///< what could be seen is as it is set
};
/// "off", "under its floor" and so on.
std::string_view text_of(Smoothness smoothness);

/// What the runs together say. A tenth is left to the sensor. How steep power is is at least the
/// swing over the time that the counter took to show it, or over two of its updates where that was
/// less: a GPU is never blamed for what the counter blurs, and one that could be steeper than can
/// be seen is no evidence.
Smoothness smoothness(const Smoothing& set, const std::vector<Swung>& runs);

/// A note for each state that GPUs are in, with all that are accused: `names`, `set` and `runs` by
/// rank.
std::vector<protocol::Note> notes_of(const std::vector<std::string>& names,
                                     const std::vector<Smoothing>& set,
                                     const std::vector<std::vector<Swung>>& runs);

}  // namespace rackproof::swing
