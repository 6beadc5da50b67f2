#include <filesystem>
#include <fstream>

#include "harness/cli/program.hpp"
#include "harness/command_line/describe.hpp"
#include "harness/manual/completion.hpp"
#include "harness/manual/page.hpp"

namespace rackproof::command_line {
namespace {

namespace fs = std::filesystem;

void put(const fs::path& file, const std::string& text) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw support::UsageError(file.string() + ": cannot be written");
}

}  // namespace

std::string completion_of(const std::string& shell, const manual::Program& program) {
  if (shell == "zsh") return manual::zsh_completion(program);
  if (shell == "fish") return manual::fish_completion(program);
  return manual::bash_completion(program);
}

void write_manual(const std::string& folder, const manual::Program& program) {
  const fs::path share(folder);
  const fs::path pages = share / "man" / "man1";
  put(pages / (program.name + ".1"), manual::page(program));
  for (const manual::Verb& verb : program.verbs) {
    put(pages / (program.name + "-" + verb.name + ".1"), manual::page(program, verb));
  }
  for (const std::string& name : program.other_names) {
    put(pages / (name + ".1"), ".so man1/" + program.name + ".1\n");
  }
  put(share / "bash-completion" / "completions" / program.name, manual::bash_completion(program));
  put(share / "zsh" / "site-functions" / ("_" + program.name), manual::zsh_completion(program));
  put(share / "fish" / "vendor_completions.d" / (program.name + ".fish"),
      manual::fish_completion(program));
}

}  // namespace rackproof::command_line
