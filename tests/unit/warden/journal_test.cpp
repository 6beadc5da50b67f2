#include "harness/warden/journal.hpp"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <csignal>
#include <cstddef>

#include "tests/unit/warden/temporary_folder.hpp"

using rackproof::warden::Journal;
using rackproof::warden::Seal;

TEST_CASE("lines are there, sealed, as soon as append returns") {
  const TemporaryFolder folder;
  Journal journal;
  REQUIRE(journal.open(folder / "j"));
  Seal seal;
  std::string bytes = seal.sealed(R"({"n":1})") + "\n";
  CHECK(journal.append(R"({"n":1})"));
  CHECK(slurp(folder / "j") == bytes);
  CHECK(journal.append(R"({"n":2})"));
  CHECK(journal.sync());
  CHECK(slurp(folder / "j") == bytes + seal.sealed(R"({"n":2})") + "\n");
}

TEST_CASE("an existing file is never taken over, nor a link followed") {
  const TemporaryFolder folder;
  std::ofstream(folder / "j") << "somebody's";
  CHECK_FALSE(Journal().open(folder / "j"));
  REQUIRE(symlink("/tmp", (folder / "link").c_str()) == 0);
  Journal journal;
  CHECK_FALSE(journal.open(folder / "link"));
  CHECK(journal.error().find("link") != std::string::npos);
  CHECK(slurp(folder / "j") == "somebody's");
}

namespace {

// From now on fdatasync() of this process fails with EIO. False where that cannot be had.
bool break_sync() {
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_fdatasync, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EIO),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter{4, program};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

// What a process does whose journal cannot be forced to disk any more: 0 when all is as it should.
int lose_sync(Journal& journal) {
  if (!journal.append(R"({"n":1})") || !journal.sync()) return 1;
  if (!break_sync()) return 77;
  if (!journal.append(R"({"n":2})")) return 2;
  if (journal.sync() || journal.sync()) return 3;
  if (journal.error().find("cannot sync") == std::string::npos) return 4;
  return journal.append(R"({"n":3})") ? 5 : 0;
}

}  // namespace

TEST_CASE("what could not be forced to disk is not there, and the failure is final") {
  const TemporaryFolder folder;
  Journal journal;
  REQUIRE(journal.open(folder / "j"));
  const pid_t child = fork();
  if (child == 0) _exit(lose_sync(journal));
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
    WARN("skipped: this kernel grants no seccomp filter");
    return;
  }
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  CHECK(slurp(folder / "j") == Seal().sealed(R"({"n":1})") + "\n");
}

TEST_CASE("a line that does not fit is not there by half, and the failure is final") {
  const TemporaryFolder folder;
  struct rlimit before = {};
  getrlimit(RLIMIT_FSIZE, &before);
  struct rlimit small = before;
  small.rlim_cur = 100;
  const auto old = std::signal(SIGXFSZ, SIG_IGN);
  Journal journal;
  REQUIRE(journal.open(folder / "j"));
  REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
  const std::string line = R"({"n":")" + std::string(50, 'a') + R"("})";
  const bool first = journal.append(line);
  const bool second = journal.append(line);
  const bool third = journal.append(R"({"n":1})");
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, old);
  CHECK(first);
  CHECK_FALSE(second);
  CHECK_FALSE(third);
  CHECK(journal.error().find("cannot write") != std::string::npos);
  CHECK(slurp(folder / "j") == Seal().sealed(line) + "\n");
}
