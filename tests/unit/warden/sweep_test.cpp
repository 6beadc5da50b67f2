#include "harness/warden/sweep.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "harness/warden/process_warden.hpp"
#include "tests/unit/temporary_folder.hpp"
#include "tests/unit/warden/shell_attempt.hpp"

using rackproof::warden::fork_warden;
using rackproof::warden::Launch;
using rackproof::warden::WardenSettings;
using namespace shell_attempt;

namespace {

constexpr int kDaemons = 100;

// A program that leaves daemons behind, in the command line of each of which the token is. They end
// by themselves after so many seconds.
Launch storm(const std::string& attempt, const std::string& token, bool stays = false,
             int seconds = 40) {
  Launch launch;
  launch.attempt = attempt;
  launch.arguments = {
      STORM_PROGRAM, "--daemons", std::to_string(kDaemons), "--seconds", std::to_string(seconds),
      "--token",     token};
  if (stays) launch.arguments.emplace_back("--stay");
  launch.deadline_seconds = stays ? 2 : 30;
  launch.grace_seconds = 0.3;
  return launch;
}

// One storm of forks at a time on this machine: of two, each takes from the sweep of the other the
// processor that it needs to be faster. What a storm starts does not inherit it.
class OnlyStorm {
 public:
  OnlyStorm()
      : lock_(open((std::filesystem::temp_directory_path() / "rackproof-storm.lock").c_str(),
                   O_CREAT | O_RDWR | O_CLOEXEC, 0666)) {
    REQUIRE(flock(lock_, LOCK_EX) == 0);
  }
  ~OnlyStorm() { close(lock_); }
  OnlyStorm(const OnlyStorm&) = delete;
  OnlyStorm& operator=(const OnlyStorm&) = delete;

 private:
  int lock_;
};

WardenSettings settings_of(bool control_groups) {
  WardenSettings settings;
  settings.control_groups = control_groups;
  return settings;
}

}  // namespace

TEST_CASE("a hundred daemons that fork while they are killed are gone with their attempt") {
  const OnlyStorm alone;
  const TemporaryFolder folder;
  const bool control_groups = GENERATE(true, false);
  const bool stays = GENERATE(false, true);
  const auto warden = fork_warden(settings_of(control_groups));
  const std::string token = folder / (control_groups ? "in-groups" : "without");
  warden->start(storm("a", token, stays));
  const std::string end = finish(*warden, "a").back();
  CHECK(count_with(token) == 0);
  CHECK(has(end, "\"stragglers\":"));
  CHECK(has(end, "\"timed_out\":true") == stays);
  CHECK_FALSE(has(end, "\"wedged\""));
  // The warden is as good as before.
  warden->start(shell("b", "exit 3"));
  const std::string next = finish(*warden, "b").back();
  CHECK(has(next, "\"code\":3"));
  CHECK_FALSE(has(next, "\"stragglers\""));
  warden->close(rackproof::model::CloseReason::kFinished);
}

TEST_CASE("daemons are gone when their rank is, or the end of the run comes") {
  const OnlyStorm alone;
  const TemporaryFolder folder;
  const bool control_groups = GENERATE(true, false);
  const bool vanishes = GENERATE(true, false);
  const std::string token = folder / "storm";
  const pid_t rank = fork();
  if (rank == 0) {
    const auto warden = fork_warden(settings_of(control_groups));
    warden->open_journal(folder / "j");
    // Its deadline is not what this is about: on a busy machine so many daemons take their time.
    Launch launch = storm("a", token, true, 600);
    launch.deadline_seconds = 600;
    warden->start(launch);
    while (count_with(token) < kDaemons) usleep(10'000);
    if (!vanishes) warden->close(rackproof::model::CloseReason::kFinished);
    _exit(0);
  }
  int status = 0;
  waitpid(rank, &status, 0);
  for (int i = 0; i < 3000 && !has(slurp(folder / "j"), "\"close\""); ++i) usleep(10'000);
  CHECK(count_with(token) == 0);
}

TEST_CASE("what hides from an attempt that others run beside is gone with the last of them") {
  const TemporaryFolder folder;
  const auto warden = fork_warden(settings_of(false));
  const std::string hidden = "env -i setsid sh -c 'echo $$ > " + (folder / "pid") +
                             "; exec sleep 600' >/dev/null 2>&1 & until [ -s " + (folder / "pid") +
                             " ]; do sleep 0.01; done";
  warden->start(shell("other", "read never <&1; sleep 600"));
  warden->start(shell("a", hidden));
  CHECK_FALSE(has(finish(*warden, "a").back(), "\"stragglers\""));
  const pid_t pid = number_in(folder / "pid");
  CHECK(alive(pid));
  warden->cancel("other", {rackproof::model::CancelReason::kOther, "the test"});
  // It may find its own program as well, which is about to end.
  CHECK(has(finish(*warden, "other").back(), "\"stragglers\":"));
  CHECK_FALSE(alive(pid));
  // What starts nothing has started nothing.
  std::filesystem::remove(folder / "pid");
  Launch recorder = shell("recorder", "exec sleep 600");
  recorder.starts_others = false;
  warden->start(recorder);
  warden->start(shell("b", hidden));
  CHECK(has(finish(*warden, "b").back(), "\"stragglers\":"));
  CHECK_FALSE(alive(number_in(folder / "pid")));
  warden->close(rackproof::model::CloseReason::kFinished);
}

TEST_CASE("a warden inside an attempt goes with it, and so does what it runs") {
  const TemporaryFolder folder;
  const bool control_groups = GENERATE(true, false);
  const std::string token = folder / "nested";
  const auto warden = fork_warden(settings_of(control_groups));
  // A process that forks a warden which starts a storm, all below an attempt of this warden: made
  // by a program of its own, since an attempt is one.
  Launch outer = shell("outer", "exec \"$0\" \"$@\"", 2);
  outer.arguments.insert(outer.arguments.end(), {NESTED_PROGRAM, STORM_PROGRAM, token});
  warden->start(outer);
  const std::string end = finish(*warden, "outer").back();
  CHECK(has(end, "\"timed_out\":true"));
  CHECK(has(end, "\"stragglers\":"));
  CHECK(count_with(token) == 0);
  warden->close(rackproof::model::CloseReason::kFinished);
}
