#include "benches/align/input_file.hpp"

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "benches/align/bad_input.hpp"

namespace rackproof::align {

InputFile::InputFile(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (error) bad_input(path, 0, error.message(), "a file that can be read");
  if (!std::filesystem::is_regular_file(status)) {
    bad_input(path, 0, "this is no regular file", "one");
  }
  bytes = static_cast<std::int64_t>(std::filesystem::file_size(path, error));
  if (error) bad_input(path, 0, error.message(), "a file that can be read");
  in.open(path, std::ios::binary);
  if (!in) {
    bad_input(path, 0, std::generic_category().message(errno), "a file that can be read");
  }
}

}  // namespace rackproof::align
