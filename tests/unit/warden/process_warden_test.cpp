#include "harness/warden/process_warden.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <thread>

#include "tests/fakes/sealed.hpp"
#include "tests/unit/broken_sync.hpp"
#include "tests/unit/temporary_folder.hpp"
#include "tests/unit/warden/shell_attempt.hpp"

using rackproof::warden::Event;
using rackproof::warden::fork_warden;
using rackproof::warden::Launch;
using rackproof::warden::Warden;
using rackproof::warden::WardenError;
using namespace shell_attempt;

TEST_CASE("an attempt is in the journal from begin to end, as its events say") {
  const TemporaryFolder folder;
  const auto warden = fork_warden();
  warden->open_journal(folder / "j");
  warden->note("{\"j\":\"note\"}", true);
  warden->start(shell("a", "echo one; echo two >&2; printf three; exit 7"));
  const auto lines = finish(*warden, "a");
  warden->close(rackproof::model::CloseReason::kFinished);
  REQUIRE(lines.size() == 4);
  CHECK(has(lines[0], "\"j\":\"begin\""));
  CHECK(has(lines[0], "\"step\":\"s\""));
  CHECK(has(lines[1], "\"text\":\"one\""));
  CHECK(has(lines[2], "\"partial\":true"));
  CHECK(has(lines[3], "\"code\":7"));
  CHECK(has(lines[3], "two\\n"));
  CHECK(has(lines[3], "\"load\":{\"processors\":"));
  std::string expected = "{\"j\":\"note\"}\n";
  for (const auto& line : lines) expected += line + "\n";
  const std::string journal = rackproof::fakes::unsealed(slurp(folder / "j"));
  CHECK(journal.substr(0, expected.size()) == expected);
  CHECK(has(journal.substr(expected.size()), "\"reason\":\"finished\""));
}

TEST_CASE("what cannot be told of other programs, and what another rank looks at, is not told") {
  const TemporaryFolder folder;
  const auto warden = fork_warden();
  warden->open_journal(folder / "j");
  const auto load_of = [&](const std::string& attempt, bool inside) {
    if (inside) {
      warden->guard(attempt, "{}", 20);
      warden->release(attempt, 0);
    } else {
      warden->start(shell(attempt, "exit 0"));
    }
    const std::string end = finish(*warden, attempt).back();
    const std::size_t at = end.find("\"load\":");
    return at == std::string::npos ? "" : end.substr(at + 7, end.find('}', at) - at - 6);
  };
  CHECK(has(load_of("a", true), "\"own\":"));
  warden->share_host({{getpid()}, false, ""});
  CHECK(load_of("b", true).empty());
  CHECK(has(load_of("c", false), "\"own\":"));
  warden->share_host({{getpid()}, true, "it is dark"});
  CHECK(load_of("d", false) == "{\"unknown\":\"it is dark\"}");
  warden->close(rackproof::model::CloseReason::kFinished);
}

TEST_CASE("a child sees a clean environment, its nonce, its stdin, and no descriptor of ours") {
  setenv("PMIX_RANK", "5", 1);
  const auto warden = fork_warden();
  Launch launch = shell(
      "run/1/x", "echo \"$PMIX_RANK|$RACKPROOF_NONCE|$MORE|$(cat)\"; ls /proc/self/fd | wc -l");
  launch.environment["MORE"] = "yes";
  launch.stdin_text = "input";
  warden->start(launch);
  const auto lines = finish(*warden, "run/1/x");
  unsetenv("PMIX_RANK");
  CHECK(has(lines[1], "\"text\":\"|run/1/x|yes|input\""));
  CHECK(has(lines[2], "\"text\":\"4\""));  // 0, 1, 2, and ls's own of the folder
  warden->close(rackproof::model::CloseReason::kFinished);
}

TEST_CASE("deadlines: TERM, then KILL, with what the process was doing") {
  const auto warden = fork_warden();
  warden->start(shell("polite", "sleep 60", 0.2));
  warden->start(shell("stubborn", "trap '' TERM; while :; do sleep 1; done", 0.2));
  warden->start(shell("stopped", "kill -STOP $$", 0.2));
  std::map<std::string, std::string> ends;
  while (ends.size() < 3) {
    for (const Event& event : warden->wait(1)) {
      if (event.last) ends[event.attempt] = event.line;
    }
  }
  for (const auto& [attempt, end] : ends) CHECK(has(end, "\"timed_out\":true"));
  CHECK_FALSE(has(ends["polite"], "\"killed\""));
  CHECK(has(ends["stubborn"], "\"killed\":true"));
  CHECK(has(ends["stopped"], "stopped by a signal"));
  warden->close(rackproof::model::CloseReason::kFinished);
}

TEST_CASE("cancel says why") {
  const auto warden = fork_warden();
  warden->start(shell("a", "sleep 60"));
  using rackproof::model::CancelReason;
  warden->cancel("a", {CancelReason::kMemberFailed, "member 3 of 8"});
  CHECK(has(finish(*warden, "a").back(), "\"cancelled_by\":\"member-failed: member 3 of 8\""));
  warden->close(rackproof::model::CloseReason::kFinished);
}

TEST_CASE("what a process leaves behind is killed, wherever it hides") {
  const TemporaryFolder folder;
  const auto warden = fork_warden();
  const std::string pid = folder / "pid";
  warden->start(shell("a", "setsid sh -c 'echo $$ > " + pid +
                               "; exec sleep 600' >/dev/null 2>&1 & until [ -s " + pid +
                               " ]; do sleep 0.01; done; exit 0"));
  const auto end = finish(*warden, "a").back();
  CHECK(has(end, "\"stragglers\":1"));
  CHECK(gone_within(number_in(pid), 2));
  warden->start(shell("b", "sleep 600 & exit 0"));
  CHECK(has(finish(*warden, "b").back(), "\"leaked\":true"));
  warden->close(rackproof::model::CloseReason::kFinished);
}

TEST_CASE("what ends a moment after its program is no leftover") {
  rackproof::warden::WardenSettings settings;
  settings.control_groups = GENERATE(true, false);
  settings.linger_seconds = 60;
  const auto warden = fork_warden(settings);
  // One keeps the output open, the other hides.
  const std::string until_gone = "sh -c \"while kill -0 $$ 2>/dev/null; do sleep 0.01; done\"";
  warden->start(shell("a", until_gone + " & exit 0"));
  const std::string open = finish(*warden, "a").back();
  CHECK_FALSE(has(open, "\"leaked\""));
  CHECK_FALSE(has(open, "\"stragglers\""));
  warden->start(shell("b", "setsid " + until_gone + " >/dev/null 2>&1 & exit 0"));
  const std::string hidden = finish(*warden, "b").back();
  CHECK_FALSE(has(hidden, "\"stragglers\""));
  CHECK(has(hidden, "\"code\":0"));
  warden->close(rackproof::model::CloseReason::kFinished);
}

TEST_CASE("a program that is not there is a spawn error, not an exit code") {
  const auto warden = fork_warden();
  Launch launch;
  launch.attempt = "a";
  launch.arguments = {"/nowhere/bench"};
  launch.deadline_seconds = 5;
  warden->start(launch);
  CHECK(has(finish(*warden, "a").back(), "No such file"));
  warden->close(rackproof::model::CloseReason::kFinished);
}

TEST_CASE("floods are bounded") {
  const auto warden = fork_warden();
  warden->start(shell("a", "head -c 200000000 /dev/zero | tr '\\0' x; echo; echo after"));
  const auto lines = finish(*warden, "a");
  CHECK(has(lines.back(), "\"dropped_lines\":"));
  CHECK(has(lines.back(), "\"out_bytes\":200000007"));
  std::size_t total = 0;
  for (const auto& line : lines) total += line.size();
  CHECK(total < 1'000'000);
  warden->close(rackproof::model::CloseReason::kFinished);
}

TEST_CASE("when its process vanishes, the warden leaves no orphan and closes the journal") {
  const TemporaryFolder folder;
  const pid_t rank = fork();
  if (rank == 0) {
    const auto warden = fork_warden();
    warden->open_journal(folder / "j");
    warden->last_act({"/bin/sh", "-c", "echo last > " + (folder / "last")});
    warden->start(shell("a", "echo $$ > " + (folder / "pid") + "; exec sleep 600"));
    for (;;) pause();
  }
  const pid_t bench = number_in(folder / "pid");
  REQUIRE(bench > 0);
  kill(rank, SIGKILL);
  waitpid(rank, nullptr, 0);
  CHECK(gone_within(bench, 2));
  for (int i = 0; i < 600 && slurp(folder / "last").empty(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  CHECK(slurp(folder / "last") == "last\n");
  const std::string journal = slurp(folder / "j");
  CHECK(has(journal, "the loss of its rank"));
  CHECK(has(journal, "\"reason\":\"rank-gone\""));
}

TEST_CASE("a process that hangs in its own bench is ended by its warden") {
  const TemporaryFolder folder;
  const pid_t rank = fork();
  if (rank == 0) {
    const auto warden = fork_warden();
    warden->open_journal(folder / "j");
    warden->guard("a", "{}", 0.3);
    warden->say("a", "a record");
    for (;;) pause();
  }
  int status = 0;
  waitpid(rank, &status, 0);
  CHECK(WIFSIGNALED(status));
  for (int i = 0; i < 200 && !has(slurp(folder / "j"), "rank-gone"); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  const std::string journal = slurp(folder / "j");
  CHECK(has(journal, "\"text\":\"a record\""));
  CHECK(has(journal, "\"timed_out\":true"));
}

TEST_CASE("a process that stands still is ended by its warden when its patience is over") {
  const TemporaryFolder folder;
  const double patience = GENERATE(0.0, 1.0);
  const pid_t rank = fork();
  if (rank == 0) {
    const auto warden = fork_warden({patience});
    warden->open_journal(folder / "j");
    warden->start(shell("a", "echo $$ > " + (folder / "pid") + "; exec sleep 600"));
    for (;;) pause();
  }
  const pid_t bench = number_in(folder / "pid");
  REQUIRE(bench > 0);
  kill(rank, SIGSTOP);
  if (patience > 0) {
    int status = 0;
    waitpid(rank, &status, 0);
    CHECK(WIFSIGNALED(status));
    for (int i = 0; i < 500 && !has(slurp(folder / "j"), "close"); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    CHECK(has(slurp(folder / "j"), "\"reason\":\"rank-stopped\""));
  } else {
    std::this_thread::sleep_for(std::chrono::seconds(3));
    CHECK(alive(rank));
    CHECK(alive(bench));
    kill(rank, SIGKILL);
    waitpid(rank, nullptr, 0);
  }
  CHECK(gone_within(bench, 2));
}

TEST_CASE("a guarded attempt that is released in time ends with its code") {
  const auto warden = fork_warden();
  warden->guard("a", "{}", 20);
  warden->say("a", "x");
  warden->release("a", 4);
  const auto lines = finish(*warden, "a");
  CHECK(lines.size() == 3);
  CHECK(has(lines.back(), "\"code\":4"));
  warden->close(rackproof::model::CloseReason::kFinished);
}

TEST_CASE("a journal that cannot be made or written is an error with the path") {
  const auto warden = fork_warden();
  CHECK_THROWS_WITH(warden->open_journal("/proc/none/j"), Catch::Contains("/proc/none/j"));
  warden->close(rackproof::model::CloseReason::kFinished);
}

TEST_CASE("an ending that could not be forced to disk is a failure, no event") {
  const TemporaryFolder folder;
  const int code = in_child([&] {
    if (!break_sync()) return kNoFilter;
    const auto warden = fork_warden();
    warden->open_journal(folder / "j");
    warden->start(shell("a", "echo done"));
    try {
      finish(*warden, "a");
    } catch (const WardenError&) {
      return 0;
    }
    return 1;
  });
  if (code == kNoFilter) {
    WARN("skipped: this kernel grants no seccomp filter");
    return;
  }
  CHECK(code == 0);
}
