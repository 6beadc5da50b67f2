#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <system_error>

#include "harness/cli/verbs.hpp"
#include "harness/nvml/library.hpp"
#include "harness/telemetry/event_teller.hpp"
#include "harness/telemetry/recorder.hpp"
#include "harness/telemetry/recording_text.hpp"

namespace rackproof::cli {
namespace {

constexpr double kShortest = 0.01;
constexpr double kLongest = 60;
constexpr double kMebibyte = 1024 * 1024;

// What ends the wait between two samples.
sigset_t awaited() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGCHLD, SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, signal);
  return set;
}

// As a shell would find it: a name without a slash is looked for in the folders of PATH.
std::string path_of(const std::string& name, const Program& program) {
  if (name.find('/') != std::string::npos) return name;
  const auto path = program.environment.find("PATH");
  const std::string folders = path == program.environment.end() ? "" : path->second;
  for (std::size_t from = 0; from <= folders.size();) {
    const std::size_t colon = std::min(folders.find(':', from), folders.size());
    std::string file = folders.substr(from, colon - from) + "/" + name;
    if (colon > from && access(file.c_str(), X_OK) == 0) return file;
    from = colon + 1;
  }
  throw UsageError("there is no program '" + name + "' in the folders of PATH");
}

pid_t start(const std::vector<std::string>& words, const Program& program, const sigset_t& before) {
  const std::string path = path_of(words.front(), program);
  if (access(path.c_str(), X_OK) != 0) {
    throw UsageError(path + ": " + std::system_category().message(errno));
  }
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = fork();
  if (child < 0) throw std::system_error(errno, std::system_category(), "fork");
  if (child == 0) {
    sigprocmask(SIG_SETMASK, &before, nullptr);
    execv(path.c_str(), arguments.data());
    std::fprintf(stderr, "rackproof: %s: cannot be run\n", path.c_str());
    _exit(127);
  }
  return child;
}

timespec until(double deadline) {
  const double left =
      std::max(0.0, deadline - static_cast<double>(telemetry::monotonic_ns()) * 1e-9);
  const double whole = std::floor(left);
  return {static_cast<time_t>(whole), static_cast<long>((left - whole) * 1e9)};
}

// Samples until the program ends, or, without one, until it is told to stop. Gives the exit code.
int watch(telemetry::Recorder& recorder, pid_t child, const sigset_t& set) {
  double next = static_cast<double>(telemetry::monotonic_ns()) * 1e-9;
  for (;;) {
    recorder.sample();
    const double now = static_cast<double>(telemetry::monotonic_ns()) * 1e-9;
    next += recorder.interval_seconds();
    // Late by more than an interval: samples that were missed are not made up for.
    if (next < now) next = now + recorder.interval_seconds();
    for (;;) {
      const timespec wait = until(next);
      const int signal = sigtimedwait(&set, nullptr, &wait);
      if (signal < 0 && errno == EAGAIN) break;
      if (signal > 0 && signal != SIGCHLD && child == 0) return 0;
      // A terminal sends its interrupt to the program too.
      if (signal == SIGTERM || signal == SIGHUP) kill(child, signal);
      int status = 0;
      if (child != 0 && waitpid(child, &status, WNOHANG) == child) {
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      }
    }
  }
}

void report_cost(const telemetry::Recorder& recorder, const std::string& path) {
  const telemetry::Cost& cost = recorder.cost();
  for (const std::string& note : recorder.about().notes)
    std::fprintf(stderr, "rackproof: %s\n", note.c_str());
  std::fprintf(stderr, "rackproof: %s: %llu samples, %.0f us of CPU for a sample and device\n",
               path.c_str(), static_cast<unsigned long long>(cost.samples),
               cost.per_sample() * 1e6);
  if (cost.stretch > 1) {
    std::fprintf(
        stderr,
        "rackproof: it took a sample each %.3g s only: they cost more than the %.0f us they may\n",
        recorder.interval_seconds(), telemetry::kBudgetSeconds * 1e6);
  }
}

}  // namespace

int record_verb(const RecordOptions& options, const Program& program) {
  if (!options.dump.empty()) return telemetry::dump_recording(options.dump, options.format);
  const double interval = options.interval_ms * 1e-3;
  if (!(interval >= kShortest && interval <= kLongest)) {
    throw UsageError(
        fmt::format("--interval: expected 10 to 60000 ms, not {:g}", options.interval_ms));
  }
  if (!(options.size_mebibytes >= 0.0625 && options.size_mebibytes <= 1024)) {
    throw UsageError(
        fmt::format("--size: expected 0.0625 to 1024 MiB, not {:g}", options.size_mebibytes));
  }
  if (!options.words.empty()) path_of(options.words.front(), program);
  const bool part_of_run = options.longest_seconds > 0;
  // Without its warden nobody would ever end it.
  if (part_of_run) prctl(PR_SET_PDEATHSIG, SIGTERM);
  const sigset_t set = awaited();
  sigset_t before;
  // Before any thread is there, so that none gets them.
  sigprocmask(SIG_BLOCK, &set, &before);
  telemetry::RecorderOptions recording;
  recording.path = options.out;
  recording.interval_seconds = interval;
  recording.most_bytes = static_cast<std::size_t>(options.size_mebibytes * kMebibyte);
  recording.longest_seconds = options.longest_seconds;
  recording.root = options.sysroot;
  recording.nvml = options.sysroot.empty() ? nvml::kFile : "";
  int code = 0;
  bool hangs = false;
  try {
    telemetry::EventTeller teller(part_of_run, program.environment);
    recording.on_event = [&teller](const telemetry::Event& event) { teller.tell(event); };
    telemetry::Recorder recorder(recording);
    const pid_t child = options.words.empty() ? 0 : start(options.words, program, before);
    code = watch(recorder, child, set);
    recorder.sample(true);
    recorder.close();
    teller.end();
    if (!options.quiet) report_cost(recorder, options.out);
    hangs = recorder.hangs();
    if (hangs) {
      std::fflush(nullptr);
      _exit(code);
    }
  } catch (const telemetry::RecordingError& error) {
    throw UsageError(error.what());
  }
  return code;
}

}  // namespace rackproof::cli
