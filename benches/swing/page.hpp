#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "benches/swing/collect.hpp"
#include "benches/swing/config.hpp"

namespace rackproof::swing {

/// A run as a page draws it: its first beats, or all of a ramp.
struct Drawn {
  std::string title;
  std::string about;             ///< what is said of it
  double width = 0;              ///< seconds of a bin
  std::vector<double> schedule;  ///< share of the ranks that ought to compute, by bin
  std::vector<double> load;      ///< pieces of work of all ranks
  std::vector<double> power;     ///< watts of all; empty where that is not known
};

/// What a page draws of a run: power where its sensors resolve it. `about` is what is said of it.
Drawn drawn_of(const Run& run, const Config& config, std::int64_t ranks, const Collected& all,
               std::string about);

/// A page of its own, without scripts and in need of nothing: total power of each run over its
/// schedule, or the load where no power is known. Well-formed as XML, too.
std::string page_of(const std::vector<Drawn>& runs, const std::vector<std::string>& about);

}  // namespace rackproof::swing
