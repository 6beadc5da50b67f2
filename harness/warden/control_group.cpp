#include "harness/warden/control_group.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "harness/warden/process_tree.hpp"

namespace rackproof::warden {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "rackproof-";
// A group that was just killed is empty as soon as its processes have died.
constexpr int kClearLooks = 200;
constexpr unsigned kClearMicroseconds = 5000;
constexpr int kMostTried = 100;

// Containers may share a hierarchy and each count its processes from 1: a number alone does not say
// whose group it is.
std::string names_of(pid_t warden) {
  struct stat space {};
  const bool known = stat("/proc/self/ns/pid", &space) == 0;
  return std::string(kPrefix) + std::to_string(known ? space.st_ino : 0) + "-" +
         std::to_string(warden) + "-";
}

// Where the hierarchy of version 2 is mounted, and which of its groups lies there.
struct Mount {
  std::string folder;
  std::string group;
};

std::optional<Mount> second_version(const std::string& root) {
  std::istringstream mounts(contents_of(root + "/proc/self/mountinfo"));
  for (std::string line; std::getline(mounts, line);) {
    const std::size_t dash = line.find(" - ");
    if (dash == std::string::npos || !line.substr(dash + 3).starts_with("cgroup2 ")) continue;
    std::istringstream words(line);
    std::string skipped;
    Mount mount;
    for (int i = 0; i < 3; ++i) words >> skipped;
    words >> mount.group >> mount.folder;
    return mount;
  }
  return std::nullopt;
}

// The folder of this process's own group; empty when it cannot be told.
std::string own_folder(const std::string& root) {
  const auto mount = second_version(root);
  if (!mount) return "";
  std::istringstream groups(contents_of(root + "/proc/self/cgroup"));
  for (std::string line; std::getline(groups, line);) {
    if (!line.starts_with("0::/")) continue;
    std::string group = line.substr(3);
    // A group outside what is mounted here cannot be reached.
    if (group.find("/..") != std::string::npos) return "";
    if (mount->group != "/") {
      if (!group.starts_with(mount->group)) return "";
      group.erase(0, mount->group.size());
    }
    std::string folder = root + mount->folder + group;
    while (folder.ends_with('/')) folder.pop_back();
    return folder;
  }
  return "";
}

bool write_word(const std::string& path, std::string_view word) {
  const support::Fd file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  return file && ::write(file.get(), word.data(), word.size()) == static_cast<ssize_t>(word.size());
}

std::vector<std::string> folders_in(const std::string& folder) {
  std::vector<std::string> out;
  std::error_code gone;
  for (auto at = fs::directory_iterator(folder, gone); !gone && at != fs::directory_iterator();
       at.increment(gone)) {
    std::error_code ignored;
    if (at->is_directory(ignored)) out.push_back(at->path().string());
  }
  return out;
}

void list_members(const std::string& folder, std::vector<pid_t>& out) {
  std::istringstream list(contents_of(folder + "/cgroup.procs"));
  for (pid_t pid = 0; list >> pid;) out.push_back(pid);
  for (const std::string& below : folders_in(folder)) list_members(below, out);
}

void remove_tree(const std::string& folder) {
  for (const std::string& below : folders_in(folder)) remove_tree(below);
  rmdir(folder.c_str());
}

bool is_populated(const std::string& folder) {
  return contents_of(folder + "/cgroup.events").find("populated 1") != std::string::npos;
}

// Its lock says that it is somebody's, whatever that process is called here: nothing where another
// holds it. It is gone with whoever holds it.
support::Fd owned(const std::string& folder) {
  support::Fd file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return file && flock(file.get(), LOCK_EX | LOCK_NB) == 0 ? std::move(file) : support::Fd();
}

// What wardens left that were killed, wherever they ran: groups that hold nothing any more.
void remove_left_behind(const std::string& parent) {
  for (const std::string& folder : folders_in(parent)) {
    if (!fs::path(folder).filename().string().starts_with(kPrefix)) continue;
    if (const support::Fd held = owned(folder)) remove_tree(folder);
  }
}

}  // namespace

ControlGroup::ControlGroup(std::string path, support::Fd folder)
    : path_(std::move(path)), folder_(std::move(folder)) {}

ControlGroup::~ControlGroup() { remove_tree(path_); }

bool ControlGroup::populated() const { return is_populated(path_); }

std::vector<pid_t> ControlGroup::members() const {
  std::vector<pid_t> out;
  list_members(path_, out);
  return out;
}

void ControlGroup::kill_all() {
  killed_ = true;
  write_word(path_ + "/cgroup.kill", "1");
}

ControlGroups::ControlGroups(std::string root) : root_(std::move(root)) {}

std::unique_ptr<ControlGroup> ControlGroups::take() {
  if (!looked_) {
    looked_ = true;
    parent_ = own_folder(root_);
    if (!parent_.empty()) remove_left_behind(parent_);
  }
  if (!free_.empty()) {
    std::unique_ptr<ControlGroup> group = std::move(free_.back());
    free_.pop_back();
    return group;
  }
  for (int tried = 0; tried < kMostTried && !parent_.empty(); ++tried) {
    const std::string path = parent_ + "/" + names_of(getpid()) + std::to_string(++made_);
    if (mkdir(path.c_str(), 0700) != 0) {
      if (errno == EEXIST) continue;  // of one before this, and something lives in it
      break;
    }
    support::Fd folder = owned(path);
    // Whoever looks for empty ones may be first, and have it or have removed it.
    if (!folder || access(path.c_str(), F_OK) != 0) {
      rmdir(path.c_str());
      continue;
    }
    // Kernels before 5.14 know no kill of a whole group.
    if (access((path + "/cgroup.kill").c_str(), W_OK) == 0) {
      return std::unique_ptr<ControlGroup>(new ControlGroup(path, std::move(folder)));
    }
    rmdir(path.c_str());
    break;
  }
  parent_.clear();
  return nullptr;
}

void ControlGroups::give_back(std::unique_ptr<ControlGroup> group) {
  if (group && !group->killed_ && !group->populated()) free_.push_back(std::move(group));
}

void clear_control_groups_of(pid_t warden) {
  const std::string parent = own_folder("");
  if (parent.empty()) return;
  const std::string names = names_of(warden);
  for (const std::string& folder : folders_in(parent)) {
    if (!fs::path(folder).filename().string().starts_with(names)) continue;
    write_word(folder + "/cgroup.kill", "1");
    for (int look = 0; look < kClearLooks && is_populated(folder); ++look) {
      usleep(kClearMicroseconds);
    }
    remove_tree(folder);
  }
}

}  // namespace rackproof::warden
