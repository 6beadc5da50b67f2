#include "harness/cli/program.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "harness/config/nearest.hpp"
#include "harness/fleet/launcher.hpp"
#include "harness/fleet/rank_program.hpp"

namespace rackproof::cli {

namespace fs = std::filesystem;

Paths find_paths() {
  std::error_code error;
  fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (error) throw std::runtime_error("cannot tell where this program is: " + error.message());
  // Children have no need of MPI, whose library takes its time to load.
  const fs::path plain = self.parent_path() / "rackproof";
  if (self.filename() == fleet::kRankProgram && fs::exists(plain, error)) self = plain;
  const fs::path prefix = self.parent_path().parent_path();
  const fs::path share = prefix / "share" / "rackproof";
  return {self.string(),
          (prefix / "libexec" / "rackproof").string(),
          (share / "configs" / "suites").string(),
          (share / "configs" / "platforms").string(),
          (share / "schema").string(),
          (share / "benches").string(),
          (share / "configs" / "comparison.json").string(),
          (share / "configs" / "causes.json").string()};
}

bool is_terminal(const Program& program, int descriptor) {
  if (fleet::detect_launcher(program.environment).wants_mpi) return false;
  return isatty(descriptor) == 1;
}

bool use_color(const Program& program, int descriptor) {
  if (program.color == "always") return true;
  if (program.color == "never") return false;
  const auto no_color = program.environment.find("NO_COLOR");
  if (no_color != program.environment.end() && !no_color->second.empty()) return false;
  return is_terminal(program, descriptor);
}

std::vector<std::string> names_in(const std::string& folder, const std::string& ending) {
  std::vector<std::string> names;
  std::error_code error;
  const fs::directory_iterator entries(folder, error);
  // One that may not be read, or for which no descriptor is left, is not empty.
  if (error && error != std::errc::no_such_file_or_directory) {
    throw UsageError(folder + ": cannot be read: " + error.message());
  }
  for (const auto& entry : entries) {
    const std::string name = entry.path().filename().string();
    if (name.size() > ending.size() && name.ends_with(ending)) {
      names.push_back(name.substr(0, name.size() - ending.size()));
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string resolve_config(const std::string& name, const std::string& folder, const char* what) {
  if (name.find('/') != std::string::npos || name.ends_with(".json")) return name;
  const std::vector<std::string> known = names_in(folder, ".json");
  if (std::find(known.begin(), known.end(), name) == known.end()) {
    const std::vector<std::string_view> views(known.begin(), known.end());
    throw UsageError(
        fmt::format("there is no {} called '{}'{}", what, name, config::suggestion(name, views)));
  }
  return folder + "/" + name + ".json";
}

std::string read_file(const std::string& path) {
  std::error_code error;
  const auto status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) {
    throw UsageError(path + ": there is no such file");
  }
  if (error) throw UsageError(path + ": cannot be read: " + error.message());
  if (fs::is_directory(status)) throw UsageError(path + ": is a directory, expected a file");
  constexpr std::size_t kMost = std::size_t{1} << 30;
  if (fs::is_regular_file(status) && fs::file_size(path, error) > kMost) {
    throw UsageError(path + ": is larger than 1 GiB");
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) throw UsageError(path + ": cannot be read: " + std::generic_category().message(errno));
  // What is no regular file has no size to look at first, and may have no end.
  std::string text;
  std::array<char, 65536> buffer{};
  while (file.read(buffer.data(), buffer.size()) || file.gcount() > 0) {
    text.append(buffer.data(), static_cast<std::size_t>(file.gcount()));
    if (text.size() > kMost) throw UsageError(path + ": is larger than 1 GiB");
  }
  if (file.bad()) {
    throw UsageError(path + ": cannot be read: " + std::generic_category().message(errno));
  }
  return text;
}

void print(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    throw std::runtime_error("cannot write to stdout: " + std::generic_category().message(errno));
  }
}

void write_stderr(const std::string& text) {
  const ssize_t ignored = write(STDERR_FILENO, text.data(), text.size());
  static_cast<void>(ignored);
}

}  // namespace rackproof::cli
