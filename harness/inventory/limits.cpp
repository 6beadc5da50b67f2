#include <algorithm>
#include <array>
#include <cstdint>
#include <sstream>

#include "harness/inventory/collectors.hpp"
#include "reports/model/fact_name.hpp"

namespace rackproof::inventory {
namespace {

namespace fact_name = model::fact_name;

struct LimitLine {
  const char* name;
  const char* label;
};

void put_process_limits(const FileTree& tree, FactSheet& sheet) {
  constexpr std::array<LimitLine, 4> kLines = {
      {{fact_name::kLimitMemlockBytes, "Max locked memory"},
       {fact_name::kLimitOpenFiles, "Max open files"},
       {fact_name::kLimitProcesses, "Max processes"},
       {fact_name::kLimitStackBytes, "Max stack size"}}};
  const Reading limits = tree.read("/proc/self/limits");
  for (const LimitLine& line : kLines) {
    const std::string label = line.label;
    const std::size_t at = limits.text.value_or("").find(label);
    if (at == std::string::npos) {
      sheet.missing(line.name, limits.path, limits.text ? "no line for it" : limits.why);
      continue;
    }
    // The soft limit is the first word after the label.
    std::istringstream rest(limits.text->substr(at + label.size()));
    std::string soft;
    rest >> soft;
    if (soft == "unlimited") {
      sheet.put(line.name, soft, limits.path);
    } else if (const auto value = to_integer(soft)) {
      sheet.put(line.name, std::int64_t{*value}, limits.path);
    } else {
      sheet.missing(line.name, limits.path, "not a number");
    }
  }
}

/// The folder of this process in one cgroup hierarchy, relative to where it is mounted.
/// `controller` is empty for version 2.
std::optional<std::string> cgroup_path(const std::string& text, const std::string& controller) {
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line)) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first == std::string::npos ? first : first + 1);
    if (second == std::string::npos) continue;
    std::istringstream controllers(line.substr(first + 1, second - first - 1));
    std::string word;
    bool matches = controller.empty() && second == first + 1;
    while (!controller.empty() && std::getline(controllers, word, ',')) {
      matches = matches || word == controller;
    }
    if (!matches) continue;
    const std::string path = line.substr(second + 1);
    // Outside our own cgroup namespace the path climbs out of the mount.
    return path.find("..") == std::string::npos ? path : "/";
  }
  return std::nullopt;
}

/// A folder and all that it lies in, down to the mount itself. A container may not see its own path
/// below the mount: then only the mount is there.
std::vector<std::string> levels_of(const std::string& mount, std::string path) {
  std::vector<std::string> levels;
  while (path.size() > 1 && path.front() == '/') {
    levels.push_back(mount + path);
    path.resize(path.find_last_of('/'));
  }
  levels.push_back(mount);
  return levels;
}

/// CPUs of a quota: "max 100000", "150000 100000".
std::optional<double> quota_of(const std::string& text) {
  const std::vector<std::string> words = words_of(text);
  if (words.size() != 2) return std::nullopt;
  const auto quota = to_number(words[0]);
  const auto period = to_number(words[1]);
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
  return *quota / *period;
}

struct Tightest {
  std::optional<double> value;
  std::string source;
  bool seen = false;  // a file was read, even if it set no limit

  void add(const Reading& reading, std::optional<double> limit) {
    if (!reading.text) return;
    seen = true;
    if (!limit || (value && *value <= *limit)) return;
    value = limit;
    source = reading.path;
  }
};

// Version 1 says "no limit" as the largest multiple of the page size that fits.
constexpr double kNoMemoryLimit = 4e18;

Tightest cpu_limit(const FileTree& tree, const std::string& cgroup) {
  Tightest tightest;
  if (const auto path = cgroup_path(cgroup, "")) {
    for (const std::string& level : levels_of("/sys/fs/cgroup", *path)) {
      const Reading reading = tree.read(level + "/cpu.max");
      tightest.add(reading, quota_of(reading.text.value_or("")));
    }
  }
  if (const auto path = cgroup_path(cgroup, "cpu")) {
    for (const std::string& level : levels_of("/sys/fs/cgroup/cpu", *path)) {
      const Reading quota = tree.read(level + "/cpu.cfs_quota_us");
      const Reading period = tree.read(level + "/cpu.cfs_period_us");
      tightest.add(quota, quota_of(quota.text.value_or("") + " " + period.text.value_or("")));
    }
  }
  return tightest;
}

Tightest memory_limit(const FileTree& tree, const std::string& cgroup) {
  Tightest tightest;
  const auto add = [&](const std::string& path) {
    const Reading reading = tree.read(path);
    const auto bytes = to_number(reading.text.value_or(""));
    tightest.add(reading, bytes && *bytes < kNoMemoryLimit ? bytes : std::nullopt);
  };
  if (const auto path = cgroup_path(cgroup, "")) {
    for (const std::string& level : levels_of("/sys/fs/cgroup", *path)) add(level + "/memory.max");
  }
  if (const auto path = cgroup_path(cgroup, "memory")) {
    for (const std::string& level : levels_of("/sys/fs/cgroup/memory", *path)) {
      add(level + "/memory.limit_in_bytes");
    }
  }
  return tightest;
}

void put_limit(const std::string& name, const Tightest& tightest, FactSheet& sheet) {
  if (tightest.value) {
    sheet.put(name, *tightest.value, tightest.source);
  } else if (tightest.seen) {
    sheet.put(name, std::string("unlimited"), "/sys/fs/cgroup");
  } else {
    sheet.missing(name, "/sys/fs/cgroup", "no cgroup controller for it is visible");
  }
}

}  // namespace

void collect_limits(const FileTree& tree, FactSheet& sheet) {
  put_process_limits(tree, sheet);
  const std::string cgroup = tree.read("/proc/self/cgroup").text.value_or("");
  put_limit(fact_name::kCgroupCpus, cpu_limit(tree, cgroup), sheet);
  put_limit(fact_name::kCgroupMemoryBytes, memory_limit(tree, cgroup), sheet);
}

}  // namespace rackproof::inventory
