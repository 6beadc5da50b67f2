#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <sstream>
#include <system_error>

#include "harness/inventory/collectors.hpp"
#include "harness/inventory/doctor.hpp"
#include "harness/inventory/file_tree.hpp"

namespace rackproof::inventory {
namespace {

double size_of(unsigned long blocks, unsigned long block_size) {
  return static_cast<double>(blocks) * static_cast<double>(block_size);
}

std::optional<std::string> find_in_path(const FileTree& tree, const std::string& path,
                                        const std::string& program) {
  std::istringstream folders(path);
  std::string folder;
  while (std::getline(folders, folder, ':')) {
    const std::string candidate = folder + "/" + program;
    if (!folder.empty() && tree.executable(candidate)) return candidate;
  }
  return std::nullopt;
}

}  // namespace

bool runs_as_root(const FileTree& tree) {
  const Reading status = tree.read("/proc/self/status");
  // "Uid: real effective saved filesystem"
  const auto line = line_value(status.text.value_or(""), "Uid", ':');
  const auto words = words_of(line.value_or(""));
  return words.size() > 1 && words[1] == "0";
}

Surroundings look_around(const std::map<std::string, std::string>& environment,
                         const std::string& temporary_directory, const std::string& root) {
  const FileTree tree(root);
  Surroundings found;
  found.is_root = runs_as_root(tree);
  found.temporary_directory = temporary_directory;
  const std::string folder = tree.full(temporary_directory);
  struct statvfs status {};
  if (::statvfs(folder.c_str(), &status) != 0 || ::access(folder.c_str(), W_OK | X_OK) != 0) {
    found.temporary_problem = std::system_category().message(errno);
  } else {
    found.temporary_free_bytes = size_of(status.f_bavail, status.f_frsize);
  }
  if (::statvfs(tree.full("/dev/shm").c_str(), &status) == 0) {
    found.shm_bytes = size_of(status.f_blocks, status.f_frsize);
  }
  const auto path = environment.find("PATH");
  if (path != environment.end()) found.mpirun = find_in_path(tree, path->second, "mpirun");
  return found;
}

}  // namespace rackproof::inventory
