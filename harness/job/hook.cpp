#include "harness/job/hook.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "harness/job/run_request.hpp"
#include "harness/support/errors.hpp"
#include "harness/support/print.hpp"
#include "harness/warden/bounded.hpp"
#include "reports/model/printable.hpp"
#include "reports/model/rack.hpp"
#include "reports/model/words.hpp"

namespace rackproof::job {
namespace {

namespace fs = std::filesystem;

std::string absolute(const std::string& path) {
  return fs::absolute(path).lexically_normal().string();
}

[[noreturn]] void refuse_hook(const HookOptions& options, const char* why) {
  throw support::UsageError(fmt::format("--hook {}: {}", options.program, why));
}

// Empty: it ended well.
std::string what_went_wrong(const Hook& hook, const warden::Bounded& done) {
  if (!done.error.empty()) return "could not be started: " + done.error;
  if (done.left_behind != 0) {
    return fmt::format("hangs in the kernel as process {} and was left behind", done.left_behind);
  }
  if (done.late) return fmt::format("was killed: it was not through after {:g} s", hook.seconds);
  if (done.code != 0) return fmt::format("ended with exit code {}", done.code.value_or(-1));
  return "";
}

}  // namespace

Hook parse_hook(const HookOptions& options) {
  if (options.program.empty()) return {};
  struct stat status {};
  if (stat(options.program.c_str(), &status) != 0) refuse_hook(options, "there is no such file");
  if (!S_ISREG(status.st_mode)) refuse_hook(options, "this is no file");
  if (access(options.program.c_str(), X_OK) != 0) refuse_hook(options, "it is not executable");
  if ((status.st_mode & S_IWOTH) != 0) refuse_hook(options, "everybody may write to this file");
  return {absolute(options.program), parse_seconds(options.timeout)};
}

Judged judged_of(const model::Report& report, const std::string& file) {
  return {absolute(file), std::string(contract::word(report.acceptance)), report.run.id,
          report.suite.id, model::rack_of(report)};
}

void run_hook(const Hook& hook, const Judged& judged) {
  if (hook.program.empty()) return;
  const warden::BoundedTerms terms{hook.seconds,
                                   false,
                                   {{"RACKPROOF_VERDICT", judged.verdict},
                                    {"RACKPROOF_REPORT", judged.report},
                                    {"RACKPROOF_RUN", model::printable(judged.run)},
                                    {"RACKPROOF_SUITE", model::printable(judged.suite)},
                                    {"RACKPROOF_RACK", model::printable(judged.rack)}}};
  const warden::Bounded done = warden::run_bounded({hook.program, judged.report}, terms);
  support::write_stderr(done.out);
  support::write_stderr(done.err);
  const std::string wrong = what_went_wrong(hook, done);
  if (wrong.empty()) return;
  support::write_stderr(
      fmt::format("rackproof: --hook {} {}; the verdict stands\n", hook.program, wrong));
}

}  // namespace rackproof::job
