#include "harness/cli/gate.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include "harness/config/installed.hpp"
#include "harness/document/located_json.hpp"
#include "harness/gate/drain.hpp"
#include "harness/job/installation.hpp"
#include "harness/job/run_request.hpp"
#include "harness/support/clock.hpp"
#include "harness/support/fd.hpp"
#include "harness/support/print.hpp"
#include "harness/warden/bounded.hpp"

namespace rackproof::cli {
namespace {

using gate::GateReason;
using gate::Verdict;

constexpr double kLeastLimit = 5;
constexpr double kMostLimit = 3600;
// Of the limit, for what comes after the check: a word to the scheduler, or only to say it.
constexpr double kForDrain = 8;
constexpr double kForEnd = 2;
constexpr double kOneCommand = 3;
constexpr double kGateDeathSeconds = 0.5;

// What the process that checks says to the one that waits for it: a letter, and a line of text.
constexpr char kGatePhase = 'P';
constexpr char kGateResult = 'R';
constexpr char kGateUsage = 'U';
constexpr char kGateFailure = 'F';

void say_to_watch(int to, char what, const std::string& text) {
  std::string line = std::string(1, what) + text;
  std::replace(line.begin(), line.end(), '\n', ' ');
  line += '\n';
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t n = ::write(to, rest.data(), rest.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    rest.remove_prefix(static_cast<std::size_t>(n));
  }
}

[[noreturn]] void check_and_tell(const GateTerms& terms, int to, pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
  try {
    say_to_watch(to, kGateResult,
                 gate::to_json_line(check_node(terms, [to](const std::string& phase) {
                   say_to_watch(to, kGatePhase, phase);
                 })));
  } catch (const UsageError& error) {
    say_to_watch(to, kGateUsage, error.what());
  } catch (const document::ConfigError& error) {
    say_to_watch(to, kGateUsage, error.what());
  } catch (const std::exception& error) {
    say_to_watch(to, kGateFailure, error.what());
  }
  _exit(0);
}

gate::Result gate_without_result(const GateTerms& terms, GateReason reason, std::string text) {
  gate::Result result;
  result.host = job::own_host();
  result.node = terms.node;
  result.mode = terms.options.mode;
  result.utc = support::SystemClock().utc();
  result.findings.push_back({reason, "", std::move(text)});
  return result;
}

/// Waits for a check in a process of its own, and no longer than it has: this process asks neither
/// a disk nor a driver.
class Watch {
 public:
  explicit Watch(const GateTerms& terms) : terms_(terms) {}

  gate::Result run() {
    int ends[2] = {-1, -1};
    if (pipe2(ends, O_CLOEXEC) != 0) {
      throw std::system_error(errno, std::generic_category(), "pipe");
    }
    const support::Fd from(ends[0]);
    support::Fd to(ends[1]);
    std::fflush(nullptr);
    const pid_t parent = getpid();
    pid_ = fork();
    if (pid_ < 0) throw std::system_error(errno, std::generic_category(), "fork");
    if (pid_ == 0) check_and_tell(terms_, to.get(), parent);
    setpgid(pid_, pid_);
    to.reset();
    const bool in_time = listen(from.get());
    return conclude(in_time);
  }

 private:
  bool listen(int from) {
    // The check ends by itself a moment before.
    const double until = clock_.now() + terms_.seconds + 1;
    std::array<char, 65536> buffer;
    for (double left = until - clock_.now(); left > 0; left = until - clock_.now()) {
      pollfd ready{from, POLLIN, 0};
      if (poll(&ready, 1, static_cast<int>(left * 1000) + 1) <= 0) continue;
      const ssize_t n = ::read(from, buffer.data(), buffer.size());
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return true;
      heard_.append(buffer.data(), static_cast<std::size_t>(n));
      take_lines();
    }
    return false;
  }

  void take_lines() {
    for (std::size_t end = heard_.find('\n'); end != std::string::npos; end = heard_.find('\n')) {
      const std::string text = heard_.substr(1, end - 1);
      if (heard_.front() == kGatePhase) phase_ = text;
      if (heard_.front() == kGateResult) result_ = text;
      if (heard_.front() == kGateUsage) usage_ = text;
      if (heard_.front() == kGateFailure) failure_ = text;
      heard_.erase(0, end + 1);
    }
  }

  // Kills what is left of it. True when it is gone.
  bool bury() {
    kill(-pid_, SIGKILL);
    for (const double end = clock_.now() + kGateDeathSeconds;;) {
      if (waitpid(pid_, nullptr, WNOHANG) != 0) return true;
      if (clock_.now() > end) return false;
      clock_.sleep(0.01);
    }
  }

  gate::Result conclude(bool in_time) {
    const bool gone = bury();
    if (!usage_.empty()) throw UsageError(usage_);
    if (!result_.empty()) return gate::result_from_json(result_);
    const std::string rest =
        gone ? "" : fmt::format("; process {} hangs in the kernel and was left behind", pid_);
    if (!in_time) {
      return gate_without_result(terms_, GateReason::kLimitPassed,
                                 fmt::format("the check was not through after {:.0f} s, while {}{}",
                                             terms_.seconds, phase_, rest));
    }
    return gate_without_result(terms_, GateReason::kCheckFailed,
                               fmt::format("the check ended while {}{}{}{}", phase_,
                                           failure_.empty() ? "" : ": ", failure_, rest));
  }

  const GateTerms& terms_;
  support::SystemClock clock_;
  pid_t pid_ = -1;
  std::string heard_;
  std::string phase_ = "beginning";
  std::string result_;
  std::string usage_;
  std::string failure_;
};

std::string gate_variable(const Program& program, const char* name) {
  const auto found = program.environment.find(name);
  return found == program.environment.end() ? "" : found->second;
}

std::string state_folder(const GateOptions& options, const Program& program) {
  if (!options.state.empty()) return options.state;
  if (geteuid() == 0) return "/var/lib/rackproof/gate";
  const std::string folder = config::state_folder(program.environment);
  if (!folder.empty()) return folder + "/gate";
  throw UsageError(
      "there is no place for the state of this node: HOME is not set; say --state DIR");
}

std::string name_of_node(const GateOptions& options, const Program& program) {
  if (!options.node.empty()) {
    if (gate::is_one_node(options.node)) return options.node;
    throw UsageError("--node " + options.node + ": expected the name of one node");
  }
  const auto name = gate::node_name(program.environment, job::own_host());
  if (!name) throw UsageError("the name of this node is none for a scheduler; say --node NAME");
  return *name;
}

// Slurm starts a HealthCheckProgram, a Prolog and an Epilog without a PATH.
std::string find_scontrol(const Program& program) {
  std::string path = gate_variable(program, "PATH") + ":/usr/bin:/usr/local/bin:/opt/slurm/bin";
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    std::string file = path.substr(begin, end - begin) + "/scontrol";
    if (file.starts_with('/') && access(file.c_str(), X_OK) == 0) return file;
    begin = end + 1;
  }
  return "";
}

/// Slurm's commands want to know where its configuration is.
std::map<std::string, std::string> slurm_environment(const Program& program) {
  std::map<std::string, std::string> out;
  for (const auto& [name, value] : program.environment) {
    if (name.starts_with("SLURM_")) out[name] = value;
  }
  return out;
}

/// What came of setting the node aside, in words.
std::string drain_node(const std::string& node, const std::string& reason, const Program& program) {
  const std::string scontrol = find_scontrol(program);
  if (scontrol.empty()) {
    return "the node is not drained: there is no scontrol in PATH, /usr/bin or /usr/local/bin";
  }
  const warden::BoundedTerms terms{kOneCommand, false, slurm_environment(program)};
  const warden::Bounded state = warden::run_bounded(gate::state_command(scontrol, node), terms);
  if (state.code == 0 && gate::is_drained(state.out)) {
    return "the node is drained already: its reason stays";
  }
  const warden::Bounded done =
      warden::run_bounded(gate::drain_command(scontrol, node, reason), terms);
  if (done.code == 0) return "the node is drained";
  std::string why = !done.error.empty() ? done.error : done.late ? "no answer" : done.err;
  std::replace(why.begin(), why.end(), '\n', ' ');
  return "the node is not drained: scontrol: " + why;
}

int gate_code_of(Verdict verdict, bool lenient) {
  switch (verdict) {
    case Verdict::kOk:
      return kAccepted;
    case Verdict::kBad:
      return kRejected;
    case Verdict::kIncomplete:
      break;
  }
  return lenient ? kAccepted : kIncomplete;
}

// A stdout that nobody reads changes no verdict.
void tell_gate(const std::string& text) {
  try {
    if (!text.empty()) print(text);
  } catch (const std::runtime_error& error) {
    support::write_stderr(std::string("rackproof: ") + error.what() + "\n");
  }
}

// A node that is well is silent, but for what makes the next look worth less.
void warn_of_state(const gate::Result& result) {
  for (const gate::Finding& one : result.findings) {
    if (one.reason == GateReason::kStateNotKept || one.reason == GateReason::kStateForeign ||
        one.reason == GateReason::kStateOtherVersion) {
      support::write_stderr(
          fmt::format("rackproof: {}: {}\n", contract::word(one.reason), one.text));
    }
  }
}

void report_gate(const gate::Result& result, const GateOptions& options, const Program& program) {
  const std::string reason = gate::scheduler_reason(result.findings);
  const bool sets_aside = gate_code_of(result.verdict(), options.lenient) != kAccepted;
  std::string done;
  if (sets_aside && options.drain == "do") done = drain_node(result.node, reason, program);
  if (options.json) {
    tell_gate(gate::to_json_line(result) + "\n");
    if (!done.empty()) support::write_stderr("rackproof: " + done + "\n");
    return;
  }
  if (!options.verbose) warn_of_state(result);
  std::string text = gate::to_text(result, options.verbose);
  if (options.verbose) {
    text += fmt::format("{}: {} in {:.1f} s, {}\n", result.node, contract::word(result.verdict()),
                        result.seconds, result.platform.empty() ? "no platform" : result.platform);
  }
  if (sets_aside && options.drain == "print") {
    text += gate::drain_line(result.node, reason) + "\n";
  }
  if (!done.empty()) text += done + "\n";
  if (result.verdict() != Verdict::kOk) text += reason + "\n";
  tell_gate(text);
}

}  // namespace

int gate_verb(const GateOptions& given, const Program& program) {
  if (given.look) return look_at_node(given);
  support::SystemClock clock;
  const double begun = clock.now();
  GateOptions options = given;
  const double limit = job::parse_seconds(options.limit);
  if (limit < kLeastLimit || limit > kMostLimit) {
    throw UsageError(fmt::format("--limit {}: expected from {:.0f} s to {:.0f} s", options.limit,
                                 kLeastLimit, kMostLimit));
  }
  options.state = state_folder(options, program);
  GateTerms terms{options, program, name_of_node(options, program)};
  terms.benches = options.bench || (options.mode == "prolog" && !options.no_bench);
  const double reserve = std::min(options.drain == "do" ? kForDrain : kForEnd, limit / 2);
  terms.seconds = limit - reserve - 1;
  gate::Result result = Watch(terms).run();
  result.seconds = clock.now() - begun;
  report_gate(result, options, program);
  return gate_code_of(result.verdict(), options.lenient);
}

}  // namespace rackproof::cli
