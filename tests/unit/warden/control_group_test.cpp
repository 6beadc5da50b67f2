#include "harness/warden/control_group.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cerrno>
#include <filesystem>
#include <fstream>

#include "harness/warden/spawn.hpp"
#include "tests/unit/temporary_folder.hpp"

using rackproof::warden::ControlGroups;

namespace {

namespace fs = std::filesystem;

// A hierarchy of version 2 as files: enough to find one's place in it.
void mount_in(const TemporaryFolder& folder, const std::string& root, const std::string& own) {
  fs::create_directories(folder / "proc/self");
  fs::create_directories(folder / ("cg" + own));
  std::ofstream(folder / "proc/self/mountinfo") << "25 1 0:1 / /proc rw - proc proc rw\n26 1 0:22 "
                                                << root << " /cg rw,nosuid - cgroup2 cgroup2 rw\n";
  std::ofstream(folder / "proc/self/cgroup") << "4:memory:/x\n0::" << own << "\n";
}

}  // namespace

TEST_CASE("no control group is made where there is no kill of a whole one") {
  const TemporaryFolder folder;
  CHECK(ControlGroups(folder.path()).take() == nullptr);
  mount_in(folder, "/", "/job");
  CHECK(ControlGroups(folder.path()).take() == nullptr);
  CHECK(fs::is_empty(folder / "cg/job"));
}

TEST_CASE("a group outside what is mounted is left alone") {
  const TemporaryFolder folder;
  mount_in(folder, "/elsewhere", "/job");
  CHECK(ControlGroups(folder.path()).take() == nullptr);
  CHECK(fs::is_empty(folder / "cg/job"));
}

TEST_CASE("empty groups that nobody holds are removed, others are not") {
  const TemporaryFolder folder;
  mount_in(folder, "/", "/job");
  const std::string job = folder / "cg/job/";
  for (const char* name : {"rackproof-1-2-1", "rackproof-1-2-2", "other-1-2-3"}) {
    fs::create_directories(job + name);
  }
  const rackproof::support::Fd held(open((job + "rackproof-1-2-2").c_str(), O_RDONLY | O_CLOEXEC));
  REQUIRE(flock(held.get(), LOCK_EX | LOCK_NB) == 0);
  ControlGroups(folder.path()).take();
  CHECK_FALSE(fs::exists(job + "rackproof-1-2-1"));
  CHECK(fs::exists(job + "rackproof-1-2-2"));
  CHECK(fs::exists(job + "other-1-2-3"));
}

TEST_CASE("a group is nobody else's while it is held, and is cleared by its maker's number alone") {
  ControlGroups groups;
  auto group = groups.take();
  if (!group) {
    WARN("skipped: this machine lets nobody make a control group of version 2");
    return;
  }
  const pid_t warden = getpid();
  auto child = rackproof::warden::spawn({"/bin/sleep", "600"}, {}, group.get());
  REQUIRE(child.error.empty());
  // A warden of another container has the same number there.
  const pid_t other = fork();
  if (other == 0) {
    const bool own = unshare(CLONE_NEWUSER | CLONE_NEWPID) == 0;
    const pid_t inside = own ? fork() : -1;
    if (inside == 0) {
      rackproof::warden::clear_control_groups_of(warden);
      _exit(0);
    }
    if (inside > 0) waitpid(inside, nullptr, 0);
    _exit(inside > 0 ? 0 : 77);
  }
  int status = 0;
  waitpid(other, &status, 0);
  if (WEXITSTATUS(status) == 77) WARN("skipped: no namespaces of processes here");
  CHECK(group->populated());
  rackproof::warden::clear_control_groups_of(warden);
  CHECK_FALSE(group->populated());
  waitpid(child.pid, nullptr, 0);
}

TEST_CASE("a process is born in its group, which is used again unless it had to be killed") {
  ControlGroups groups;
  auto group = groups.take();
  if (!group) {
    WARN("skipped: this machine lets nobody make a control group of version 2");
    return;
  }
  if (syscall(SYS_clone3, nullptr, 0) < 0 && errno == ENOSYS) {
    WARN("skipped: this kernel, or qemu in its place, has no clone3");
    return;
  }
  const int folder = group->folder();
  groups.give_back(std::move(group));
  group = groups.take();
  CHECK(group->folder() == folder);
  for (int i = 0; i < 2; ++i) {
    auto child =
        rackproof::warden::spawn({"/bin/sh", "-c", "sleep 600 & sleep 600"}, {}, group.get());
    REQUIRE(child.error.empty());
    CHECK(group->populated());
    const auto members = group->members();
    CHECK(std::find(members.begin(), members.end(), child.pid) != members.end());
    group->kill_all();
    waitpid(child.pid, nullptr, 0);
    for (int look = 0; look < 1000 && group->populated(); ++look) usleep(1000);
    CHECK_FALSE(group->populated());
    groups.give_back(std::move(group));
    group = groups.take();
    REQUIRE(group);
  }
}
