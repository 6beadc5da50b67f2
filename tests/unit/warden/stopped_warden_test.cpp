#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <functional>

#include "harness/warden/process_warden.hpp"
#include "tests/unit/temporary_folder.hpp"
#include "tests/unit/warden/shell_attempt.hpp"

// A warden that is stopped, starved or gone, and a rank that is: nobody waits for ever.
using rackproof::warden::children_of;
using rackproof::warden::fork_warden;
using rackproof::warden::Warden;
using rackproof::warden::WardenError;
using rackproof::warden::WardenSettings;
using namespace shell_attempt;

namespace {

WardenSettings impatient(bool control_groups = true) {
  WardenSettings settings;
  settings.control_groups = control_groups;
  settings.answer_seconds = 0.5;
  return settings;
}

bool is_dead(pid_t pid) {
  for (int i = 0; i < 500 && alive(pid); ++i) usleep(10'000);
  return !alive(pid);
}

}  // namespace

TEST_CASE("whatever is asked of a stopped warden has an end, and nothing of it stays") {
  const TemporaryFolder folder;
  const auto ask = GENERATE(
      as<std::function<void(Warden&)>>{},
      [](Warden& warden) { warden.note("{\"j\":\"x\"}", true); },
      [](Warden& warden) {
        for (;;) warden.wait(0.1);
      },
      [](Warden& warden) {
        const std::string line(100'000, 'x');
        for (;;) warden.note(line, false);
      });
  const auto before = children_of(getpid());
  const auto warden = fork_warden(impatient());
  const pid_t pid = warden_of(getpid(), before);
  warden->open_journal(folder / "j");
  warden->start(shell("a", "env -i setsid sh -c 'echo $$ > " + (folder / "daemon") +
                               "; exec sleep 600' & echo $$ > " + (folder / "pid") +
                               "; exec sleep 600"));
  const pid_t bench = number_in(folder / "pid");
  const pid_t daemon = number_in(folder / "daemon");
  kill(pid, SIGSTOP);
  CHECK_THROWS_WITH(ask(*warden), Catch::Contains("stopped by a signal"));
  CHECK(is_dead(pid));
  CHECK(is_dead(bench));
  CHECK(is_dead(daemon));
  CHECK_THROWS_AS(warden->note("{}", true), WardenError);
}

TEST_CASE("a stopped warden is closed in the end") {
  const auto before = children_of(getpid());
  const auto warden = fork_warden(impatient());
  const pid_t pid = warden_of(getpid(), before);
  kill(pid, SIGSTOP);
  CHECK_THROWS_WITH(warden->close(rackproof::model::CloseReason::kFinished),
                    Catch::Contains("stopped by a signal"));
  CHECK(is_dead(pid));
}

TEST_CASE("a warden that was killed leaves nothing of what it ran") {
  const TemporaryFolder folder;
  const bool control_groups = GENERATE(true, false);
  const auto before = children_of(getpid());
  const auto warden = fork_warden(impatient(control_groups));
  const pid_t pid = warden_of(getpid(), before);
  // Without control groups a daemon is known by its session or its environment.
  const std::string environment = control_groups ? "env -i " : "";
  warden->start(shell("a", environment + "setsid sh -c 'echo $$ > " + (folder / "daemon") +
                               "; exec sleep 600' & echo $$ > " + (folder / "pid") +
                               "; exec sleep 600"));
  const pid_t bench = number_in(folder / "pid");
  const pid_t daemon = number_in(folder / "daemon");
  kill(pid, SIGKILL);
  CHECK_THROWS_WITH(
      [&] {
        for (;;) warden->wait(0.1);
      }(),
      Catch::Contains("gone"));
  CHECK(is_dead(bench));
  if (control_groups && alive(daemon)) {
    WARN("skipped: this machine lets nobody make a control group of version 2");
    kill(daemon, SIGKILL);
    return;
  }
  CHECK(is_dead(daemon));
}

TEST_CASE("a warden that answers is not given up, however long nothing happens") {
  const auto warden = fork_warden(impatient());
  warden->start(shell("a", "sleep 2; exit 3"));
  CHECK(has(finish(*warden, "a").back(), "\"code\":3"));
  warden->close(rackproof::model::CloseReason::kFinished);
}

TEST_CASE("a warden notices that its rank is gone though another holds its end of the socket") {
  const TemporaryFolder folder;
  const pid_t rank = fork();
  if (rank == 0) {
    const auto warden = fork_warden();
    warden->open_journal(folder / "j");
    warden->start(shell("a", "echo $$ > " + (folder / "pid") + "; exec sleep 600"));
    number_in(folder / "pid");
    const pid_t heir = fork();
    if (heir == 0) {
      for (int i = 0; i < 3000 && !has(slurp(folder / "j"), "rank-gone"); ++i) usleep(10'000);
      _exit(0);
    }
    _exit(0);
  }
  waitpid(rank, nullptr, 0);
  for (int i = 0; i < 1500 && !has(slurp(folder / "j"), "rank-gone"); ++i) usleep(10'000);
  CHECK(has(slurp(folder / "j"), "\"reason\":\"rank-gone\""));
  CHECK(is_dead(number_in(folder / "pid")));
}

TEST_CASE("a warden whose poll fails goes on, and ends with its rank") {
#ifdef RACKPROOF_SANITIZED
  WARN("skipped: " RACKPROOF_SANITIZED " take descriptors, of which there are none here");
  return;
#endif
  const TemporaryFolder folder;
  const pid_t rank = fork();
  if (rank == 0) {
    const auto warden = fork_warden();
    warden->open_journal(folder / "j");
    // Fewer descriptors than poll() is asked about: EINVAL.
    const rlimit none = {0, 0};
    if (prlimit(warden_of(getpid()), RLIMIT_NOFILE, &none, nullptr) != 0) _exit(77);
    warden->note("{\"j\":\"still there\"}", true);
    _exit(0);
  }
  int status = 0;
  waitpid(rank, &status, 0);
  if (WEXITSTATUS(status) == 77) {
    WARN("skipped: this machine does not let a process be limited from outside");
    return;
  }
  CHECK(WEXITSTATUS(status) == 0);
  for (int i = 0; i < 1500 && !has(slurp(folder / "j"), "rank-gone"); ++i) usleep(10'000);
  CHECK(has(slurp(folder / "j"), "still there"));
  CHECK(has(slurp(folder / "j"), "\"reason\":\"rank-gone\""));
}

TEST_CASE("a rank that hangs in its own bench beside a stopped warden is ended all the same") {
  const pid_t rank = fork();
  if (rank == 0) {
    const auto warden = fork_warden(impatient());
    warden->guard("a", "{}", 0.3);
    kill(warden_of(getpid()), SIGSTOP);
    for (;;) pause();
  }
  const pid_t warden = warden_of(rank);
  int status = 0;
  waitpid(rank, &status, 0);
  CHECK(WIFSIGNALED(status));
  kill(warden, SIGCONT);
  CHECK(is_dead(warden));
}
