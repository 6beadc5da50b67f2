#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace rackproof::evidence {

/// Patterns of everything that a schema describes ("/steps/*/deadline"), with the words that a text
/// there may be; none where it is free. Where the schema of a record depends on its kind, the kind
/// is the first part. Not followed: what depends on a condition.
using Words = std::map<std::string, std::vector<std::string>>;

Words described_by(const nlohmann::json& schema);

}  // namespace rackproof::evidence
