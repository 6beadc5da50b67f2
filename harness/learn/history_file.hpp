#pragma once

#include <string>
#include <vector>

#include "reports/model/report.hpp"

namespace rackproof::learn {

/// What earlier runs measured, as learn wrote it: a line that names the format, then one History a
/// line. Throws UsageError with file, line and what was expected.
std::vector<model::History> load_history(const std::string& path);

/// The bytes of such a file.
std::string history_text(const std::vector<model::History>& history);

}  // namespace rackproof::learn
