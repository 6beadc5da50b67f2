// Loaded beside libfiu's wrappers of the C library: lets one call of a kind fail, once, and counts how
// many there were. The call is told by its number, or by its place: by the chain of its callers.
//   NTH_KIND    what fails, in libfiu's names, separated by blanks: "posix/io/rw/* libc/mm/*"
//   NTH_CALL    which call, from 1
//   NTH_PLACE   or the first one from this place, as NTH_PLACES has it
//   NTH_WHERE   rank or warden: the process that was started, or the ones forked from it
//   NTH_ERRNO   the error of a failed call
//   NTH_COUNTS  file that gets one line a process: rank or warden, how many calls there were, and how
//               many of them failed
//   NTH_PLACES  file that gets a line for each place that calls came from
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <fiu-control.h>
#include <fiu.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { kDepth = 48, kTable = 1 << 18 };

static long calls;
static long failed;
static long wanted;
static uint64_t wanted_place;
static int in_warden;
static pid_t started;
static int places = -1;
static uint64_t seen[kTable];
static struct {
  uintptr_t address;
  uint64_t name;
} names[kTable];

// Straight to the kernel: the C library's calls are what is being failed.
static const char* where(void) { return syscall(SYS_getpid) == started ? "rank" : "warden"; }

// FNV-1a, by the word.
static uint64_t mixed(uint64_t hash, uint64_t word) { return (hash ^ word) * 1099511628211u; }
static const uint64_t kBegin = 14695981039346656037u;

// The same in every run, wherever the library was loaded: asked once for each address.
static uint64_t name_of(uintptr_t address) {
  size_t at = mixed(kBegin, address) % kTable;
  for (size_t tries = 0; tries < kTable; ++tries, at = (at + 1) % kTable) {
    if (names[at].address == address) return names[at].name;
    if (names[at].address == 0) break;
  }
  uint64_t name = kBegin;
  Dl_info info;
  if (dladdr((void*)address, &info) != 0 && info.dli_fname != NULL) {
    for (const char* c = info.dli_fname; *c != '\0'; ++c) name = mixed(name, (unsigned char)*c);
    name = mixed(name, address - (uintptr_t)info.dli_fbase);
  }
  names[at].address = address;
  names[at].name = name;
  return name;
}

// Never 0.
static uint64_t place_of_call(void) {
  void* frames[kDepth];
  const int count = backtrace(frames, kDepth);
  uint64_t place = kBegin;
  for (int i = 0; i < count; ++i) place = mixed(place, name_of((uintptr_t)frames[i]));
  return place | 1;
}

static void note(uint64_t place) {
  size_t at = place % kTable;
  for (size_t tries = 0; tries < kTable && seen[at] != 0; ++tries, at = (at + 1) % kTable) {
    if (seen[at] == place) return;
  }
  seen[at] = place;
  char line[32];
  const int length = snprintf(line, sizeof line, "%llx\n", (unsigned long long)place);
  syscall(SYS_write, places, line, length);
}

static int is_due(const char* name, int* failnum, void** failinfo, unsigned int* flags) {
  (void)name;
  (void)failnum;
  (void)failinfo;
  (void)flags;
  static int busy;  // asking for the callers may ask for memory
  if (busy || in_warden != (syscall(SYS_getpid) != started)) return 0;
  ++calls;
  int due = calls == wanted;
  if (places >= 0 || (wanted_place != 0 && failed == 0)) {
    busy = 1;
    const uint64_t place = place_of_call();
    if (places >= 0) note(place);
    due = due || (place == wanted_place && failed == 0);
    busy = 0;
  }
  if (due) ++failed;
  return due;
}

static void tell(void) {
  const char* const path = getenv("NTH_COUNTS");
  if (path == NULL || in_warden != (syscall(SYS_getpid) != started)) return;
  char line[128];
  const int length = snprintf(line, sizeof line, "%s %ld %ld\n", where(), calls, failed);
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
  const char* const place = getenv("NTH_PLACE");
  wanted_place = place == NULL ? 0 : strtoull(place, NULL, 16);
  const char* const process = getenv("NTH_WHERE");
  in_warden = process != NULL && strcmp(process, "warden") == 0;
  const char* const error = getenv("NTH_ERRNO");
  const long number = error == NULL ? EIO : atol(error);
  const char* const found = getenv("NTH_PLACES");
  if (found != NULL) {
    places = (int)syscall(SYS_openat, AT_FDCWD, found, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  }
  void* frame;
  backtrace(&frame, 1);  // the first loads what it needs
  fiu_init(0);
  char* kinds = strdup(kind);
  for (char* one = strtok(kinds, " "); one != NULL; one = strtok(NULL, " ")) {
    fiu_enable_external(one, 1, (void*)number, 0, is_due);
  }
  atexit(tell);
}
