#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/topology/attachment.hpp"

namespace rackproof::topology {

enum class Format { kIbnetdiscover, kIblinkinfo, kLldp, kCsv };

/// Told by the first line that only one of them has; nothing where there is none.
std::optional<Format> format_of(std::string_view text);

/// One file, whose format its content tells. Of LLDP the name of the file is that of the host it
/// was taken on, with or without ".json" at its end. Throws ConfigError.
std::vector<Attachment> read_topology(const std::string& file, std::string_view text);

/// All files, and of a folder those in it but hidden ones, in the order of their names. Throws
/// ConfigError: unreadable, larger than 64 MiB, no text, in none of the formats, wrong in itself,
/// and where none says of any adapter where it is connected.
std::vector<Attachment> load_topology(const std::vector<std::string>& paths);

}  // namespace rackproof::topology
