// One program that plays any bench of ours: it is started by the name of the one it plays
// (stream-cuda, collectives-nccl), reads the arguments that a suite gives to that one, and prints
// what it would print of them, with the numbers of a script.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "benches/protocol/token_line.hpp"
#include "benches/protocol/version.hpp"
#include "tests/fakes/bench_plays.hpp"

namespace {

using namespace rackproof::fakes;
namespace protocol = rackproof::protocol;

void write_out(std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = write(1, text.data(), text.size());
    if (n <= 0) _exit(1);
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

int end(protocol::Emitter& out, int code) {
  const char* const reasons[] = {"done",         "unexpected",   "usage",  "unavailable",
                                 "wrong-answer", "device-error", "gave-up"};
  out.emit(protocol::End{code >= 0 && code <= 6 ? reasons[code] : "unexpected", code, 0.1});
  return code;
}

std::string read_stdin() {
  std::string bytes;
  char part[4096];
  for (ssize_t n = 0; (n = read(0, part, sizeof part)) > 0;) {
    bytes.append(part, static_cast<std::size_t>(n));
  }
  return bytes;
}

// The first member makes the token of its group, the others read it. Gives what is wrong.
std::string join(const BenchLine& line, const std::string& nonce, protocol::Emitter& out) {
  const auto ranks = static_cast<int>(line.number("ranks", 0));
  if (ranks == 0) return "";
  if (line.number("rank", 0) == 0) {
    out.emit(protocol::Token{"nccl-id", nonce + "#scripted"});
    return "";
  }
  const auto read =
      protocol::read_token_line(read_stdin(), variable(protocol::kGroupVariable), ranks);
  const auto* problem = std::get_if<std::string>(&read);
  return problem == nullptr ? "" : *problem;
}

int play(const BenchLine& line) {
  const std::string nonce = variable(protocol::kNonceVariable);
  protocol::Emitter out(write_out, nonce);
  Stagehand hand(line, out);
  protocol::Hello hello;
  hello.bench = line.bench;
  hello.backend = line.backend;
  hello.version = protocol::version();
  hello.commit = protocol::commit();
  hello.arguments = line.arguments;
  out.emit(hello);
  const BenchPlace here = hand.here();
  usleep(static_cast<useconds_t>(hand.script().delay_seconds(here) * 1e6));
  if (const auto code = hand.script().exit_code(here)) return end(out, *code);
  if (const std::string why = hand.unavailable(); !why.empty()) {
    std::fprintf(stderr, "%s: %s\n", line.program.c_str(), why.c_str());
    return end(out, 3);
  }
  if (const std::string why = join(line, nonce, out); !why.empty()) {
    std::fprintf(stderr, "%s: %s\n", line.program.c_str(), why.c_str());
    return end(out, 2);
  }
  play_bench(line, hand);
  if (line.backend == "nccl") hand.script().move_ports();
  return end(out, hand.wrong() ? 4 : 0);
}

}  // namespace

int main(int argc, char** argv) {
  const BenchLine line(argc, argv);
  if (argc > 1 && line.arguments[0] == "--describe") {
    write_out("{\"name\":\"" + line.bench + "\",\"backend\":\"" + line.backend +
              "\",\"summary\":\"plays a script\"}\n");
    return 0;
  }
  try {
    return play(line);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", line.program.c_str(), error.what());
    return 2;
  }
}
