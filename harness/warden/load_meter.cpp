#include "harness/warden/load_meter.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <utility>

#include "harness/support/clock.hpp"
#include "harness/warden/process_tree.hpp"

namespace rackproof::warden {
namespace {

// How often the times of a process are read again that has just taken over those of a child: a
// child that ended between two looks would be missed or counted twice.
constexpr int kLooks = 3;
constexpr double kMicrosecondsPerSecond = 1e6;

double ticks_to_seconds(double ticks) {
  static const double kTicks = static_cast<double>(sysconf(_SC_CLK_TCK));
  return ticks / kTicks;
}

/// What a process used, and what those of its children had used that it has seen end.
struct Times {
  double self = 0;
  double children = 0;
  int threads = 0;  ///< 0: not told
};

/// Of /proc/PID/stat, whose words are counted from 1 in proc(5): utime is 14, num_threads 20.
std::optional<Times> times_in(std::string_view stat) {
  constexpr std::size_t kState = 3;
  constexpr std::size_t kUser = 14;
  constexpr std::size_t kThreads = 20;
  // The name in parentheses may hold anything, so look behind the last one.
  const std::size_t name_end = stat.rfind(')');
  if (name_end == std::string_view::npos) return std::nullopt;
  std::array<std::int64_t, kThreads - kUser + 1> values{};
  const char* const end = stat.data() + stat.size();
  const char* at = stat.data() + name_end + 1;
  std::size_t known = 0;
  for (std::size_t word = kState; word <= kThreads; ++word) {
    at = std::find_if(at, end, [](char letter) { return letter != ' '; });
    const char* const word_end = std::find(at, end, ' ');
    if (word >= kUser) {
      if (std::from_chars(at, word_end, values[known]).ec != std::errc()) break;
      ++known;
    }
    at = word_end;
  }
  if (known < 4) return std::nullopt;  // utime, stime, cutime, cstime
  return Times{ticks_to_seconds(static_cast<double>(values[0] + values[1])),
               ticks_to_seconds(static_cast<double>(values[2] + values[3])),
               known == values.size() ? static_cast<int>(values.back()) : 0};
}

/// Of a process and all below it, each once: those of `seen` were counted, and more come to them.
double used_by_tree(const std::string& root, pid_t process, std::vector<pid_t>& seen) {
  if (std::find(seen.begin(), seen.end(), process) != seen.end()) return 0;
  seen.push_back(process);
  const std::size_t before_children = seen.size();
  const std::string stat = root + "/proc/" + std::to_string(process) + "/stat";
  double below = 0;
  std::optional<Times> times;
  for (int look = 0; look < kLooks; ++look) {
    const std::optional<Times> before = times_in(contents_of(stat));
    const bool one = before && before->threads == 1;
    seen.resize(before_children);
    below = 0;
    for (const pid_t child :
         one ? children_of_only_thread(process, root) : children_of(process, root)) {
      below += used_by_tree(root, child, seen);
    }
    times = times_in(contents_of(stat));
    if (!before || !times ||
        (before->children == times->children && before->threads == times->threads)) {
      break;
    }
  }
  return below + (times ? times->self + times->children : 0);
}

// No counter knows less than a microsecond.
double passed(double before, double after) {
  return std::round(std::max(0.0, after - before) * kMicrosecondsPerSecond) /
         kMicrosecondsPerSecond;
}

/// "some avg10=0.00 avg60=0.00 avg300=0.00 total=155995697" in microseconds.
std::optional<double> pressure_in(const std::string& text) {
  constexpr std::string_view kTotal = "total=";
  const std::size_t line = text.find("some ");
  const std::size_t at = line == std::string::npos ? line : text.find(kTotal, line);
  if (at == std::string::npos) return std::nullopt;
  std::uint64_t total = 0;
  const char* const from = text.data() + at + kTotal.size();
  const auto [end, problem] = std::from_chars(from, text.data() + text.size(), total);
  if (problem != std::errc()) return std::nullopt;
  return static_cast<double>(total) / kMicrosecondsPerSecond;
}

}  // namespace

model::HostLoad load_between(const LoadReading& before, const LoadReading& after) {
  model::HostLoad load;
  load.unknown = before.unknown.empty() ? after.unknown : before.unknown;
  if (!load.unknown.empty()) return load;
  load.processors = after.processors;
  load.seconds = passed(before.when, after.when);
  load.busy = passed(before.busy, after.busy);
  load.own = passed(before.own, after.own);
  load.stolen = passed(before.stolen, after.stolen);
  if (before.waited && after.waited) load.waited = passed(*before.waited, *after.waited);
  return load;
}

std::vector<int> usable_processors() {
  cpu_set_t bound;
  if (sched_getaffinity(0, sizeof bound, &bound) != 0) return {};
  cpu_set_t all;
  CPU_ZERO(&all);
  for (int processor = 0; processor < CPU_SETSIZE; ++processor) CPU_SET(processor, &all);
  // The kernel clips the full set to what the cgroup allows.
  cpu_set_t usable = bound;
  if (sched_setaffinity(0, sizeof all, &all) == 0) {
    sched_getaffinity(0, sizeof usable, &usable);
    sched_setaffinity(0, sizeof bound, &bound);
  }
  std::vector<int> processors;
  for (int processor = 0; processor < CPU_SETSIZE; ++processor) {
    if (CPU_ISSET(processor, &usable)) processors.push_back(processor);
  }
  return processors;
}

LoadMeter::LoadMeter(std::vector<int> processors, std::string root)
    : processors_(std::move(processors)), root_(std::move(root)), own_{getpid()} {}

LoadReading LoadMeter::read() const {
  LoadReading reading;
  reading.when = support::SystemClock().now();
  read_processors(reading);
  reading.waited = read_waited();
  reading.own = used_by_own(reading);
  return reading;
}

void LoadMeter::read_processors(LoadReading& reading) const {
  const std::string path = root_ + "/proc/stat";
  std::istringstream lines(contents_of(path));
  for (std::string line; std::getline(lines, line);) {
    // "cpu12 user nice system idle iowait irq softirq steal ..."; "cpu " is the sum of all.
    if (!line.starts_with("cpu") || line.size() < 4 || line[3] == ' ') continue;
    std::istringstream words(line.substr(3));
    int processor = -1;
    std::array<double, 8> ticks{};
    words >> processor;
    for (double& one : ticks) words >> one;
    if (!words) continue;
    if (!processors_.empty() &&
        std::find(processors_.begin(), processors_.end(), processor) == processors_.end()) {
      continue;
    }
    ++reading.processors;
    reading.busy += ticks_to_seconds(ticks[0] + ticks[1] + ticks[2]);
    reading.stolen += ticks_to_seconds(ticks[7]);
  }
  if (reading.processors == 0) reading.unknown = path + " tells nothing of the usable processors";
}

// Of the group of processes that this one is in where that is told, which leaves out what waits on
// the processors of other jobs.
std::optional<double> LoadMeter::read_waited() const {
  std::istringstream groups(contents_of(root_ + "/proc/self/cgroup"));
  for (std::string line; std::getline(groups, line);) {
    if (!line.starts_with("0::/") || line.find("..") != std::string::npos) continue;
    const auto own =
        pressure_in(contents_of(root_ + "/sys/fs/cgroup" + line.substr(3) + "/cpu.pressure"));
    if (own) return own;
  }
  return pressure_in(contents_of(root_ + "/proc/pressure/cpu"));
}

double LoadMeter::used_by_own(LoadReading& reading) const {
  // Without this nobody could be told from others.
  const std::string self = std::to_string(getpid());
  const std::string children = root_ + "/proc/" + self + "/task/" + self + "/children";
  if (reading.unknown.empty() && !std::filesystem::exists(children)) {
    reading.unknown = "the kernel does not tell what a process has started (" + children + ")";
  }
  double used = 0;
  std::vector<pid_t> seen;
  for (const pid_t process : own_) used += used_by_tree(root_, process, seen);
  return used;
}

}  // namespace rackproof::warden
