#include "harness/warden/process_tree.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "tests/unit/temporary_folder.hpp"

using rackproof::warden::oom_kills_here;

namespace {

void write(const std::string& path, const std::string& text) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path) << text;
}

}  // namespace

TEST_CASE("kills for want of memory are counted by the cgroup of either version") {
  const TemporaryFolder folder;
  CHECK(oom_kills_here(folder.path()) == 0);
  write(folder / "proc/self/cgroup", "9:name=systemd:/\n4:memory:/job/7\n0::/job\n");
  CHECK(oom_kills_here(folder.path()) == 0);
  write(folder / "sys/fs/cgroup/job/memory.events", "low 0\noom 5\noom_kill 4\n");
  CHECK(oom_kills_here(folder.path()) == 4);
  write(folder / "sys/fs/cgroup/memory/job/7/memory.oom_control",
        "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n");
  CHECK(oom_kills_here(folder.path()) == 3);
}
