#include "benches/swing/smoothing.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>

namespace rackproof::swing {
namespace {

// What sensors may be off by.
constexpr double kTolerance = 0.1;
// From a tenth to nine tenths.
constexpr double kPart = 0.8;

struct Verdict {
  bool seen = false;  // something that is set could be held against what happened
  bool low = false;
  bool steep = false;
};

void hold_floor(const Smoothing& set, const Swung& run, Verdict& verdict) {
  if (!set.floor_watts || *set.floor_watts <= 0) return;
  // The middle half of the off part ends after three quarters of it.
  constexpr double kLooked = 0.75;
  const double held = set.hysteresis_seconds.value_or(0);
  if (kLooked * run.off_seconds > held || 4 * run.interval > run.off_seconds) return;
  verdict.seen = true;
  if (run.low < (1 - kTolerance) * *set.floor_watts) verdict.low = true;
}

void hold_slope(const std::optional<double>& most, const std::optional<double>& took,
                const Swung& run, Verdict& verdict) {
  if (!most || *most <= 0 || !took) return;
  const double swing = kPart * (run.high - run.low);
  const double shown = swing / std::max(*took, 2 * run.interval);
  if (shown > (1 + kTolerance) * *most) {
    verdict.seen = verdict.steep = true;
  } else if (*took >= 2 * run.interval) {
    verdict.seen = true;
  }
}

constexpr std::array kAll{Smoothness::kOff,        Smoothness::kTooLow, Smoothness::kTooSteep,
                          Smoothness::kUnresolved, Smoothness::kAsSet,  Smoothness::kNotTold};

std::string sentence(Smoothness smoothness, const std::string& who) {
  constexpr const char* kNot = "power smoothing does not do what it is set to:";
  switch (smoothness) {
    case Smoothness::kOff:
      return fmt::format("power smoothing is off on {}: what feeds them gets their whole swing",
                         who);
    case Smoothness::kTooLow:
      return fmt::format("{} under the floor before the hysteresis was over: {}", kNot, who);
    case Smoothness::kTooSteep:
      return fmt::format("{} power rose or fell faster than it may: {}", kNot, who);
    case Smoothness::kUnresolved:
      return fmt::format(
          "power smoothing is on, and whether it does what it is set to could not be seen: {}; "
          "take "
          "--frequencies that the energy counters resolve, with an off part shorter than the "
          "hysteresis",
          who);
    case Smoothness::kAsSet:
      return fmt::format("power smoothing does what it is set to, as far as the counters show: {}",
                         who);
    case Smoothness::kNotTold:
      return fmt::format("nothing is told of power smoothing by {}: GPUs have it from Blackwell on",
                         who);
  }
  return "";
}

// A GPU with what was seen of it.
std::string told_of(const std::string& name, const Smoothing& set, const std::vector<Swung>& runs) {
  std::string text = name;
  if (set.enabled != true) return text;
  std::vector<std::string> parts;
  if (set.profile) parts.push_back(fmt::format("profile {:.0f}", *set.profile));
  if (set.floor_watts) parts.push_back(fmt::format("floor {:.0f} W", *set.floor_watts));
  if (set.rise_watts_a_second) {
    parts.push_back(fmt::format("rise {:.0f} W/s", *set.rise_watts_a_second));
  }
  if (set.fall_watts_a_second) {
    parts.push_back(fmt::format("fall {:.0f} W/s", *set.fall_watts_a_second));
  }
  if (set.hysteresis_seconds) {
    parts.push_back(fmt::format("hysteresis {:.0f} ms", *set.hysteresis_seconds * 1e3));
  }
  if (parts.empty()) parts.emplace_back("what it does not tell");
  text += fmt::format(" (set to {}", fmt::join(parts, ", "));
  for (const Swung& run : runs) {
    text += fmt::format("; seen {:.0f} to {:.0f} W with {:.3g} s off", run.low, run.high,
                        run.off_seconds);
  }
  return text + ")";
}

}  // namespace

std::string_view text_of(Smoothness smoothness) {
  switch (smoothness) {
    case Smoothness::kNotTold:
      return "not told";
    case Smoothness::kOff:
      return "off";
    case Smoothness::kTooLow:
      return "under its floor";
    case Smoothness::kTooSteep:
      return "too steep";
    case Smoothness::kUnresolved:
      return "not resolved";
    case Smoothness::kAsSet:
      return "as set";
  }
  return "";
}

Smoothness smoothness(const Smoothing& set, const std::vector<Swung>& runs) {
  if (!set.enabled) return Smoothness::kNotTold;
  if (!*set.enabled) return Smoothness::kOff;
  Verdict verdict;
  for (const Swung& run : runs) {
    hold_floor(set, run, verdict);
    hold_slope(set.rise_watts_a_second, run.rise, run, verdict);
    hold_slope(set.fall_watts_a_second, run.fall, run, verdict);
  }
  if (verdict.low) return Smoothness::kTooLow;
  if (verdict.steep) return Smoothness::kTooSteep;
  return verdict.seen ? Smoothness::kAsSet : Smoothness::kUnresolved;
}

std::vector<protocol::Note> notes_of(const std::vector<std::string>& names,
                                     const std::vector<Smoothing>& set,
                                     const std::vector<std::vector<Swung>>& runs) {
  std::map<Smoothness, std::vector<std::size_t>> by;
  for (std::size_t rank = 0; rank < names.size(); ++rank) {
    by[smoothness(set[rank], runs[rank])].push_back(rank);
  }
  std::vector<protocol::Note> notes;
  for (const Smoothness one : kAll) {
    const auto found = by.find(one);
    if (found == by.end()) continue;
    const std::vector<std::size_t>& ranks = found->second;
    const bool accused =
        one == Smoothness::kOff || one == Smoothness::kTooLow || one == Smoothness::kTooSteep;
    std::vector<std::string> who;
    for (const std::size_t rank : ranks) {
      if (!accused && !who.empty()) break;
      who.push_back(told_of(names[rank], set[rank], runs[rank]));
    }
    std::string text = fmt::format("{}", fmt::join(who, "; "));
    if (ranks.size() > who.size()) text += fmt::format(" and {} more", ranks.size() - who.size());
    notes.push_back({sentence(one, text),
                     {{"smoothing", std::string(text_of(one))},
                      {"gpus", static_cast<std::int64_t>(ranks.size())},
                      {"first", names[ranks.front()]}}});
  }
  return notes;
}

}  // namespace rackproof::swing
