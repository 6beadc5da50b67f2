#pragma once

#include <string>

#include "reports/model/cause.hpp"

namespace rackproof::cause {

/// Reads the rules that explain cells (JSON with comments). What each rule says of why it is as it
/// is must be there, and stays in the file. Throws ConfigError (located_json.hpp).
model::CauseTable load_causes(const std::string& path);

}  // namespace rackproof::cause
