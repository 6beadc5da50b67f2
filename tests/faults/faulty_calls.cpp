// Loaded before a program with LD_PRELOAD: calls of the C library and of MPI fail as the
// environment asks.
//   FAULTY_MALLOC_AT=N   the Nth allocation of each process fails
//   FAULTY_TRANSFERS=1   write() and send() of more than a byte move half of it, and a third
//                        of the calls of write(), send(), read() and poll() is interrupted by a
//                        signal
//   FAULTY_FINALIZE=1    MPI_Finalize() aborts
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>

// glibc's own names of what is replaced here: dlsym() itself allocates.
extern "C" void* __libc_malloc(size_t size);                // NOLINT(bugprone-reserved-identifier)
extern "C" void* __libc_calloc(size_t count, size_t size);  // NOLINT(bugprone-reserved-identifier)
extern "C" void* __libc_realloc(void* old, size_t size);    // NOLINT(bugprone-reserved-identifier)

namespace {

std::atomic<long> allocations{0};
std::atomic<unsigned> transfers{0};

long failing_allocation() {
  static const long at = [] {
    const char* text = getenv("FAULTY_MALLOC_AT");
    return text == nullptr ? -1 : strtol(text, nullptr, 10);
  }();
  return at;
}

bool allocation_fails() {
  if (failing_allocation() < 0 || ++allocations != failing_allocation()) return false;
  errno = ENOMEM;
  return true;
}

bool faulty_transfers() {
  static const bool on = getenv("FAULTY_TRANSFERS") != nullptr;
  return on;
}

bool interrupted() {
  // A third of them, in no rhythm: one of three calls would always be the same one of a loop of
  // three.
  if (!faulty_transfers() || (++transfers * 2654435761U >> 16) % 3 != 0) return false;
  errno = EINTR;
  return true;
}

size_t part_of(size_t size) { return faulty_transfers() && size > 1 ? size / 2 : size; }

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

void* malloc(size_t size) { return allocation_fails() ? nullptr : __libc_malloc(size); }
void* calloc(size_t count, size_t size) {
  return allocation_fails() ? nullptr : __libc_calloc(count, size);
}
void* realloc(void* old, size_t size) {
  return allocation_fails() ? nullptr : __libc_realloc(old, size);
}

ssize_t write(int fd, const void* bytes, size_t size) {
  static const auto real = next<ssize_t (*)(int, const void*, size_t)>("write");
  return interrupted() ? -1 : real(fd, bytes, part_of(size));
}

ssize_t send(int fd, const void* bytes, size_t size, int flags) {
  static const auto real = next<ssize_t (*)(int, const void*, size_t, int)>("send");
  return interrupted() ? -1 : real(fd, bytes, part_of(size), flags);
}

ssize_t read(int fd, void* bytes, size_t size) {
  static const auto real = next<ssize_t (*)(int, void*, size_t)>("read");
  return interrupted() ? -1 : real(fd, bytes, part_of(size));
}

int poll(pollfd* fds, nfds_t count, int timeout) {
  static const auto real = next<int (*)(pollfd*, nfds_t, int)>("poll");
  return interrupted() ? -1 : real(fds, count, timeout);
}

int MPI_Finalize() {
  if (getenv("FAULTY_FINALIZE") != nullptr) abort();
  static const auto real = next<int (*)()>("MPI_Finalize");
  return real();
}

}  // extern "C"
