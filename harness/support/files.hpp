#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace rackproof::support {

/// Names of files with this ending in a folder, without the ending, sorted; none where there is no
/// such folder. Throws UsageError when it cannot be read.
std::vector<std::string> names_in(const std::string& folder, const std::string& ending);

/// A path itself, and of a folder the .json and .json.zst files below it, sorted, hidden ones left
/// out. Throws UsageError when one of its folders cannot be read, and when there are none.
std::vector<std::string> json_files_in(const std::string& path);

/// The whole content of a file; of a compressed one (zstd) what was compressed. Throws UsageError:
/// absent, a directory, unreadable, larger than 1 GiB, damaged.
std::string read_file(const std::string& path);

/// A file that is read at places; a compressed one (zstd) is decompressed to a disk first. Cannot
/// be opened or is no regular file: empty, and who reads it as a whole will say why.
class InputFile {
 public:
  /// Gives `size` bytes from `offset` on.
  using Read = std::function<void(std::uint64_t offset, std::size_t size, char* to)>;

  /// Throws UsageError when it cannot be decompressed.
  explicit InputFile(std::string path);
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile();

  std::uint64_t size() const { return size_; }
  /// Valid as long as the file. Throws UsageError when the file cannot be read.
  Read bytes() const {
    return [this](std::uint64_t offset, std::size_t size, char* to) { read(offset, size, to); };
  }

 private:
  void read(std::uint64_t offset, std::size_t size, char* to) const;

  std::string path_;
  int descriptor_;
  std::uint64_t size_ = 0;
};

}  // namespace rackproof::support
