#include "reports/model/attempt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <string_view>

#include "contract/exit_code.hpp"
#include "reports/model/quantity.hpp"
#include "reports/model/words.hpp"

namespace rackproof::model {
namespace {

std::string exit_text(int code) {
  return fmt::format("exit code {} ({})", code,
                     contract::meaning_of_exit(code).value_or("no bench uses it"));
}

struct Signal {
  int number;
  std::string_view name;
};

// Those of POSIX and Linux. glibc has their names since 2.32.
constexpr Signal kSignals[] = {
    {SIGHUP, "HUP"},   {SIGINT, "INT"},       {SIGQUIT, "QUIT"}, {SIGILL, "ILL"},
    {SIGTRAP, "TRAP"}, {SIGABRT, "ABRT"},     {SIGBUS, "BUS"},   {SIGFPE, "FPE"},
    {SIGKILL, "KILL"}, {SIGUSR1, "USR1"},     {SIGSEGV, "SEGV"}, {SIGUSR2, "USR2"},
    {SIGPIPE, "PIPE"}, {SIGALRM, "ALRM"},     {SIGTERM, "TERM"}, {SIGSTKFLT, "STKFLT"},
    {SIGCHLD, "CHLD"}, {SIGCONT, "CONT"},     {SIGSTOP, "STOP"}, {SIGTSTP, "TSTP"},
    {SIGTTIN, "TTIN"}, {SIGTTOU, "TTOU"},     {SIGURG, "URG"},   {SIGXCPU, "XCPU"},
    {SIGXFSZ, "XFSZ"}, {SIGVTALRM, "VTALRM"}, {SIGPROF, "PROF"}, {SIGWINCH, "WINCH"},
    {SIGPOLL, "POLL"}, {SIGPWR, "PWR"},       {SIGSYS, "SYS"},
};

std::string signal_text(int number) {
  for (const Signal& signal : kSignals) {
    if (signal.number == number) return fmt::format("signal {} (SIG{})", number, signal.name);
  }
  return fmt::format("signal {}", number);
}

std::string in_state(const Reason<ProcessState>& state) {
  return state.empty() ? std::string() : fmt::format(" while {}", to_text(state));
}

std::string after_colon(const std::string& what) {
  return what.empty() ? std::string() : ": " + what;
}

struct Sentence {
  std::string operator()(const ending::Completed& end) const {
    return "ended by itself with " + exit_text(end.exit_code);
  }
  std::string operator()(const ending::Signalled& end) const {
    return "ended by " + signal_text(end.signal);
  }
  std::string operator()(const ending::TimedOut& end) const {
    return fmt::format("stopped at its deadline after {}{}; {}", duration(end.after_seconds),
                       in_state(end.state),
                       end.needed_kill ? "it ignored TERM and was killed" : "it ended on TERM");
  }
  std::string operator()(const ending::Cancelled& end) const {
    // Which member failed, and how, says enough.
    const bool in_words = end.by.id == CancelReason::kMemberFailed && !end.by.words.empty();
    return "cancelled" + after_colon(in_words ? end.by.words : to_text(end.by));
  }
  std::string operator()(const ending::SpawnFailed& end) const {
    return "could not be started" + after_colon(end.what);
  }
  std::string operator()(const ending::Leaked& end) const {
    return fmt::format("ended with {} and left something behind{}", exit_text(end.exit_code),
                       after_colon(end.what));
  }
  std::string operator()(const ending::Truncated& end) const {
    return fmt::format("ended with {} before its last record{}", exit_text(end.exit_code),
                       after_colon(end.what));
  }
  std::string operator()(const ending::Garbled& end) const {
    return fmt::format("ended with {}; what it printed breaks the record protocol{}",
                       exit_text(end.exit_code), after_colon(end.what));
  }
  std::string operator()(const ending::Wedged& end) const {
    return fmt::format("could not be ended, not even by KILL; given up after {}{}",
                       duration(end.after_seconds), in_state(end.state));
  }
  std::string operator()(const ending::RankLost& end) const {
    return "the rank that ran it is gone" + after_colon(end.what);
  }
};

}  // namespace

std::string word(const Ending& ending) {
  constexpr std::array<std::string_view, std::variant_size_v<Ending>> kWords = {
      "completed", "signalled", "timed-out", "cancelled", "spawn-failed",
      "leaked",    "truncated", "garbled",   "wedged",    "rank-lost"};
  return std::string(kWords.at(ending.index()));
}

std::string sentence(const Ending& ending) { return std::visit(Sentence{}, ending); }

std::string device_of(const Attempt& attempt) {
  return attempt.subject.device.empty() ? attempt.device : attempt.subject.device;
}

std::string device_among(const std::vector<std::string>& arguments) {
  const auto at = std::find(arguments.begin(), arguments.end(), "--device");
  return at == arguments.end() || at + 1 == arguments.end() ? "" : *(at + 1);
}

}  // namespace rackproof::model
