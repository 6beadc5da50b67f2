#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/config/installed.hpp"
#include "harness/crew/order.hpp"
#include "harness/job/program.hpp"

namespace rackproof::job {

/// Names of the programs in the folder, sorted.
std::vector<std::string> programs_in(const std::string& folder);

/// sha256 of each program in the folder, by name, in hexadecimal digits: they are some 60 MB.
/// Throws UsageError when one cannot be read.
std::map<std::string, std::string> hash_benches(const std::string& folder);

/// Digest of every suite, platform table and bench program beside this program: "suites/node.json",
/// "programs/stream-host". 16 hexadecimal digits tell files apart that differ by accident.
std::map<std::string, std::string> installed_files(
    const config::Paths& paths, const std::map<std::string, std::string>& benches);

/// The name of the machine that this process runs on.
std::string own_host();

/// What this rank says of itself.
crew::Arrival arrival_of(int rank);
/// The first rank of a host also tells what is installed there; `benches` as of hash_benches().
crew::Arrival arrival_of_first(int rank, const Program& program,
                               const std::map<std::string, std::string>& benches);

}  // namespace rackproof::job
