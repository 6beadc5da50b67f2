#include "benches/kit/bench.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <stdexcept>

#include "tests/unit/kit/lines.hpp"

using namespace rackproof;
using namespace rackproof::kit;
using contract::ExitCode;

namespace {

Bench bench_that(std::function<void(Session&)> run) {
  Bench bench;
  bench.name = "probe";
  bench.backend = "host";
  bench.summary = "measures nothing";
  bench.example = "probe-host --count 3";
  bench.libraries = [] { return std::map<std::string, std::string>{{"libprobe", "1.2"}}; };
  bench.run = std::move(run);
  return bench;
}

void measure(Session& session) {
  session.check({"probe.ok", true, "all equal", 4, 0, {}});
  protocol::Metric metric;
  metric.name = "probe.rate";
  metric.unit = "B/s";
  metric.value = 2e9;
  metric.samples = {1e9, 2e9};
  metric.check = "probe.ok";
  session.metric(metric);
}

struct Said {
  ExitCode code;
  std::string text;
};

Said say(const Bench& bench, const std::vector<std::string>& arguments = {}) {
  std::string text;
  const ExitCode code = run_bench(
      arguments, bench, [&](std::string_view line) { text += line; }, "n-1");
  return {code, text};
}

struct Spawned {
  int code = -1;
  std::string out;
  std::string err;
};

std::string drain(int descriptor) {
  std::string text;
  char buffer[4096];
  for (ssize_t n = 0; (n = read(descriptor, buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(n));
  }
  close(descriptor);
  return text;
}

// bench_main in a process of its own; `close_reader` takes the reading end of its stdout away
// first.
Spawned spawn(const Bench& bench, std::vector<std::string> words, const char* nonce = nullptr,
              bool close_reader = false) {
  int out[2];
  int err[2];
  REQUIRE(pipe(out) == 0);
  REQUIRE(pipe(err) == 0);
  std::fflush(nullptr);
  // The reader is gone before there is anybody who writes.
  if (close_reader) close(out[0]);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    if (!close_reader) close(out[0]);
    close(err[0]);
    dup2(out[1], 1);
    dup2(err[1], 2);
    close(out[1]);
    close(err[1]);
    if (nonce != nullptr) setenv(protocol::kNonceVariable, nonce, 1);
    words.insert(words.begin(), "probe-host");
    std::vector<char*> argv;
    for (auto& word : words) argv.push_back(word.data());
    const int code = bench_main(static_cast<int>(argv.size()), argv.data(), bench);
    std::fflush(nullptr);
    _exit(code);
  }
  close(out[1]);
  close(err[1]);
  Spawned result;
  if (!close_reader) result.out = drain(out[0]);
  result.err = drain(err[0]);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  if (WIFEXITED(status)) result.code = WEXITSTATUS(status);
  return result;
}

}  // namespace

TEST_CASE("a transcript starts with hello and ends with end") {
  const Said said = say(bench_that(measure), {});
  CHECK(said.code == ExitCode::kDone);
  const auto lines = lines_of(said.text);
  REQUIRE(lines.size() == 4);
  CHECK(has(lines[0], R"({"kind":"hello","nonce":"n-1","protocol":1,"bench":"probe")"));
  CHECK(has(lines[0], R"("libprobe":"1.2")"));
  CHECK_FALSE(has(lines[0], "fault_injected"));
  CHECK(has(lines[1], R"("kind":"check")"));
  CHECK(has(lines[2], R"("kind":"metric")"));
  CHECK(has(lines[3], R"("kind":"end","nonce":"n-1","reason":"done","exit_code":0)"));
}

TEST_CASE("what ends a bench has a code, a word and a note") {
  struct Case {
    std::function<void(Session&)> run;
    ExitCode code;
    std::string word;
  };
  const std::vector<Case> cases = {
      {[](Session&) { throw UsageError("why"); }, ExitCode::kUsage, "usage"},
      {[](Session&) { throw Unavailable("why"); }, ExitCode::kUnavailable, "unavailable"},
      {[](Session&) { throw DeviceError("why"); }, ExitCode::kDeviceError, "device-error"},
      {[](Session&) { throw GaveUp("why"); }, ExitCode::kGaveUp, "gave-up"},
      {[](Session&) { throw std::runtime_error("why"); }, ExitCode::kUnexpected, "unexpected"},
      {[](Session&) { throw 7; }, ExitCode::kUnexpected, "unexpected"},
  };
  for (const Case& c : cases) {
    const Said said = say(bench_that(c.run));
    CHECK(said.code == c.code);
    const auto lines = lines_of(said.text);
    REQUIRE(lines.size() == 3);
    CHECK(has(lines[1], R"("kind":"note")"));
    CHECK(has(lines[1], R"({"error":")" + c.word + R"("})"));
    CHECK(has(lines[2], R"("reason":")" + c.word + R"(")"));
  }
}

TEST_CASE("a failed check ends the bench as a wrong answer") {
  const Said said = say(bench_that([](Session& session) {
    session.check({"sum", false, "not equal", 4, 1, protocol::FirstWrong{"c[2]", "5", "6"}});
  }));
  CHECK(said.code == ExitCode::kWrongAnswer);
  CHECK(has(said.text, R"("reason":"wrong-answer","exit_code":4)"));
}

TEST_CASE("libraries that cannot be asked end the bench after hello") {
  Bench bench = bench_that(measure);
  bench.libraries = []() -> std::map<std::string, std::string> {
    throw Unavailable("no libprobe");
  };
  const Said said = say(bench);
  CHECK(said.code == ExitCode::kUnavailable);
  const auto lines = lines_of(said.text);
  REQUIRE(lines.size() == 3);
  CHECK(has(lines[0], "hello"));
  CHECK(has(lines[1], "no libprobe"));
}

TEST_CASE("libraries of a device are asked when the bench has one, and hello still comes first") {
  bool chosen = false;
  Bench bench = bench_that([&](Session& session) {
    chosen = true;
    measure(session);
  });
  bench.libraries_of_device = true;
  bench.libraries = [&] {
    return std::map<std::string, std::string>{{"libprobe", chosen ? "1.2" : "none"}};
  };
  const auto [code, text] = say(bench);
  CHECK(code == ExitCode::kDone);
  CHECK(text.find(R"({"kind":"hello")") == 0);
  CHECK(text.find(R"({"kind":"hello")", 1) == std::string::npos);
  CHECK(has(text, R"("libraries":{"libprobe":"1.2"})"));
}

TEST_CASE("a bench that finds no device says hello all the same") {
  Bench bench = bench_that([](Session&) { throw Unavailable("no device"); });
  bench.libraries_of_device = true;
  const auto [code, text] = say(bench);
  CHECK(code == ExitCode::kUnavailable);
  CHECK(text.find(R"({"kind":"hello")") == 0);
  CHECK(has(text, R"("libraries":{"libprobe":"1.2"})"));
}

TEST_CASE("libraries of a device that cannot be asked end the bench after hello") {
  Bench bench = bench_that([](Session& session) { measure(session); });
  bench.libraries_of_device = true;
  bench.libraries = []() -> std::map<std::string, std::string> {
    throw Unavailable("libprobe cannot be loaded");
  };
  const auto [code, text] = say(bench);
  CHECK(code == ExitCode::kUnavailable);
  CHECK(text.find(R"({"kind":"hello")") == 0);
  CHECK_FALSE(has(text, R"("kind":"metric")"));
}

TEST_CASE("a fault of the bench's own options is in hello") {
  Bench bench = bench_that(measure);
  bool asked = false;
  bench.declare = [&](Options& options) { options.flag("break", asked, "test only"); };
  bench.fault = [&] { return std::string(asked ? "break" : ""); };
  CHECK_FALSE(has(lines_of(say(bench).text).front(), "fault_injected"));
  CHECK(has(lines_of(say(bench, {"--break"}).text).front(), R"("fault_injected":"break")"));
}

TEST_CASE("an injected fault is in hello and reaches the bench") {
  std::optional<Injection> seen;
  const Bench bench = bench_that([&](Session& session) { seen = session.injection(); });
  const Said said = say(bench, {"--inject", "bitflip:12:3"});
  REQUIRE(seen);
  CHECK(seen->element == 12);
  CHECK(seen->bit == 3);
  CHECK(has(lines_of(said.text).front(), R"("fault_injected":"bitflip:12:3")"));
}

TEST_CASE("a command line that cannot be read runs nothing") {
  bool ran = false;
  const Bench bench = bench_that([&](Session&) { ran = true; });
  for (const char* word : {"--cuont", "stray", "--help", "--version", "--describe"}) {
    const Said said = say(bench, {word});
    CHECK(said.code == ExitCode::kUsage);
    CHECK(has(said.text, R"("reason":"usage")"));
  }
  CHECK(say(bench, {"--inject", "bitflip:x:1"}).code == ExitCode::kUsage);
  CHECK_FALSE(ran);
}

TEST_CASE("a sink that throws ends the bench as unexpected") {
  const auto code = run_bench(
      {}, bench_that(measure), [](std::string_view) { throw std::runtime_error("full"); }, "");
  CHECK(code == ExitCode::kUnexpected);
}

TEST_CASE("stdout belongs to records, what libraries print goes to stderr") {
  const Bench bench = bench_that([](Session& session) {
    std::printf("noise of a library\n");
    measure(session);
  });
  const Spawned records = spawn(bench, {"--json"});
  CHECK(records.code == 0);
  for (const auto& line : lines_of(records.out)) CHECK(line.front() == '{');
  CHECK(has(records.err, "noise of a library"));

  const Spawned with_nonce = spawn(bench, {}, "n-7");
  CHECK(has(lines_of(with_nonce.out).front(), R"("nonce":"n-7")"));

  const Spawned table = spawn(bench, {});
  CHECK(has(table.out, "# probe-host"));
  CHECK(has(table.out, "probe.rate"));
  CHECK_FALSE(has(table.out, "noise"));
}

TEST_CASE("bench_main gives the exit code and one line on stderr") {
  const Bench failing = bench_that([](Session&) { throw DeviceError("two\nlines"); });
  const Spawned failed = spawn(failing, {});
  CHECK(failed.code == 5);
  CHECK(failed.err == "probe-host: two lines\n");

  const Spawned usage = spawn(bench_that(measure), {"--jsno"});
  CHECK(usage.code == 2);
  CHECK(usage.out.empty());
  CHECK(has(usage.err, "did you mean --json?"));
}

TEST_CASE("help, version and description leave the bench alone") {
  const Bench bench = bench_that([](Session&) { throw DeviceError("ran"); });
  const Spawned help = spawn(bench, {"--help"});
  CHECK(help.code == 0);
  CHECK(has(help.out, "Example:\n  probe-host --count 3\n"));
  CHECK(has(help.out, "--inject"));
  CHECK(has(spawn(bench, {"--version"}).out, "probe-host "));
  const Spawned described = spawn(bench, {"--describe"});
  CHECK(described.code == 0);
  CHECK(lines_of(described.out).size() == 1);
  CHECK(has(described.out, R"({"name":"probe","backend":"host","summary":"measures nothing")"));
  CHECK(has(described.out, R"("libraries":{"libprobe":"1.2"}})"));
}

TEST_CASE("a description says why the bench would refuse to measure") {
  Bench bench = bench_that([](Session&) { throw DeviceError("ran"); });
  bench.refusal = [] { return "no such device"; };
  const Spawned refused = spawn(bench, {"--describe"});
  CHECK(refused.code == 0);
  CHECK(has(refused.out, R"("libraries":{"libprobe":"1.2"},"unavailable":"no such device"})"));
  bench.refusal = [] { return ""; };
  CHECK_FALSE(has(spawn(bench, {"--describe"}).out, "unavailable"));
}

TEST_CASE("a reader that is gone ends the bench with exit code 1") {
  const Spawned gone = spawn(bench_that(measure), {"--json"}, nullptr, true);
  CHECK(gone.code == 1);
  CHECK(has(gone.err, "cannot write to stdout"));
}
