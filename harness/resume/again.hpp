#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/model/report.hpp"

namespace rackproof::resume {

/// Whether an attempt at `own` measures what `subject` is: a group measures the links between its
/// members too, and a node its devices and the links between them.
bool measures(const model::Subject& own, const model::Subject& subject);

/// Whether nothing is left to be measured of a cell: it passed, or is waived without a number.
bool is_good(const model::Cell& cell);

/// Whether only peers of the same hour tell more about a cell: they accused it.
bool is_by_peers(const model::Cell& cell);

/// What of a report did not pass, by the id of its step: the hosts that take part in it once more,
/// sorted. Those of a node, of a device, of both ends of a link, of all members of a group; all of
/// the report for what its peers accused, for what members of a world measured of one of them, and
/// for the programs `in_rank` ("pairs-mpi"), which run on all or not at all. Pure.
std::map<std::string, std::vector<std::string>> hosts_of_failed(
    const model::Report& before, const std::vector<std::string>& in_rank);

}  // namespace rackproof::resume
