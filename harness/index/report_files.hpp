#pragma once

#include <string>
#include <vector>

namespace rackproof::index {

/// The files that are meant by reports and folders: of a folder every report.json below it, which
/// may be compressed (report.json.zst), and of one without any its own .json and .json.zst files.
/// Throws UsageError for a folder without reports, or that cannot be read.
std::vector<std::string> report_files_in(const std::vector<std::string>& paths);

}  // namespace rackproof::index
