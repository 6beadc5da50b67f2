#include "harness/cli/screen.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <string>

#include "harness/fleet/launcher.hpp"

namespace rackproof::cli {

namespace {

// Where the system does not tell.
std::size_t likely_columns(const Program& program) {
  constexpr std::size_t kReadable = 100;
  // What a launcher passes on ends in a terminal mostly, and it does not say how wide that is.
  constexpr std::size_t kNarrowTerminal = 80;
  if (const auto columns = program.environment.find("COLUMNS");
      columns != program.environment.end()) {
    std::size_t told = 0;
    const std::string& text = columns->second;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), told);
    if (error == std::errc() && end == text.data() + text.size() && told > 0) return told;
  }
  return fleet::detect_launcher(program.environment).wants_mpi ? kNarrowTerminal : kReadable;
}

}  // namespace

std::size_t screen_columns(const Program& program, int descriptor, std::size_t widest) {
  constexpr std::size_t kNarrowest = 60;
  winsize size{};
  const bool known = is_terminal(program, descriptor) &&
                     ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return std::clamp(known ? size.ws_col : likely_columns(program), kNarrowest, widest);
}

std::function<std::size_t()> stderr_columns(const Program& program) {
  if (!is_terminal(program, STDERR_FILENO)) return {};
  return [&program] { return screen_columns(program, STDERR_FILENO); };
}

}  // namespace rackproof::cli
