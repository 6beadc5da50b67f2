#include "harness/cli/program.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>

using namespace rackproof::cli;

namespace {

Program program_with(const std::map<std::string, std::string>& environment,
                     const std::string& color = "auto") {
  Program program;
  program.environment = environment;
  program.color = color;
  return program;
}

// A descriptor that is a terminal.
class Terminal {
 public:
  Terminal() : fd_(posix_openpt(O_RDWR | O_NOCTTY)) { REQUIRE(isatty(fd_) == 1); }
  ~Terminal() { close(fd_); }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  int fd() const { return fd_; }

 private:
  int fd_;
};

// A descriptor that is none.
class Pipe {
 public:
  Pipe() { REQUIRE(pipe(ends_) == 0); }
  ~Pipe() {
    close(ends_[0]);
    close(ends_[1]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  int fd() const { return ends_[1]; }

 private:
  int ends_[2] = {-1, -1};
};

}  // namespace

TEST_CASE("colour by itself: on a terminal, unless NO_COLOR says otherwise") {
  const Terminal terminal;
  const Pipe pipe;
  CHECK(use_color(program_with({}), terminal.fd()));
  CHECK_FALSE(use_color(program_with({}), pipe.fd()));
  CHECK_FALSE(use_color(program_with({{"NO_COLOR", "1"}}), terminal.fd()));
  CHECK(use_color(program_with({{"NO_COLOR", ""}}), terminal.fd()));
}

TEST_CASE("colour by command line: whatever the terminal and the environment say") {
  const Terminal terminal;
  const Pipe pipe;
  CHECK(use_color(program_with({{"NO_COLOR", "1"}}, "always"), pipe.fd()));
  CHECK_FALSE(use_color(program_with({}, "never"), terminal.fd()));
  CHECK(use_color(program_with({{"OMPI_COMM_WORLD_SIZE", "2"}}, "always"), pipe.fd()));
}

TEST_CASE("under a launcher a terminal is none") {
  const Terminal terminal;
  for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"}) {
    const Program program = program_with({{variable, "2"}});
    CHECK_FALSE(is_terminal(program, terminal.fd()));
    CHECK_FALSE(use_color(program, terminal.fd()));
  }
}

TEST_CASE("the program's other files lie beside it") {
  const rackproof::config::Paths paths = find_paths();
  const std::filesystem::path prefix =
      std::filesystem::path(paths.self).parent_path().parent_path();
  CHECK(std::filesystem::exists(paths.self));
  CHECK(paths.programs == (prefix / "libexec/rackproof").string());
  CHECK(paths.suites == (prefix / "share/rackproof/configs/suites").string());
  CHECK(paths.platforms == (prefix / "share/rackproof/configs/platforms").string());
  CHECK(paths.schemas == (prefix / "share/rackproof/schema").string());
}
