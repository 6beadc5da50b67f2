#include "benches/prove/fault_modes.hpp"

#include <signal.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <functional>
#include <map>

#include "benches/protocol/emit.hpp"
#include "benches/protocol/version.hpp"
#include "contract/exit_code.hpp"

namespace rackproof::prove {
namespace {

using contract::ExitCode;

constexpr int kSamples = 40;
constexpr int kPieces = 5;
constexpr double kPace = 0.001;       // of one piece of work
constexpr double kSlowPause = 0.009;  // after each piece of who is slow
constexpr int kSteps = 1000;
constexpr const char* kCheck = "prove.sum";
constexpr const char* kOtherCheck = "prove.other";
constexpr double kNoTime = 1e-15;
constexpr std::size_t kLongSeries = 1000;
constexpr std::int64_t kManyNumbers = 4100;
constexpr double kDisturbed = 10;
constexpr std::int64_t kSmallMessage = 8;
constexpr std::int64_t kLargeMessage = 1024;

void write_out(std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = write(STDOUT_FILENO, text.data(), text.size());
    if (n <= 0) _exit(1);
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

void pause_for(double seconds) {
  timespec time{};
  time.tv_sec = static_cast<time_t>(seconds);
  time.tv_nsec = static_cast<long>((seconds - static_cast<double>(time.tv_sec)) * 1e9);
  while (nanosleep(&time, &time) != 0) {
  }
}

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// One process and what it says, good or not.
class Player {
 public:
  Player(const Part& part, std::string nonce) : part_(part), out_(write_out, std::move(nonce)) {}

  void hello() {
    protocol::Hello record;
    record.bench = "prove";
    record.backend = "host";
    record.version = protocol::version();
    record.commit = protocol::commit();
    record.arguments = part_.arguments;
    out_.emit(record);
  }

  // The work itself. A xorshift generator goes through all its states before it meets one again, so
  // running it backwards leads to where it began, if no step went wrong.
  void work(double pause) {
    const std::uint64_t begin = 88172645463325252ULL;
    std::uint64_t state = begin;
    for (int sample = 0; sample < kSamples; ++sample) {
      const double start = now();
      for (int piece = 0; piece < kPieces; ++piece) {
        const double due = now() + kPace;
        for (int i = 0; i < kSteps; ++i) state = forward(state);
        pause_for(std::max(0.0, due - now()) + pause);
      }
      samples_.push_back((now() - start) / kPieces);
    }
    done_ = std::int64_t{kSamples} * kPieces * kSteps;
    for (std::int64_t i = 0; i < done_; ++i) state = backward(state);
    right_ = state == begin;
  }

  void check(bool passed, std::int64_t compared, const char* name = kCheck) {
    protocol::Check record;
    record.name = name;
    record.passed = passed;
    record.detail = "the generator led back to where it began";
    record.compared = compared;
    record.wrong = passed ? 0 : 1;
    if (!passed) record.first_wrong = {{"step 17", "1", "0"}};
    out_.emit(record);
  }
  void check() { check(right_, done_); }

  protocol::Metric metric() const {
    protocol::Metric record;
    record.name = "prove.time";
    record.unit = "s";
    record.better = contract::Better::kLess;
    // The best of many short samples: of what a busy machine adds, it has the least.
    record.statistic = contract::Statistic::kBest;
    record.value = *std::min_element(samples_.begin(), samples_.end());
    record.samples = samples_;
    record.parameters["play"] = part_.play;
    record.check = kCheck;
    return record;
  }
  template <class Record>
  void say(const Record& record) {
    out_.emit(record);
  }

  int end(ExitCode code) {
    out_.emit(protocol::End{std::string(contract::word(code)), static_cast<int>(code), 0.1});
    return static_cast<int>(code);
  }

  int whole(double pause = 0) {
    hello();
    work(pause);
    check();
    say(metric());
    return end(right_ ? ExitCode::kDone : ExitCode::kWrongAnswer);
  }

 private:
  static std::uint64_t forward(std::uint64_t x) {
    x ^= x << 13U;
    x ^= x >> 7U;
    x ^= x << 17U;
    return x;
  }
  static std::uint64_t backward(std::uint64_t x) {
    x ^= (x << 17U) ^ (x << 34U) ^ (x << 51U);
    std::uint64_t y = x;
    for (unsigned shift = 7; shift < 64; shift += 7) y ^= x >> shift;
    x = y;
    for (unsigned shift = 13; shift < 64; shift += 13) y ^= x << shift;
    return y;
  }

  const Part& part_;
  protocol::Emitter out_;
  std::vector<double> samples_;
  std::int64_t done_ = 0;
  bool right_ = false;
};

[[noreturn]] void wait_for_ever() {
  for (;;) pause();
}

int crash(Player& player) {
  player.hello();
  player.work(0);
  player.check();
  const rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  ::signal(SIGSEGV, SIG_DFL);
  raise(SIGSEGV);
  wait_for_ever();
}

// The metric as the emitter would not write it.
int not_a_number(const Part& part, Player& player) {
  player.hello();
  player.work(0);
  player.check();
  std::string line;
  protocol::Emitter collector([&line](std::string_view text) { line = text; }, part.nonce);
  collector.emit(player.metric());
  const std::string field = "\"value\":";
  const std::size_t at = line.find(field) + field.size();
  line.replace(at, line.find_first_of(",}", at) - at, "NaN");
  write_out(line);
  return player.end(ExitCode::kDone);
}

int wrong_answer(Player& player, ExitCode code) {
  player.hello();
  player.work(0);
  player.check(false, 1000);
  player.say(player.metric());
  return player.end(code);
}

// Its number is proven by a check that is right; what failed is of something else.
int other_wrong_answer(Player& player) {
  player.hello();
  player.work(0);
  player.check();
  player.check(false, 1000, kOtherCheck);
  player.say(player.metric());
  return player.end(ExitCode::kWrongAnswer);
}

// The number, changed before it is said.
int changed(Player& player, const std::function<void(protocol::Metric&)>& change) {
  player.hello();
  player.work(0);
  player.check();
  protocol::Metric record = player.metric();
  change(record);
  player.say(record);
  return player.end(ExitCode::kDone);
}

// Faster than light crosses a transistor.
void too_good(protocol::Metric& record) {
  record.value = kNoTime;
  record.samples.assign(record.samples.size(), kNoTime);
}

void other_statistic(protocol::Metric& record) { record.value /= 2; }

void unsent_samples(protocol::Metric& record) {
  record.samples.clear();
  record.series = 1;
}

// As beside a program that comes and goes.
void scattered(protocol::Metric& record) {
  for (std::size_t i = 0; i < record.samples.size() / 2; ++i) record.samples[i] *= kDisturbed;
  record.value = *std::min_element(record.samples.begin(), record.samples.end());
}

// The time of a message, and a tenth of it for a larger one.
int slow_small_message(Player& player) {
  player.hello();
  player.work(0);
  player.check();
  protocol::Metric record = player.metric();
  record.parameters["bytes"] = kLargeMessage;
  player.say(record);
  for (double& sample : record.samples) sample *= kDisturbed;
  record.value *= kDisturbed;
  record.parameters["bytes"] = kSmallMessage;
  player.say(record);
  return player.end(ExitCode::kDone);
}

// All of it is legal, and little to say: each number says that its samples are those that were
// sent.
int endless_samples(Player& player) {
  player.hello();
  player.work(0);
  player.check();
  protocol::Metric record = player.metric();
  const std::vector<double> samples(kLongSeries, record.value);
  player.say(protocol::Sample{1, samples});
  record.samples.clear();
  record.series = 1;
  for (std::int64_t number = 0; number < kManyNumbers; ++number) {
    player.say(record);
    record.parameters["number"] = number;
  }
  return player.end(ExitCode::kDone);
}

// Every second one of the parts is slow.
int halves(const Part& part, Player& player) {
  return player.whole(instance_in(part.nonce) % 2 == 1 ? kSlowPause : 0);
}

pid_t parent_of(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text((std::istreambuf_iterator<char>(file)), {});
  // The name in brackets may hold anything; the state and the parent follow it.
  const std::size_t bracket = text.rfind(')');
  int parent = 0;
  char state = 0;
  if (bracket == std::string::npos ||
      std::sscanf(text.c_str() + bracket + 1, " %c %d", &state, &parent) != 2) {
    return 0;
  }
  return parent;
}

// Our parent is the warden of the rank, and its parent the rank.
int stop_rank(const Part& part, Player& player) {
  const pid_t rank = parent_of(getppid());
  if (part.nonce.empty() || rank <= 1) {
    std::fputs("prove-host: stop-rank: only a rank of rackproof can be stopped\n", stderr);
    return static_cast<int>(ExitCode::kUsage);
  }
  kill(rank, SIGSTOP);
  pause_for(part.seconds);
  kill(rank, SIGCONT);
  return player.whole();
}

using FaultMode = std::function<int(const Part&, Player&)>;

std::map<std::string, FaultMode> fault_modes() {
  std::map<std::string, FaultMode> all;
  all["work"] = [](const Part&, Player& p) { return p.whole(); };
  all["slow"] = [](const Part&, Player& p) { return p.whole(kSlowPause); };
  all["crash"] = [](const Part&, Player& p) { return crash(p); };
  all["hang"] = [](const Part&, Player& p) -> int {
    p.hello();
    wait_for_ever();
  };
  all["stale-nonce"] = [](const Part& part, Player&) {
    return Player(part, "an-earlier-run/1/control/0/1").whole();
  };
  all["second-answer"] = [](const Part&, Player& p) {
    p.hello();
    p.work(0);
    p.check();
    p.say(p.metric());
    p.say(p.metric());
    return p.end(ExitCode::kDone);
  };
  all["not-a-number"] = not_a_number;
  all["no-check"] = [](const Part&, Player& p) {
    p.hello();
    p.work(0);
    p.say(p.metric());
    return p.end(ExitCode::kDone);
  };
  all["no-work"] = [](const Part&, Player& p) {
    p.hello();
    p.work(0);
    p.check(true, 0);
    p.say(p.metric());
    return p.end(ExitCode::kDone);
  };
  all["wrong-answer"] = [](const Part&, Player& p) {
    return wrong_answer(p, ExitCode::kWrongAnswer);
  };
  all["hidden-wrong-answer"] = [](const Part&, Player& p) {
    return wrong_answer(p, ExitCode::kDone);
  };
  all["other-wrong-answer"] = [](const Part&, Player& p) { return other_wrong_answer(p); };
  all["too-good"] = [](const Part&, Player& p) { return changed(p, too_good); };
  all["other-statistic"] = [](const Part&, Player& p) { return changed(p, other_statistic); };
  all["unsent-samples"] = [](const Part&, Player& p) { return changed(p, unsent_samples); };
  all["endless-samples"] = [](const Part&, Player& p) { return endless_samples(p); };
  all["scattered"] = [](const Part&, Player& p) { return changed(p, scattered); };
  all["slow-small-message"] = [](const Part&, Player& p) { return slow_small_message(p); };
  all["halves"] = halves;
  all["stop-rank"] = stop_rank;
  return all;
}

}  // namespace

int instance_in(const std::string& nonce) {
  const std::size_t last = nonce.rfind('/');
  if (last == std::string::npos || last == 0) return -1;
  const std::size_t before = nonce.rfind('/', last - 1);
  if (before == std::string::npos) return -1;
  const std::string text = nonce.substr(before + 1, last - before - 1);
  const bool number =
      !text.empty() && text.size() < 8 &&
      std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  return number ? std::stoi(text) : -1;
}

std::vector<std::string> play_names() {
  std::vector<std::string> names;
  for (const auto& [name, play] : fault_modes()) names.push_back(name);
  return names;
}

int perform(const Part& part) {
  const auto all = fault_modes();
  const auto found = all.find(part.play);
  if (found == all.end()) {
    std::string names;
    for (const std::string& name : play_names()) names += (names.empty() ? "" : ", ") + name;
    std::fprintf(stderr, "prove-host: --play %s: expected one of %s\n", part.play.c_str(),
                 names.c_str());
    return static_cast<int>(ExitCode::kUsage);
  }
  Player player(part, part.nonce);
  const bool mine = part.who < 0 || part.who == instance_in(part.nonce);
  return mine ? found->second(part, player) : player.whole();
}

}  // namespace rackproof::prove
