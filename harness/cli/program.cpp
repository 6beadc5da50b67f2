#include "harness/cli/program.hpp"

#include <unistd.h>

#include <filesystem>
#include <stdexcept>
#include <system_error>

#include "harness/fleet/launcher.hpp"
#include "harness/fleet/rank_program.hpp"

namespace rackproof::cli {

namespace fs = std::filesystem;

config::Paths find_paths() {
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
          (share / "benches").string(),
          (share / "configs" / "comparison.json").string(),
          (share / "configs" / "causes.json").string(),
          (share / "configs" / "faults.json").string(),
          {}};
}

bool is_terminal(const Program& program, int descriptor) {
  if (fleet::detect_launcher(program.environment).wants_mpi) return false;
  return isatty(descriptor) == 1;
}

void refuse_page_on_terminal(const Program& program, const std::string& out) {
  if (!out.empty() || !is_terminal(program, STDOUT_FILENO)) return;
  throw UsageError("an HTML page is for a browser: name a file with --out");
}

bool use_color(const Program& program, int descriptor) {
  if (program.color == "always") return true;
  if (program.color == "never") return false;
  const auto no_color = program.environment.find("NO_COLOR");
  if (no_color != program.environment.end() && !no_color->second.empty()) return false;
  return is_terminal(program, descriptor);
}

}  // namespace rackproof::cli
