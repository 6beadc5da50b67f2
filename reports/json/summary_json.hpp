#pragma once

#include <string>

#include "reports/model/report.hpp"

namespace rackproof::model {

/// What `rackproof show --json` prints (docs/formats.md), with its newline: the verdict, what was
/// judged, counts, each part with a required cell that did not pass, and findings; without the
/// evidence, which is in the report.
std::string summary_json(const Report& report);

}  // namespace rackproof::model
