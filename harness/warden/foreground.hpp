#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace rackproof::warden {

/// A program that runs in our place and speaks with our stdout and stderr, as a launcher does.
/// Looked up in PATH; stdin is /dev/null; a process group of its own, so that a key press at the
/// terminal does not reach it beside what send() forwards. It gets TERM when we die.
class Foreground {
 public:
  /// Throws std::runtime_error when it cannot be started.
  explicit Foreground(const std::vector<std::string>& arguments);
  /// Kills what still runs.
  ~Foreground();
  Foreground(const Foreground&) = delete;
  Foreground& operator=(const Foreground&) = delete;

  /// Waits up to `seconds`; gives the exit code as a shell does (128 + signal) once it has ended.
  std::optional<int> wait(double seconds);
  void send(int signal) const;

 private:
  pid_t pid_ = -1;
  std::optional<int> code_;
};

}  // namespace rackproof::warden
