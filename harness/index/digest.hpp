#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <optional>
#include <string>

namespace rackproof::index {

/// What a file system says of a file whose content need not be read again as long as this is the
/// same: device, inode, size, and the times of the last change of content and of anything. The last
/// is the kernel's own, which no program can set. Empty: not to be relied on.
using Stamp = std::string;

/// Empty for what is no regular file, and for one that was changed less than a second before
/// `now` (seconds of the epoch): another change could have got the same time.
Stamp stamp_of(const struct stat& status, std::int64_t now);

/// Whether stamps of files on a file system of this type (statfs) mean something: true for those of
/// this machine's own disks and memory, whose times its kernel writes. Elsewhere another machine
/// may have changed a file and this one not know yet.
bool keeps_times(long type);

/// The stamp of a file now; empty also when there is none, or its file system's times are not kept
/// here.
Stamp stamp_of_file(const std::string& path);

/// The content of a file, which is the same whether or not it is compressed, and the file's stamp
/// if that did not change while it was read.
struct Content {
  std::string digest;
  Stamp stamp;
};

/// Reads a file for its digest; nothing for what is no regular file, cannot be read or is damaged.
std::optional<Content> read_content(const std::string& path);

}  // namespace rackproof::index
