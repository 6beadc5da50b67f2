#include "benches/kit/bench.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <system_error>
#include <utility>

#include "benches/kit/clock.hpp"
#include "benches/kit/reporter.hpp"
#include "benches/protocol/json_writer.hpp"
#include "benches/protocol/version.hpp"
#include "contract/exit_code.hpp"
#include "contract/words.hpp"

namespace rackproof::kit {
namespace {

using contract::ExitCode;

struct Outcome {
  ExitCode code = ExitCode::kDone;
  std::string message;
};

// The one place where an exception becomes an exit code.
template <class Work>
Outcome guarded(Work&& work) {
  try {
    work();
    return {};
  } catch (const UsageError& error) {
    return {ExitCode::kUsage, error.what()};
  } catch (const Unavailable& error) {
    return {ExitCode::kUnavailable, error.what()};
  } catch (const DeviceError& error) {
    return {ExitCode::kDeviceError, error.what()};
  } catch (const GaveUp& error) {
    return {ExitCode::kGaveUp, error.what()};
  } catch (const std::exception& error) {
    return {ExitCode::kUnexpected, error.what()};
  } catch (...) {
    return {ExitCode::kUnexpected, "an exception of an unknown type"};
  }
}

std::string program_of(const Bench& bench) { return bench.name + "-" + bench.backend; }

void complain(const Bench& bench, const Outcome& outcome) {
  if (outcome.code == ExitCode::kDone) return;
  std::string line = program_of(bench) + ": " + outcome.message;
  std::replace(line.begin(), line.end(), '\n', ' ');
  line += '\n';
  std::fputs(line.c_str(), stderr);
}

struct CommandLine {
  bool json = false;
  bool describe = false;
  std::string inject;
  std::optional<Injection> injection;
};

// Says `hello` before the first record of a bench, and not before it has one: by then it has chosen
// its device.
class LateGreeting : public Session {
 public:
  LateGreeting(Reporter& reporter, std::function<void()> greet)
      : reporter_(reporter), greet_(std::move(greet)) {}

  void device(protocol::Device record) override { greeted().device(std::move(record)); }
  void token(protocol::Token record) override { greeted().token(std::move(record)); }
  void phase(std::string name, double fraction) override {
    greeted().phase(std::move(name), fraction);
  }
  void check(protocol::Check record) override { greeted().check(std::move(record)); }
  void metric(protocol::Metric record) override { greeted().metric(std::move(record)); }
  void note(std::string text, contract::Parameters facts) override {
    greeted().note(std::move(text), std::move(facts));
  }
  std::optional<Injection> injection() const override { return reporter_.injection(); }
  ProgressWriter& progress() override { return reporter_.progress(); }

 private:
  Reporter& greeted() {
    greet_();
    return reporter_;
  }

  Reporter& reporter_;
  std::function<void()> greet_;
};

class Run {
 public:
  Run(const Bench& bench, std::vector<std::string> arguments)
      : bench_(bench),
        arguments_(std::move(arguments)),
        options_(program_of(bench), bench.summary, bench.example) {
    if (bench_.declare) bench_.declare(options_);
    options_.flag("json", line_.json, "print records, one JSON object a line, not a table");
    options_.flag("describe", line_.describe, "say as one line of JSON what this program is");
    options_.text("inject", line_.inject,
                  "test only: bitflip:ELEMENT:BIT flips one bit of a result before its check");
  }

  Outcome parse() {
    return guarded([&] {
      options_.parse(arguments_);
      if (!line_.inject.empty()) line_.injection = parse_injection(line_.inject);
    });
  }

  const Options& options() const { return options_; }
  const CommandLine& line() const { return line_; }

  // Records were asked for, as far as a line that may not be readable says.
  bool records_wanted() const {
    return std::find(arguments_.begin(), arguments_.end(), "--json") != arguments_.end();
  }

  // The whole transcript, `hello` to `end`. `parsed` may have ended the bench already. People read
  // on stderr what ended it, a reader of records in a note.
  Outcome speak(Reporter& reporter, Outcome parsed, bool note_errors) {
    Outcome outcome = std::move(parsed);
    const double start = now_seconds();
    const Outcome transcript = guarded([&] {
      if (bench_.libraries_of_device && outcome.code == ExitCode::kDone) {
        run_then_greet(reporter, outcome);
      } else {
        greet_then_run(reporter, outcome);
      }
      if (outcome.code == ExitCode::kDone && !reporter.first_failure().empty()) {
        outcome = {ExitCode::kWrongAnswer, "wrong answer: " + reporter.first_failure()};
      } else if (outcome.code != ExitCode::kDone && note_errors) {
        reporter.note(outcome.message, {{"error", std::string(contract::word(outcome.code))}});
      }
      reporter.end({std::string(contract::word(outcome.code)), static_cast<int>(outcome.code),
                    now_seconds() - start});
    });
    return transcript.code == ExitCode::kDone ? outcome : transcript;
  }

  std::string description() const {
    protocol::JsonWriter json;
    json.begin_object().key("name").text(bench_.name).key("backend").text(bench_.backend);
    json.key("summary").text(bench_.summary).key("example").text(bench_.example);
    json.key("version").text(protocol::version()).key("commit").text(protocol::commit());
    json.key("libraries").begin_object();
    for (const auto& [name, version] : libraries()) json.key(name).text(version);
    json.end_object();
    const std::string refusal = bench_.refusal ? bench_.refusal() : "";
    if (!refusal.empty()) json.key("unavailable").text(refusal);
    json.end_object();
    return json.take() + "\n";
  }

 private:
  void greet_then_run(Reporter& reporter, Outcome& outcome) const {
    protocol::Hello hello = introduce();
    if (outcome.code == ExitCode::kDone) {
      outcome = guarded([&] { hello.libraries = libraries(); });
    }
    reporter.hello(hello);
    if (outcome.code == ExitCode::kDone) outcome = guarded([&] { bench_.run(reporter); });
  }

  void run_then_greet(Reporter& reporter, Outcome& outcome) const {
    bool greeted = false;
    LateGreeting session(reporter, [&] {
      if (std::exchange(greeted, true)) return;
      protocol::Hello hello = introduce();
      std::exception_ptr failure;
      try {
        hello.libraries = libraries();
      } catch (...) {
        failure = std::current_exception();
      }
      reporter.hello(hello);
      if (failure) std::rethrow_exception(failure);
    });
    outcome = guarded([&] { bench_.run(session); });
    if (greeted) return;
    protocol::Hello hello = introduce();
    (void)guarded([&] { hello.libraries = libraries(); });
    reporter.hello(hello);
  }

  std::map<std::string, std::string> libraries() const {
    return bench_.libraries ? bench_.libraries() : std::map<std::string, std::string>();
  }

  protocol::Hello introduce() const {
    protocol::Hello hello;
    hello.bench = bench_.name;
    hello.backend = bench_.backend;
    hello.version = protocol::version();
    hello.commit = protocol::commit();
    hello.build = protocol::build_facts();
    hello.arguments = arguments_;
    hello.fault_injected = line_.inject;
    if (hello.fault_injected.empty() && bench_.fault) hello.fault_injected = bench_.fault();
    return hello;
  }

  const Bench& bench_;
  std::vector<std::string> arguments_;
  CommandLine line_;
  Options options_;
};

// Descriptor 1 for the bench alone: libraries that print to stdout reach stderr. Descriptors 0 to 2
// that the parent left closed are filled first, so that no file of a library lands there.
int claim_stdout() {
  if (fcntl(STDIN_FILENO, F_GETFD) < 0 && open("/dev/null", O_RDONLY) < 0) return -1;
  const int kept = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  if (kept < 0) return -1;
  if (fcntl(STDERR_FILENO, F_GETFD) < 0) {
    const int null = open("/dev/null", O_WRONLY);
    if (null != STDERR_FILENO && dup2(null, STDERR_FILENO) < 0) return -1;
  }
  return dup2(STDERR_FILENO, STDOUT_FILENO) < 0 ? -1 : kept;
}

void write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(descriptor, text.data(), text.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      throw std::system_error(errno, std::generic_category(), "cannot write to stdout");
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

int bench_main(int argc, char** argv, const Bench& bench) {
  const int out = claim_stdout();
  if (out < 0) {
    complain(bench, {ExitCode::kUnexpected, "stdout is closed: there is nowhere to write to"});
    return static_cast<int>(ExitCode::kUnexpected);
  }
  (void)std::signal(SIGPIPE, SIG_IGN);
  const protocol::Sink sink = [out](std::string_view text) { write_all(out, text); };

  Run run(bench, std::vector<std::string>(argv + std::min(argc, 1), argv + argc));
  Outcome outcome = run.parse();
  const char* nonce = std::getenv(protocol::kNonceVariable);
  if (outcome.code == ExitCode::kDone && run.options().help_asked()) {
    outcome = guarded([&] { sink(run.options().help()); });
  } else if (outcome.code == ExitCode::kDone && run.options().version_asked()) {
    outcome = guarded([&] { sink(protocol::version_line(program_of(bench)) + "\n"); });
  } else if (outcome.code == ExitCode::kDone && run.line().describe) {
    outcome = guarded([&] { sink(run.description()); });
  } else if (nonce != nullptr || run.records_wanted()) {
    const auto reporter =
        make_record_reporter(sink, nonce == nullptr ? "" : nonce, run.line().injection);
    reporter->tell_progress_to(ProgressWriter::from_environment());
    outcome = run.speak(*reporter, std::move(outcome), true);
  } else if (outcome.code == ExitCode::kDone) {
    const auto reporter = make_table_reporter(sink, run.line().injection);
    outcome = run.speak(*reporter, std::move(outcome), false);
  }
  complain(bench, outcome);
  return static_cast<int>(outcome.code);
}

ExitCode run_bench(const std::vector<std::string>& arguments, const Bench& bench,
                   const protocol::Sink& sink, const std::string& nonce,
                   contract::ProgressPage* page) {
  Run run(bench, arguments);
  Outcome outcome = run.parse();
  if (run.options().help_asked() || run.options().version_asked() || run.line().describe) {
    outcome = {ExitCode::kUsage, "--help, --version and --describe ask the program, not a rank"};
  }
  const auto reporter = make_record_reporter(sink, nonce, run.line().injection);
  reporter->tell_progress_to(ProgressWriter(page));
  return run.speak(*reporter, std::move(outcome), true).code;
}

}  // namespace rackproof::kit
