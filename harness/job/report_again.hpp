#pragma once

#include <string>
#include <vector>

#include "harness/job/program.hpp"

namespace rackproof::job {

/// Waits for the end of the journals of the last segment, those of them that this machine can see.
/// Rank 0's is over when its warden asks for this, whether or not it could still be closed.
void await_journals(const std::string& directory);

/// Makes the report of a run directory out of its journals once more, writes it with the renderings
/// that are named beside it, compressed or not (a word of archive::Compress), and prints what
/// stands there. Gives the exit code of the verdict. Throws UsageError when the directory holds no
/// run.
int report_again(const std::string& directory, const std::vector<std::string>& renderings,
                 const std::string& compress, const Screen& screen);

}  // namespace rackproof::job
