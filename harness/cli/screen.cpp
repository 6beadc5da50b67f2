#include "harness/cli/screen.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

namespace rackproof::cli {

std::size_t screen_columns(const Program& program, int descriptor, std::size_t widest) {
  constexpr std::size_t kNarrowest = 60;
  constexpr std::size_t kReadable = 100;
  winsize size{};
  const bool known = is_terminal(program, descriptor) &&
                     ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return std::clamp(known ? size.ws_col : kReadable, kNarrowest, widest);
}

std::function<std::size_t()> stderr_columns(const Program& program) {
  if (!is_terminal(program, STDERR_FILENO)) return {};
  return [&program] { return screen_columns(program, STDERR_FILENO); };
}

}  // namespace rackproof::cli
