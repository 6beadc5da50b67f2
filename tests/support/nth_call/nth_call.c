// Loaded beside libfiu's wrappers of the C library: lets the Nth call of a kind fail, once, and
// counts how many there were.
//   NTH_KIND    what fails, in libfiu's names, separated by blanks: "posix/io/rw/* libc/mm/*"
//   NTH_CALL    which call, from 1; 0 counts only
//   NTH_WHERE   rank or warden: the process that was started, or the ones forked from it
//   NTH_ERRNO   the error of a failed call
//   NTH_COUNTS  file that gets one line a process: rank or warden, and how many calls there were
#include <errno.h>
#include <fcntl.h>
#include <fiu-control.h>
#include <fiu.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static long calls;
static long wanted;
static int in_warden;
static pid_t started;

// Straight to the kernel: the C library's calls are what is being failed.
static const char* where(void) { return syscall(SYS_getpid) == started ? "rank" : "warden"; }

static int is_due(const char* name, int* failnum, void** failinfo, unsigned int* flags) {
  (void)name;
  (void)failnum;
  (void)failinfo;
  (void)flags;
  if (in_warden != (syscall(SYS_getpid) != started)) return 0;
  return ++calls == wanted;
}

static void tell(void) {
  const char* const path = getenv("NTH_COUNTS");
  if (path == NULL || in_warden != (syscall(SYS_getpid) != started)) return;
  char line[128];
  const int length = snprintf(line, sizeof line, "%s %ld\n", where(), calls);
  const long fd = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (fd < 0) return;
  syscall(SYS_write, fd, line, length);
  syscall(SYS_close, fd);
}

// The warden ends with _exit: it is counted as well.
void _exit(int code) {
  tell();
  syscall(SYS_exit_group, code);
  __builtin_unreachable();
}

__attribute__((constructor)) static void begin(void) {
  const char* const kind = getenv("NTH_KIND");
  if (kind == NULL) return;
  started = (pid_t)syscall(SYS_getpid);
  const char* const call = getenv("NTH_CALL");
  wanted = call == NULL ? 0 : atol(call);
  const char* const process = getenv("NTH_WHERE");
  in_warden = process != NULL && strcmp(process, "warden") == 0;
  const char* const error = getenv("NTH_ERRNO");
  const long number = error == NULL ? EIO : atol(error);
  fiu_init(0);
  char* kinds = strdup(kind);
  for (char* one = strtok(kinds, " "); one != NULL; one = strtok(NULL, " ")) {
    fiu_enable_external(one, 1, (void*)number, 0, is_due);
  }
  atexit(tell);
}
