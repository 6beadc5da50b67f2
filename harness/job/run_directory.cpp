#include "harness/job/run_directory.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <random>
#include <system_error>

#include "harness/archive/report_file.hpp"
#include "harness/job/run_lock.hpp"
#include "harness/support/clock.hpp"
#include "harness/support/errors.hpp"

namespace rackproof::job {
namespace {

namespace fs = std::filesystem;

std::string stamp() {
  std::string utc = support::SystemClock().utc();
  std::erase_if(utc, [](char c) { return c == '-' || c == ':'; });
  return utc.substr(0, utc.find('.')) + "Z";
}

}  // namespace

std::string new_run_id() {
  std::random_device entropy;
  return fmt::format("{}-{:08x}", stamp(), entropy());
}

std::string new_directory_name(const std::string& prefix) { return prefix + "-" + stamp(); }

void refuse_links(const std::string& out) {
  std::error_code error;
  for (const std::string& path : {out, out + "/journals"}) {
    if (fs::is_symlink(path, error)) {
      throw support::UsageError(path + ": is a symbolic link; name the directory itself");
    }
  }
}

support::Fd take_new_directory(const std::string& out) {
  std::error_code error;
  refuse_links(out);
  if (fs::exists(out, error) && !fs::is_directory(out, error)) {
    throw support::UsageError(out + ": is not a directory");
  }
  const bool used =
      fs::exists(archive::report_file(out), error) ||
      (fs::exists(out + "/journals", error) && !fs::is_empty(out + "/journals", error));
  fs::create_directories(out, error);
  if (error)
    throw support::UsageError(fmt::format("{}: cannot be created: {}", out, error.message()));
  if (access(out.c_str(), W_OK | X_OK) != 0) {
    throw support::UsageError(
        fmt::format("{}: cannot be written: {}", out, std::generic_category().message(errno)));
  }
  support::Fd lock = lock_directory(out, 0);
  if (used) {
    throw support::UsageError(fmt::format(
        "{}: already holds a run; name another --out, or continue that one with --resume {}", out,
        out));
  }
  sign_lock(lock);
  return lock;
}

std::string make_run_directory(const std::string& given, const std::string& prefix,
                               support::Fd& lock) {
  std::string out = given.empty() ? new_directory_name(prefix) : given;
  lock = take_new_directory(out);
  return out;
}

}  // namespace rackproof::job
