#pragma once

#include <cstdint>
#include <string>

#include "harness/support/zstd.hpp"

namespace rackproof::support {

/// What a compressed file may hold; so much is no report.
inline constexpr std::uint64_t kMostDecompressed = std::uint64_t{8} << 30;

/// Gives the content of an open file from where it stands, in parts: of a compressed one (zstd),
/// which its first bytes tell and not its name, what was compressed. Throws BadZstd, also for a
/// compressed one of more than `most` bytes, and std::system_error when it cannot be read.
void read_content(int descriptor, const TakeBytes& take, std::uint64_t most = kMostDecompressed);

/// The same of a file. Throws UsageError, which names it, for whatever goes wrong.
void read_content(const std::string& path, const TakeBytes& take,
                  std::uint64_t most = kMostDecompressed);

/// The first `size` bytes of the content of a file, as far as they can be had.
std::string head_of_content(const std::string& path, std::size_t size);

/// Whether an open file, which can be read at places, is compressed.
bool is_compressed(int descriptor);

/// Decompresses an open file into one without a name, in the folder that TMPDIR names or else in
/// /var/tmp, which is on a disk. Gives its descriptor. Throws UsageError, which names `path`.
int decompressed_copy(int descriptor, const std::string& path);

}  // namespace rackproof::support
