#include "harness/inventory/library_look.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <string_view>

namespace rackproof::inventory {
namespace {

// What the other process writes: one of these, and a text.
constexpr char kValue = 'v';      // the file and the symbol, a newline, the value
constexpr char kNoSymbol = 's';   // the file
constexpr char kFailed = 'f';     // the file
constexpr char kNoLibrary = 'n';  // nothing

std::string look_here(const LibraryLook& look) {
  std::string loaded;
  for (const char* file : look.files) {
    void* const handle = ::dlopen(file, RTLD_LAZY | RTLD_LOCAL);
    if (handle == nullptr) continue;
    if (loaded.empty()) loaded = file;
    for (const char* symbol : look.symbols) {
      void* const address = ::dlsym(handle, symbol);
      if (address == nullptr) continue;
      const std::string said = look.ask(address, symbol);
      if (said.empty()) return kFailed + std::string(file);
      return kValue + std::string(file) + ": " + symbol + "\n" + said;
    }
  }
  return loaded.empty() ? std::string(1, kNoLibrary) : kNoSymbol + loaded;
}

[[noreturn]] void be_the_looker(const LibraryLook& look, int out) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // What a library prints while it is loaded is not for us.
  const int null = open("/dev/null", O_RDWR);
  for (int fd = 0; fd <= 2 && null >= 0; ++fd) dup2(null, fd);
  const std::string said = look_here(look);
  for (std::string_view text = said; !text.empty();) {
    const ssize_t n = ::write(out, text.data(), text.size());
    if (n <= 0 && errno != EINTR) break;
    text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
  }
  // Its ways out are the library's: they may hang, too.
  _exit(0);
}

// What comes until the other end is closed; false when that takes too long.
bool read_within(int fd, double seconds, std::string& text) {
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + std::chrono::duration<double>(seconds);
  std::array<char, 4096> bytes{};
  for (;;) {
    const std::chrono::duration<double, std::milli> left = until - Clock::now();
    if (left.count() <= 0) return false;
    pollfd wait{fd, POLLIN, 0};
    if (::poll(&wait, 1, static_cast<int>(std::min(left.count() + 1, 60'000.0))) < 0) {
      if (errno != EINTR) return false;
      continue;
    }
    if (wait.revents == 0) continue;
    const ssize_t n = ::read(fd, bytes.data(), bytes.size());
    if (n > 0) text.append(bytes.data(), static_cast<std::size_t>(n));
    if (n == 0) return true;
    if (n < 0 && errno != EINTR) return false;
  }
}

}  // namespace

void put_library(const LibraryLook& look, FactSheet& sheet, double seconds) {
  const std::string files = look.files.front();
  int ends[2] = {-1, -1};
  const pid_t pid = pipe2(ends, O_CLOEXEC) == 0 ? fork() : -1;
  if (pid == 0) be_the_looker(look, ends[1]);
  close(ends[1]);
  std::string said;
  const bool answered = pid > 0 && read_within(ends[0], seconds, said);
  close(ends[0]);
  if (pid < 0) return sheet.missing(look.name, files, "no process could be made to load it");
  if (!answered) kill(pid, SIGKILL);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (!answered) {
    sheet.missing(look.name, files,
                  "loading it took longer than " + std::to_string(static_cast<int>(seconds)) +
                      " s: it hangs");
  } else if (said.empty()) {
    sheet.missing(look.name, files,
                  WIFSIGNALED(status)
                      ? std::string("loading it crashed: ") + strsignal(WTERMSIG(status))
                      : "the process that loaded it ended without a word");
  } else if (said.front() == kNoLibrary) {
    sheet.missing(look.name, "dlopen", "no such library is installed");
  } else if (said.front() == kNoSymbol) {
    sheet.missing(look.name, said.substr(1),
                  std::string("it has no function ") + look.symbols.front());
  } else if (said.front() == kFailed) {
    sheet.missing(look.name, said.substr(1), "the call failed");
  } else {
    const std::size_t line = said.find('\n');
    sheet.put(look.name, said.substr(line + 1), said.substr(1, line - 1));
  }
}

}  // namespace rackproof::inventory
