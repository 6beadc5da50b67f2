#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/model/report.hpp"

namespace rackproof::html {

/// How the required cells of a part came out.
class Tally {
 public:
  void add(const model::Cell& cell);
  std::size_t all() const;
  std::size_t count(model::Outcome outcome) const;
  /// The gravest outcome: what the part is shown as; untested where it has no cells.
  model::Outcome worst() const;
  /// The first cell of that outcome; there has to be one.
  const model::Cell& worst_cell() const { return *first_.at(worst()); }
  /// Whether it has no cell that is neither right nor waived.
  bool is_well() const;

 private:
  std::map<model::Outcome, std::size_t> counts_;
  std::map<model::Outcome, const model::Cell*> first_;
};

/// Where a host is in its rack, as its first GPU tells that knows.
struct RackPlace {
  std::string chassis;               ///< its serial number; empty: not known, nor what follows
  std::optional<std::int64_t> slot;  ///< switches counted
  std::optional<std::int64_t> tray;  ///< switches not counted
  std::optional<std::int64_t> host;  ///< within the slot

  /// "slot 12, tray 7"; empty where nothing is known.
  std::string text() const;
};

struct RackGpu {
  std::string name;  ///< "n1 GPU 3 (GPU-...)"
  Tally tally;
};

/// What is known of a host's presence.
enum class Presence {
  kHere,
  kLeftOut,  ///< of the job, and nothing was done on it
  kAbsent    ///< it was asked for, or had a rank or cells, and gave no inventory
};

/// A host as a row of the rack.
struct RackHost {
  std::string name;
  std::string domain;  ///< of NVLink, which its GPUs have joined; empty: none beyond the host
  RackPlace place;
  Presence presence = Presence::kHere;
  Tally node;
  std::vector<RackGpu> gpus;         ///< in the order of their numbers
  std::vector<std::string> missing;  ///< GPUs that should be there: what is known of each

  bool is_well() const;
};

/// The hosts of a report in the order in which they are drawn: those of one NVLink domain together,
/// those of none last; then by chassis, slot, tray and place in it, those whose place is not known
/// last; then by name, in which numbers are numbers. Hosts that were asked for
/// (--expect) or have a rank and gave no inventory are among them. A GPU is missing where it was
/// asked for by name, where the bus or the driver has it and it cannot be used, and where most
/// hosts of the platform have more.
std::vector<RackHost> rack_hosts(const model::Report& report);

/// How many GPUs are missing of the hosts that are there: without a look at any cell.
std::size_t missing_gpus(const model::Report& report);

/// How many hosts were asked for beyond those.
std::size_t unnamed_hosts(const model::Report& report, const std::vector<RackHost>& hosts);

/// Whether `a` comes before `b` where digits stand for their number: node2 before node10.
bool natural_less(const std::string& a, const std::string& b);

}  // namespace rackproof::html
