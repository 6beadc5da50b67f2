// A bench of a group of processes that talk to nobody: to prove that the harness brings groups
// together and takes them apart. --mode NAME says what goes wrong, --who N in which member, --which
// NAME with which device (see kModes in main). With --meet FOLDER members tell each other their
// devices by files there: a group with that of slow-device reaches 70 % of what it says. --metric
// NAME says it by another name than ring.rate, and a thousand million times as much.
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "benches/protocol/emit.hpp"
#include "benches/protocol/token_line.hpp"
#include "benches/protocol/version.hpp"

namespace {

using namespace rackproof::protocol;

struct Ring {
  std::string mode = "ok";
  std::string device;
  int ranks = 0;
  int rank = 0;
  int who = 1;
  std::string nonce;
  std::string group = kGroupByHand;

  std::string which;
  std::string meet;
  std::string metric = "ring.rate";
  std::string token;

  bool is(const char* wanted) const { return mode == wanted && rank == who; }
  bool is_wrong() const {
    return is("wrong-answer") || (mode == "wrong-device" && device == which);
  }
};

void write_out(std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = write(1, text.data(), text.size());
    if (n <= 0) _exit(1);
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

[[noreturn]] void die() {
  const rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  raise(SIGSEGV);
  _exit(1);
}

[[noreturn]] void sleep_for_ever() {
  for (;;) pause();
}

std::string read_stdin() {
  std::string bytes;
  char part[4096];
  for (ssize_t n = 0; (n = read(0, part, sizeof part)) > 0;) {
    bytes.append(part, static_cast<std::size_t>(n));
  }
  return bytes;
}

int end(const Emitter& out, int code) {
  Emitter(out).emit(End{code == 0 ? "done" : "other", code, 0.1});
  return code;
}

// Says or reads the token; the exit code when that was all.
int bring_up(Ring& ring, Emitter& out) {
  if (ring.rank == 0) {
    if (ring.mode == "dies-before-token") {
      usleep(200'000);
      die();
    }
    if (ring.mode == "no-token") sleep_for_ever();
    if (ring.mode == "ends-without-token") return end(out, 0);
    const std::string value =
        ring.mode == "bad-token" ? "two words" : ring.nonce + "#" + std::to_string(getpid());
    out.emit(Token{"ring", value});
    out.emit(Note{"token " + value, {}});
    ring.token = value;
    return -1;
  }
  const auto read = read_token_line(read_stdin(), ring.group, ring.ranks);
  if (const auto* problem = std::get_if<std::string>(&read)) {
    std::fprintf(stderr, "ring-host: %s\n", problem->c_str());
    return end(out, 2);
  }
  ring.token = std::get<Token>(read).value;
  out.emit(Note{"token " + ring.token, {}});
  return -1;
}

// Leaves a file that says whether this member has the slow device, and waits for those of all.
bool one_is_slow(const Ring& ring) {
  namespace fs = std::filesystem;
  std::string name = ring.token;
  std::replace(name.begin(), name.end(), '/', '_');
  const fs::path folder = fs::path(ring.meet) / name;
  fs::create_directories(folder);
  const bool own = ring.mode == "slow-device" && ring.device == ring.which;
  std::ofstream(folder / std::to_string(ring.rank)) << (own ? "slow" : "well");
  bool slow = false;
  for (int member = 0; member < ring.ranks; ++member) {
    std::string word;
    while (word.size() < 4) {
      usleep(1000);
      std::ifstream(folder / std::to_string(member)) >> word;
    }
    slow = slow || word == "slow";
  }
  return slow;
}

int measure(const Ring& ring, Emitter& out) {
  if (ring.is("dies-later")) die();
  if (ring.mode == "dies-later") sleep_for_ever();
  const bool wrong = ring.is_wrong();
  out.emit(Check{"ring.verify", !wrong, "all parts", 1000, wrong ? 3 : 0, std::nullopt});
  if (wrong) return end(out, 4);
  if (ring.rank == 0) {
    Metric metric;
    metric.name = ring.metric;
    metric.unit = "B/s";
    const bool slow = !ring.meet.empty() && one_is_slow(ring);
    metric.value = (slow ? 70 : 100) * (ring.metric == "ring.rate" ? 1 : 1e9);
    metric.samples.assign(6, metric.value);
    if (ring.metric == "ring.rate") metric.parameters["ranks"] = std::int64_t{ring.ranks};
    metric.subject.kind = rackproof::contract::SubjectKind::kGroup;
    metric.check = "ring.verify";
    out.emit(metric);
  }
  if (ring.rank != 0 && !ring.meet.empty()) one_is_slow(ring);
  return end(out, 0);
}

Ring read_line(int argc, char** argv) {
  Ring ring;
  for (int i = 1; i + 1 < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--mode") ring.mode = argv[i + 1];
    if (argument == "--device") ring.device = argv[i + 1];
    if (argument == "--ranks") ring.ranks = std::atoi(argv[i + 1]);
    if (argument == "--rank") ring.rank = std::atoi(argv[i + 1]);
    if (argument == "--which") ring.which = argv[i + 1];
    if (argument == "--metric") ring.metric = argv[i + 1];
    if (argument == "--meet") ring.meet = argv[i + 1];
    if (argument == "--who") ring.who = std::atoi(argv[i + 1]);
  }
  const char* const nonce = std::getenv(kNonceVariable);
  if (nonce != nullptr) ring.nonce = nonce;
  const char* const group = std::getenv(kGroupVariable);
  if (group != nullptr) ring.group = group;
  return ring;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string(argv[1]) == "--describe") {
    write_out(
        "{\"name\":\"ring\",\"backend\":\"host\",\"summary\":\"a group that measures nothing\"}\n");
    return 0;
  }
  Ring ring = read_line(argc, argv);
  static const std::set<std::string> kModes = {"ok",           "dies-before-token",  "no-token",
                                               "bad-token",    "ends-without-token", "dies-later",
                                               "wrong-answer", "wrong-device",       "slow-device"};
  if (!kModes.contains(ring.mode) || ring.ranks < 2) {
    std::fprintf(stderr, "ring-host: no mode %s, or no --ranks\n", ring.mode.c_str());
    return 2;
  }
  Emitter out(write_out, ring.nonce);
  Hello hello;
  hello.bench = "ring";
  hello.backend = "host";
  hello.version = version();
  hello.commit = commit();
  out.emit(hello);
  if (!ring.device.empty()) out.emit(Device{ring.device, "a device", {}});
  const int over = bring_up(ring, out);
  return over >= 0 ? over : measure(ring, out);
}
