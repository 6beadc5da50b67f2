#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

#include "benches/kit/host.hpp"

namespace rackproof::kit {
namespace {

namespace fs = std::filesystem;

// Where each version of cgroups keeps its figures.
struct Files {
  const char* limit;
  const char* used;
  const char* droppable;  // the line of memory.stat with page cache that is not in use
};
constexpr Files kVersion1{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"};
constexpr Files kVersion2{"memory.max", "memory.current", "inactive_file"};

std::optional<std::int64_t> number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  return value;
}

// The number after `key` in a file of "key value" lines.
std::optional<std::int64_t> field(const fs::path& file, std::string_view key) {
  std::ifstream in(file);
  std::string word;
  std::string line;
  while (in >> word && std::getline(in, line)) {
    if (word == key) return number(line.substr(std::min(line.find_first_not_of(' '), line.size())));
  }
  return std::nullopt;
}

std::optional<std::int64_t> only_number(const fs::path& file) {
  std::ifstream in(file);
  std::string word;
  in >> word;
  return number(word);
}

// Least room under the limits of a cgroup and of those above it. A container may not see its own
// folder under the path it is told; what is missing sets no limit.
std::int64_t room_under(const fs::path& mount, std::string_view group, const Files& files,
                        std::int64_t room) {
  fs::path folder = mount / fs::path(group).relative_path();
  while (true) {
    const auto limit = only_number(folder / files.limit);
    const auto used = only_number(folder / files.used);
    if (limit && used) {
      const std::int64_t droppable = field(folder / "memory.stat", files.droppable).value_or(0);
      room = std::min(room, *limit - *used + std::min(droppable, *used));
    }
    if (folder == mount || !folder.has_relative_path()) return room;
    folder = folder.parent_path();
  }
}

}  // namespace

std::int64_t available_memory_bytes(const fs::path& root) {
  std::int64_t room = field(root / "proc/meminfo", "MemAvailable:").value_or(0) << 10;
  const fs::path mount = root / "sys/fs/cgroup";
  std::ifstream groups(root / "proc/self/cgroup");
  std::string line;
  while (std::getline(groups, line)) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string_view named = std::string_view(line).substr(first + 1, second - first - 1);
    const std::string controllers = fmt::format(",{},", named);
    const std::string_view group = std::string_view(line).substr(second + 1);
    if (controllers == ",,") {
      room = room_under(mount, group, kVersion2, room);
    } else if (controllers.find(",memory,") != std::string::npos) {
      room = room_under(mount / "memory", group, kVersion1, room);
    }
  }
  return std::max<std::int64_t>(room, 0);
}

}  // namespace rackproof::kit
