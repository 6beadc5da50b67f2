#pragma once

#include <string>

#include "reports/model/planned_run.hpp"

namespace rackproof::model {

/// The document that `rackproof run --dry-run --json` prints (docs/formats.md), with its newline.
std::string to_json(const PlannedRun& run);

}  // namespace rackproof::model
