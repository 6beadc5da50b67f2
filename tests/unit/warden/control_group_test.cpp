#include "harness/warden/control_group.hpp"

#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cerrno>
#include <filesystem>
#include <fstream>

#include "harness/warden/spawn.hpp"
#include "tests/unit/warden/temporary_folder.hpp"

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

TEST_CASE("empty groups of wardens that are gone are removed, others are not") {
  const TemporaryFolder folder;
  mount_in(folder, "/", "/job");
  const pid_t gone = fork();
  if (gone == 0) _exit(0);
  waitpid(gone, nullptr, 0);
  const std::string left = folder / ("cg/job/rackproof-" + std::to_string(gone) + "-1");
  const std::string own = folder / ("cg/job/rackproof-" + std::to_string(getpid()) + "-7");
  for (const std::string& path : {left, own, folder / "cg/job/rackproof-x-1"}) {
    fs::create_directories(path);
  }
  ControlGroups(folder.path()).take();
  CHECK_FALSE(fs::exists(left));
  CHECK(fs::exists(own));
  CHECK(fs::exists(folder / "cg/job/rackproof-x-1"));
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
