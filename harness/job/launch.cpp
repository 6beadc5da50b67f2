#include "harness/job/launch.hpp"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "harness/archive/report_file.hpp"
#include "harness/assemble/directory.hpp"
#include "harness/fleet/launch_command.hpp"
#include "harness/fleet/launcher.hpp"
#include "harness/job/run_lock.hpp"
#include "harness/job/signals.hpp"
#include "harness/journal/entry_json.hpp"
#include "harness/support/clock.hpp"
#include "harness/support/errors.hpp"
#include "harness/support/exit_code.hpp"
#include "harness/support/files.hpp"
#include "harness/support/print.hpp"
#include "harness/warden/foreground.hpp"
#include "reports/model/finding_id.hpp"

// The outer loop: what a launcher cannot do, go on when a host is lost. Between two starts it knows
// what the journals say and nothing else.
namespace rackproof::job {
namespace {

// A launcher may never notice that its job is over: a host that is gone does not answer it either.
constexpr double kLingerSeconds = 30;
constexpr double kGraceSeconds = 10;
constexpr double kTickSeconds = 0.2;
// The warden of rank 0 waits up to 45 s for the journals of the others, and longer leases than that
// hold the lock of a host that is gone itself.
constexpr double kLockSeconds = 120;
constexpr double kJournalLookSeconds = 2;  // a journal may be large

void say(const std::string& text) { support::write_stderr("rackproof launch: " + text + "\n"); }

std::string join(const std::vector<std::string>& words, const char* between) {
  return fmt::format("{}", fmt::join(words, between));
}

std::string newest_journal(support::Store& store) {
  std::string newest;
  for (const std::string& name : store.list("journals")) {
    if (name.ends_with("-rank-00000.jsonl")) newest = "journals/" + name;
  }
  return newest;
}

// True when the journal of rank 0 that was begun last is closed: the run has ended, in what way
// ever. `before` is that of an earlier start, which does not count.
bool has_ended(support::Store& store, const std::string& before) {
  const std::string name = newest_journal(store);
  if (name == before) return false;
  return journal::ends_closed(store.read(name).value_or(""));
}

// Runs the launcher to its end and gives its exit code.
int run_launcher(const std::vector<std::string>& command, const std::string& directory) {
  support::SystemClock clock;
  support::DirectoryStore store(directory);
  const std::string before = newest_journal(store);
  warden::Foreground launcher(command);
  double look_at = 0;
  std::optional<double> stop_at;  // since when it is only waited for
  bool asked = false;
  for (;;) {
    if (const auto code = launcher.wait(kTickSeconds)) return *code;
    const double now = clock.now();
    if (interrupts() > 0 && !asked) {
      // Whatever came: to INT srun answers with a question.
      launcher.send(SIGTERM);
      asked = true;
    }
    if (!stop_at && now >= look_at) {
      if (has_ended(store, before)) stop_at = now;
      look_at = now + kJournalLookSeconds;
    }
    if (!stop_at || now - *stop_at < kLingerSeconds) continue;
    if (!asked) {
      say(fmt::format("the run is over for {:.0f} s and the launcher does not end: it is ended",
                      kLingerSeconds));
      launcher.send(SIGTERM);
      asked = true;
    }
    if (now - *stop_at > kLingerSeconds + kGraceSeconds) launcher.send(SIGKILL);
  }
}

// Whoever is stopped, or waits in the kernel for a disk or a driver, holds up others.
bool stands_still(model::ProcessState state) {
  switch (state) {
    case model::ProcessState::kWaiting:
    case model::ProcessState::kStopped:
    case model::ProcessState::kStoppedDebugged:
      return true;
    case model::ProcessState::kUnknown:
    case model::ProcessState::kRunning:
    case model::ProcessState::kSleeping:
    case model::ProcessState::kGone:
    case model::ProcessState::kOther:
      return false;
  }
  return false;
}

// A rank that sat in a bench of all ranks until its deadline was waiting for somebody, unless it
// was stopped itself.
bool waited_for_another(const model::Report& report, int rank) {
  for (const model::Attempt& attempt : report.attempts) {
    const auto* how = std::get_if<model::ending::TimedOut>(&attempt.ending);
    if (how == nullptr || attempt.rank != rank || attempt.members == 0) continue;
    return !stands_still(how->state.id);
  }
  return false;
}

// The hosts to look at: of ranks that the launcher ended for the sake of others, none.
std::set<std::string> lost_hosts(const model::Report& report) {
  std::set<std::string> hosts;
  for (const model::Finding& finding : report.findings) {
    const auto host = finding.evidence.find("host");
    const auto rank = finding.evidence.find("rank");
    if (finding.id != model::finding_id::kRankLost || finding.severity != model::Severity::kError)
      continue;
    if (host == finding.evidence.end() || rank == finding.evidence.end()) continue;
    const auto* number = std::get_if<std::int64_t>(&rank->second);
    const auto* name = std::get_if<std::string>(&host->second);
    if (number == nullptr || name == nullptr || name->empty()) continue;
    if (!waited_for_another(report, static_cast<int>(*number))) hosts.insert(*name);
  }
  return hosts;
}

bool lost_somebody(const model::Report& report) {
  return report.run.ended_utc.empty() ||
         std::any_of(report.ranks.begin(), report.ranks.end(), [](const model::RankInfo& rank) {
           return rank.state != model::RankState::kFinished;
         });
}

// The hosts of the last start, those that stay and those that are gone.
struct Hosts {
  std::vector<fleet::HostRanks> staying;
  std::vector<fleet::HostRanks> gone;
  std::vector<std::string> without;  ///< since the run began
};

Hosts sort_hosts(const model::Report& report) {
  const std::set<std::string> lost = lost_hosts(report);
  Hosts hosts;
  std::map<std::string, std::size_t> place;
  for (const model::RankInfo& rank : report.ranks) {
    if (rank.host.empty()) continue;
    auto& list = lost.contains(rank.host) ? hosts.gone : hosts.staying;
    const auto [known, fresh] = place.try_emplace(rank.host, list.size());
    if (fresh) list.push_back({rank.host, 0});
    ++list[known->second].ranks;
  }
  std::set<std::string> without = lost;
  for (const model::Finding& finding : report.findings) {
    if (finding.id == model::finding_id::kHostSetAside) without.insert(finding.subject);
  }
  hosts.without.assign(without.begin(), without.end());
  return hosts;
}

// The launcher is gone before rank 0's warden is. Gives whose the directory still is.
std::string await_free(support::Store& store, const std::string& directory) {
  try {
    if (store.read(kLockName)) lock_directory(directory, kLockSeconds);
  } catch (const support::UsageError& busy) {
    return busy.what();
  }
  return "";
}

// How one start of the launcher left the run.
struct Outcome {
  std::optional<model::Report> report;  ///< nothing: neither began a run nor went on with one
  int launcher_code = 0;
  std::string busy;  ///< why the run cannot be continued now
};

Outcome start_once(const std::vector<std::string>& command, const fleet::LaunchCommand& first,
                   const Screen& screen) {
  const std::string& directory = first.directory;
  const archive::Compress compress = archive::compress_of(first.compress);
  Outcome outcome;
  support::DirectoryStore store(directory);
  const std::string before = newest_journal(store);
  outcome.launcher_code = run_launcher(command, directory);
  outcome.busy = await_free(store, directory);
  if (newest_journal(store) == before) return outcome;
  outcome.report = assemble::assemble_directory(store, directory);
  const std::string name = archive::write_json(store, *outcome.report, compress);
  // Rank 0 has told the rest itself.
  if (outcome.report->run.ended_utc.empty()) {
    support::print(screen.closing(*outcome.report) + "report: " + store.path(name) + "\n");
  }
  return outcome;
}

std::string names(const std::vector<fleet::HostRanks>& hosts) {
  std::vector<std::string> words;
  for (const fleet::HostRanks& host : hosts) {
    words.push_back(
        fmt::format("{} ({} rank{})", host.host, host.ranks, host.ranks == 1 ? "" : "s"));
  }
  return join(words, ", ");
}

// A refusal stays one, however often the same command is started.
bool refused(int launcher_code) {
  return launcher_code == support::kUsage || launcher_code == support::kNothingSelected;
}

int never_began(int launcher_code) {
  say(fmt::format("the launcher ended with {} before a run began", launcher_code));
  return refused(launcher_code) ? launcher_code : support::kUnexpected;
}

std::vector<fleet::HostRanks> listed_hosts(const fleet::LaunchCommand& command) {
  const std::string file = fleet::hostfile_of(command);
  return file.empty() ? std::vector<fleet::HostRanks>()
                      : fleet::parse_hostfile(support::read_file(file));
}

// Start after start, until the run has reached its end or no start is left.
int start_after_start(const std::vector<std::string>& launcher, int attempts,
                      const Screen& screen) {
  const fleet::LaunchCommand first = fleet::parse_launch(launcher);
  const std::vector<fleet::HostRanks> listed = listed_hosts(first);
  std::vector<std::string> words = launcher;
  std::optional<int> verdict;  // of the report so far
  for (int attempt = 1;; ++attempt) {
    say(fmt::format("start {} of {}: {}", attempt, attempts, join(words, " ")));
    const Outcome outcome = start_once(words, first, screen);
    if (interrupts() > 0) return support::kInterrupted;
    if (!outcome.report) {
      const int code = never_began(outcome.launcher_code);
      if (!verdict || refused(outcome.launcher_code)) return code;
      if (attempt == attempts) return *verdict;
      continue;
    }
    const model::Report& report = *outcome.report;
    const int code = model::exit_code_of(report.acceptance);
    verdict = code;
    if (report.run.completed) return code;
    if (!lost_somebody(report)) return report.run.interrupted ? support::kInterrupted : code;
    const Hosts hosts = sort_hosts(report);
    say(hosts.gone.empty() ? "the job is lost, and no host stands out"
                           : "the job is lost with " + names(hosts.gone));
    if (!outcome.busy.empty()) say(outcome.busy);
    if (!outcome.busy.empty() || attempt == attempts || hosts.staying.empty()) return code;
    // The command that has just run is the one that still names who is gone.
    words = fleet::continue_without(fleet::parse_launch(words), hosts.staying, hosts.gone,
                                    hosts.without, listed);
  }
}

}  // namespace

int launch(const std::vector<std::string>& launcher, int attempts, const Program& program,
           const Screen& screen) {
  const fleet::Launcher around = fleet::detect_launcher(program.environment);
  if (around.wants_mpi || !around.problem.empty()) {
    throw support::UsageError("launch starts a launcher: it cannot be started by one itself");
  }
  try {
    fleet::parse_launch(launcher);
    watch_signals();
    return start_after_start(launcher, attempts, screen);
  } catch (const fleet::BadLaunch& error) {
    throw support::UsageError(error.what());
  }
}

}  // namespace rackproof::job
