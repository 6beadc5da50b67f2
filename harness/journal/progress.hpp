#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "reports/model/progress.hpp"

namespace rackproof::journal {

/// What an `end` line of a journal tells of how far its member of a group was. What cannot be is as
/// if nothing were told: nobody is to be blamed for it.
std::optional<model::Progress> progress_in(const nlohmann::json& end);

}  // namespace rackproof::journal
