#include "harness/warden/standard_streams.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cerrno>

using rackproof::warden::open_standard_streams;

namespace {

// What a process sees that was started with these descriptors closed, one bit each: 0 when all is
// as it should be.
int look_with_closed(int closed) {
  for (int fd = 0; fd < 3; ++fd) {
    if ((closed & (1 << fd)) != 0) close(fd);
  }
  open_standard_streams();
  const int next = ::open("/dev/null", O_RDWR);
  if (next < 3) return 1;
  char byte = 'x';
  if ((closed & 1) != 0 && ::read(0, &byte, 1) != 0) return 2;
  for (int fd = 1; fd < 3; ++fd) {
    const bool lost = ::write(fd, "", 1) < 0 && errno == EBADF;
    if (lost != ((closed & (1 << fd)) != 0)) return 3;
  }
  return 0;
}

}  // namespace

TEST_CASE("descriptors 0 to 2 exist whichever of them were closed, and what is printed is lost") {
  const int closed = GENERATE(range(0, 8));
  const pid_t child = fork();
  if (child == 0) _exit(look_with_closed(closed));
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}
