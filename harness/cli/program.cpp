#include "harness/cli/program.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <system_error>

#include "harness/config/nearest.hpp"
#include "harness/fleet/launcher.hpp"
#include "harness/fleet/rank_program.hpp"
#include "harness/support/files.hpp"

namespace rackproof::cli {

namespace fs = std::filesystem;

Paths find_paths() {
  std::error_code error;
  fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (error) throw std::runtime_error("cannot tell where this program is: " + error.message());
  // Children have no need of MPI, whose library takes its time to load.
  const fs::path plain = self.parent_path() / "rackproof";
  if (self.filename() == fleet::kRankProgram && fs::exists(plain, error)) self = plain;
  const fs::path prefix = self.parent_path().parent_path();
  const fs::path share = prefix / "share" / "rackproof";
  return {self.string(),
          (prefix / "libexec" / "rackproof").string(),
          (share / "configs" / "suites").string(),
          (share / "configs" / "platforms").string(),
          (share / "schema").string(),
          (share / "metrics").string(),
          (share / "configs" / "comparison.json").string(),
          (share / "configs" / "causes.json").string()};
}

bool is_terminal(const Program& program, int descriptor) {
  if (fleet::detect_launcher(program.environment).wants_mpi) return false;
  return isatty(descriptor) == 1;
}

bool use_color(const Program& program, int descriptor) {
  if (program.color == "always") return true;
  if (program.color == "never") return false;
  const auto no_color = program.environment.find("NO_COLOR");
  if (no_color != program.environment.end() && !no_color->second.empty()) return false;
  return is_terminal(program, descriptor);
}

std::string resolve_config(const std::string& name, const std::string& folder, const char* what) {
  if (name.find('/') != std::string::npos || name.ends_with(".json")) return name;
  const std::vector<std::string> known = support::names_in(folder, ".json");
  if (std::find(known.begin(), known.end(), name) == known.end()) {
    const std::vector<std::string_view> views(known.begin(), known.end());
    throw UsageError(
        fmt::format("there is no {} called '{}'{}", what, name, config::suggestion(name, views)));
  }
  return folder + "/" + name + ".json";
}

}  // namespace rackproof::cli
