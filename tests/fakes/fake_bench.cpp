// A bench that misbehaves on request, to prove that the harness tells each misbehaviour apart. It
// takes --mode NAME (see kModes) and ignores what else it is given; every mode but those that break
// the protocol prints a whole transcript for the metric fake.rate with the parameter mode.
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "benches/protocol/emit.hpp"
#include "benches/protocol/version.hpp"

namespace {

using rackproof::protocol::Check;
using rackproof::protocol::Emitter;
using rackproof::protocol::End;
using rackproof::protocol::Hello;
using rackproof::protocol::Metric;

void write_out(std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = write(1, text.data(), text.size());
    if (n <= 0) _exit(1);
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

struct Fake {
  std::string mode = "ok";
  double value = 100;
  double seconds = 0;
  std::string nonce;
  std::string device;  ///< of --device: the number is about it
  std::string until;   ///< of --until: a file that slow and wrong-answer wait for
  std::string odd;     ///< the device whose answer has other bits than that of the others

  Emitter emitter() const { return {write_out, nonce}; }

  void await_file() const {
    while (!until.empty() && access(until.c_str(), F_OK) != 0) usleep(10000);
  }
  void hello() const {
    Hello record;
    record.bench = "fake";
    record.backend = "host";
    record.version = rackproof::protocol::version();
    record.commit = rackproof::protocol::commit();
    record.arguments = {"--mode", mode};
    if (mode == "injected") record.fault_injected = "bitflip:1:1";
    emitter().emit(record);
  }

  void check(bool passed, std::int64_t compared = 1000, const char* name = "fake.verify") const {
    Check record;
    record.name = name;
    record.passed = passed;
    record.detail = "every element against its recurrence";
    record.compared = compared;
    record.wrong = passed ? 0 : 1;
    if (mode == "digest") record.digest = device == odd ? "00ab" : "00aa";
    if (!passed) record.first_wrong = {{"element 17", "3.5", "3.25"}};
    emitter().emit(record);
  }

  void prove() const {
    hello();
    check(true);
  }

  Metric metric() const {
    Metric record;
    record.name = "fake.rate";
    record.unit = "B/s";
    record.value = value;
    record.samples = {value * 0.99, value, value * 1.01, value, value, value};
    record.parameters["mode"] = mode;
    record.check = "fake.verify";
    if (!device.empty()) record.subject = {rackproof::contract::SubjectKind::kDevice, device, ""};
    return record;
  }

  int end(int code = 0) const {
    emitter().emit(End{code == 0 ? "done" : "other", code, seconds});
    return code;
  }

  int answer(int code = 0) const {
    emitter().emit(metric());
    return end(code);
  }

  int whole() const {
    prove();
    return answer();
  }
};

[[noreturn]] void sleep_for_ever() {
  for (;;) pause();
}

int die_by(const Fake& fake, int signal) {
  fake.hello();
  fake.check(true);
  const rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  ::signal(signal, SIG_DFL);
  raise(signal);
  sleep_for_ever();
}

int flood(int descriptor) {
  const std::string junk(1 << 16, 'x');
  for (int i = 0; i < 2048; ++i) {
    if (write(descriptor, junk.data(), junk.size()) < 0) break;
    if (i % 8 == 0 && write(descriptor, "\n", 1) < 0) break;
  }
  return 0;
}

// Leaves a process behind that keeps our stdout open.
int leave_behind(const Fake& fake, bool own_session) {
  const int code = fake.whole();
  if (fork() == 0) {
    if (own_session) setsid();
    if (fork() == 0) sleep(600);
    _exit(0);
  }
  return code;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at != std::string::npos) text.replace(at, from.size(), to);
  return text;
}

// The metric's line with something in it replaced, where the emitter would refuse to lie.
int lie(const Fake& fake, const std::string& from, const std::string& to) {
  std::string line;
  Emitter collector([&](std::string_view text) { line = text; }, fake.nonce);
  collector.emit(fake.metric());
  fake.hello();
  fake.check(true);
  write_out(replaced(line, from, to));
  return fake.end();
}

int with_value(Fake fake, double value) {
  fake.value = value;
  return fake.whole();
}

using Modes = std::map<std::string, std::function<int(const Fake&)>>;

// How a process can end, or fail to.
void add_endings(Modes& out) {
  out["ok"] = [](const Fake& f) { return f.whole(); };
  out["injected"] = out["ok"];
  out["digest"] = out["ok"];
  // Tells on stderr when it began, on the clock that all processes share: for the overhead of a
  // start.
  out["stamp"] = [](const Fake& f) {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    std::fprintf(stderr, "%lld.%09ld\n", static_cast<long long>(now.tv_sec), now.tv_nsec);
    return f.whole();
  };
  out["slow"] = [](const Fake& f) {
    f.hello();
    usleep(static_cast<useconds_t>(f.seconds * 1e6));
    f.await_file();
    f.check(true);
    return f.answer();
  };
  out["hang"] = [](const Fake& f) -> int {
    f.hello();
    sleep_for_ever();
  };
  out["spin"] = [](const Fake& f) -> int {
    f.hello();
    volatile bool for_ever = true;
    while (for_ever) {
    }
    return 1;
  };
  out["stop"] = [](const Fake& f) -> int {
    f.hello();
    raise(SIGSTOP);
    sleep_for_ever();
  };
  out["ignore-term"] = [](const Fake& f) -> int {
    signal(SIGTERM, SIG_IGN);
    f.hello();
    sleep_for_ever();
  };
  const std::map<std::string, int> signals = {{"segv", SIGSEGV}, {"abrt", SIGABRT},
                                              {"bus", SIGBUS},   {"fpe", SIGFPE},
                                              {"ill", SIGILL},   {"kill", SIGKILL}};
  for (const auto& [name, number] : signals) {
    out[name] = [number = number](const Fake& f) { return die_by(f, number); };
  }
}

// What a process can print instead of records, or in them.
void add_outputs(Modes& out) {
  out["flood-stdout"] = [](const Fake& f) {
    f.hello();
    return flood(1);
  };
  out["flood-stderr"] = [](const Fake& f) {
    flood(2);
    return f.whole();
  };
  out["half-line"] = [](const Fake& f) {
    f.prove();
    write_out("{\"kind\":\"metric\",\"name\":\"fake.ra");
    return 0;
  };
  out["invalid-utf8"] = [](const Fake& f) { return lie(f, "fake.rate", "fake.\xff\xfe"); };
  out["nan"] = [](const Fake& f) { return lie(f, "\"value\":100", "\"value\":NaN"); };
  out["null"] = [](const Fake& f) { return lie(f, "\"value\":100", "\"value\":null"); };
  out["zero"] = [](const Fake& f) { return with_value(f, 0); };
  out["negative"] = [](const Fake& f) { return with_value(f, -100); };
  out["too-good"] = [](const Fake& f) { return with_value(f, 1e20); };
  out["other-statistic"] = [](const Fake& f) { return lie(f, "\"value\":100", "\"value\":300"); };
  out["lie-unit"] = [](const Fake& f) { return lie(f, "B/s", "GB/s"); };
  out["other-unit"] = [](const Fake& f) { return lie(f, "\"B/s\"", "\"W\""); };
}

// Transcripts that are not what the protocol asks for.
void add_transcripts(Modes& out) {
  out["stale-nonce"] = [](const Fake& f) {
    Fake stale = f;
    stale.nonce = "an-earlier-run/1/x/0/1";
    return stale.whole();
  };
  out["no-hello"] = [](const Fake& f) {
    f.check(true);
    return f.answer();
  };
  out["no-end"] = [](const Fake& f) {
    f.prove();
    f.emitter().emit(f.metric());
    return 0;
  };
  out["after-end"] = [](const Fake& f) {
    f.whole();
    f.emitter().emit(rackproof::protocol::Note{"one more thing", {}});
    return 0;
  };
  out["twice"] = [](const Fake& f) {
    f.prove();
    f.emitter().emit(f.metric());
    return f.answer();
  };
  out["silent"] = [](const Fake&) { return 0; };
  out["no-metric"] = [](const Fake& f) {
    f.prove();
    return f.end();
  };
  out["no-check"] = [](const Fake& f) {
    f.hello();
    return f.answer();
  };
  out["no-work"] = [](const Fake& f) {
    f.hello();
    f.check(true, 0);
    return f.answer();
  };
  out["wrong-answer"] = [](const Fake& f) {
    f.hello();
    f.await_file();
    f.check(false);
    return f.end(4);
  };
  out["wrong-answer-exit-0"] = [](const Fake& f) {
    f.hello();
    f.check(false);
    return f.answer();
  };
  out["exit-lie"] = [](const Fake& f) { return f.whole() + 5; };
}

// Exit codes, and what is left behind.
void add_remains(Modes& out) {
  for (const int code : {1, 2, 3, 5, 6}) {
    out["exit-" + std::to_string(code)] = [code](const Fake& f) {
      f.hello();
      return f.end(code);
    };
  }
  out["other-wrong-answer"] = [](const Fake& f) {
    f.prove();
    f.check(false, 1000, "fake.other");
    return f.answer(4);
  };
  out["leak"] = [](const Fake& f) { return leave_behind(f, false); };
  out["daemon"] = [](const Fake& f) { return leave_behind(f, true); };
  out["close-stdout"] = [](const Fake& f) -> int {
    f.hello();
    close(1);
    close(2);
    sleep_for_ever();
  };
  out["huge-line"] = [](const Fake& f) {
    f.hello();
    write_out("{\"kind\":\"note\",\"text\":\"" + std::string(2'000'000, 'y') + "\"}\n");
    return f.end();
  };
  out["deep"] = [](const Fake& f) {
    f.hello();
    write_out(std::string(30'000, '[') + "\n");
    return f.end();
  };
}

// Appends a line to the file that the environment names, and waits until it is on disk.
void witness(const std::string& line) {
  const char* path = std::getenv("FAKE_WITNESS");
  if (path == nullptr) return;
  const int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0644);
  if (fd < 0 || write(fd, line.data(), line.size()) < 0 || fdatasync(fd) != 0) _exit(1);
  close(fd);
}

// What a process can take away from others, and what it can leave in writing for them.
void add_hunger(Modes& out) {
  // Not a bomb that nobody could put out: one parent, and a bound.
  out["many-children"] = [](const Fake& f) -> int {
    f.hello();
    for (int i = 0; i < 400 && fork() > 0; ++i) {
    }
    sleep_for_ever();
  };
  out["much-memory"] = [](const Fake& f) {
    f.hello();
    for (int i = 0; i < 64; ++i) {
      const std::size_t size = std::size_t{16} << 20;
      std::memset(std::malloc(size), 1, size);
    }
    return f.whole();
  };
  out["witness"] = [](const Fake& f) {
    witness("began " + f.nonce + "\n");
    f.hello();
    usleep(static_cast<useconds_t>(f.seconds * 1e6));
    f.check(true);
    const int code = f.answer();
    witness("ended " + f.nonce + "\n");
    return code;
  };
}

Modes modes() {
  Modes out;
  for (const auto add : {add_hunger, add_endings, add_outputs, add_transcripts, add_remains})
    add(out);
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  Fake fake;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--describe") {
      write_out("{\"name\":\"fake\",\"backend\":\"host\",\"summary\":\"misbehaves on request\"}\n");
      return 0;
    }
    if (i + 1 >= argc) continue;
    if (argument == "--mode") fake.mode = argv[i + 1];
    if (argument == "--device") fake.device = argv[i + 1];
    if (argument == "--until") fake.until = argv[i + 1];
    if (argument == "--odd") fake.odd = argv[i + 1];
    if (argument == "--value") fake.value = std::atof(argv[i + 1]);
    if (argument == "--seconds") fake.seconds = std::atof(argv[i + 1]);
  }
  const char* nonce = std::getenv(rackproof::protocol::kNonceVariable);
  if (nonce != nullptr) fake.nonce = nonce;
  const auto known = modes();
  const auto mode = known.find(fake.mode);
  if (mode == known.end()) {
    std::fprintf(stderr, "fake-host: no mode %s\n", fake.mode.c_str());
    return 2;
  }
  return mode->second(fake);
}
