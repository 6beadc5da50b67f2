#pragma once

#include <map>
#include <string>

#include "harness/cli/program.hpp"
#include "harness/config/installed.hpp"
#include "harness/run/order.hpp"

namespace rackproof::cli {

/// Digest of every suite, platform table and bench program beside this program: "suites/node.json",
/// "programs/stream-host". 16 hexadecimal digits tell files apart that differ by accident.
std::map<std::string, std::string> installed_files(const config::Paths& paths);

/// The name of the machine that this process runs on.
std::string own_host();

/// What this rank says of itself. The first rank of a host also tells what is installed there.
run::Arrival arrival_of(int rank, int local_rank, const Program& program);

}  // namespace rackproof::cli
