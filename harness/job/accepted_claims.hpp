#pragma once

#include <map>
#include <string>
#include <vector>

namespace rackproof::job {

/// What --accept-unjudged said, CLAIM=REASON each, by claim. Throws UsageError for another form, a
/// claim that is not among `claims`, one that is there twice and a reason that is empty.
std::map<std::string, std::string> parse_accepted_claims(const std::vector<std::string>& texts,
                                                         const std::vector<std::string>& claims);

}  // namespace rackproof::job
