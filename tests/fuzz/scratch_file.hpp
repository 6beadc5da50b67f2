#pragma once

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/fuzz/fuzz.hpp"

namespace rackproof::fuzz {

/// A file for readers that take a path, alone in a folder that is gone at the end of the program.
class ScratchFile {
 public:
  ScratchFile()
      : folder_(base() / ("rackproof-fuzz-" + std::to_string(getpid()))),
        path_((folder_ / "input.json").string()) {
    std::filesystem::create_directory(folder_);
  }
  ~ScratchFile() {
    std::error_code error;
    std::filesystem::remove_all(folder_, error);
  }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  /// The path of the file, now with these bytes.
  const std::string& holding(const std::uint8_t* data, std::size_t size) {
    std::ofstream file(path_, std::ios::binary | std::ios::trunc);
    file << text_of(data, size);
    file.close();
    expect(file.good(), "a file to read from");
    return path_;
  }

 private:
  // In memory: on a disk a file that is written anew each time is waited for.
  static std::filesystem::path base() {
    const std::filesystem::path memory = "/dev/shm";
    return access(memory.c_str(), W_OK | X_OK) == 0 ? memory
                                                    : std::filesystem::temp_directory_path();
  }

  std::filesystem::path folder_;
  std::string path_;
};

}  // namespace rackproof::fuzz
