#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/model/report.hpp"

namespace rackproof::model {

/// A part as the person at the rack looks for it: "hgx-02 GPU 5 (0000:5d:00.0, S/N 165322)", with
/// the UUID where the serial number is not known. Both ends of a link between GPUs, briefly; any
/// other subject as label() has it.
std::string part_name(const Report& report, const Subject& subject);

/// "hgx-02 GPU 5", "hgx-02" for a node: as findings name the part; empty for a link, a group and a
/// device that is not in the inventory.
std::string short_name(const Report& report, const Subject& subject);

/// The names of all devices by their label().
std::map<std::string, std::string> device_names(const Report& report);

/// Cells of one part, and of links of which it is the only end that has cells of its own.
struct PartCells {
  const Subject* subject = nullptr;
  std::vector<const Cell*> cells;
  std::vector<const Cell*> on_links;
  std::size_t links = 0;
};

/// The same cells by part, in the order in which parts and cells come.
std::vector<PartCells> by_part(const std::vector<const Cell*>& cells);

/// Whether the ids behind what is said stand behind it.
enum class Ids { kTold, kLeftOut };

/// "31 too slow (peer-outlier), on 7 of its links 56 too slow (peer-outlier)".
std::string failures_of(const PartCells& part, Ids ids = Ids::kTold);
/// What is wrong with cells that did not pass, by kind, most first: "87 too slow (peer-outlier,
/// below-limit), 1 wrong answer (wrong-answer)".
std::string failures_of(const std::vector<const Cell*>& cells, Ids ids = Ids::kTold);

/// How far a cell is from what was expected of it: "29 % below what is expected"; or from its
/// peers, or its own history, where that is why it fails: "16 % worse than its peers". Empty where
/// neither is known.
std::string distance_of(const Cell& cell);

}  // namespace rackproof::model
