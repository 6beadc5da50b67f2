#pragma once

#include <string>

#include "harness/config/installed.hpp"
#include "harness/job/program.hpp"
#include "harness/support/errors.hpp"
#include "harness/support/exit_code.hpp"
#include "harness/support/print.hpp"

namespace rackproof::cli {

// What every verb throws, prints and gives.
using support::IntegrityError;
using support::print;
using support::UsageError;
using enum support::ExitCode;

/// Found from where this program is itself.
config::Paths find_paths();

/// What every verb gets.
struct Program : job::Program {
  std::string color = "auto";
};

/// Whether to colour what goes to `descriptor`: --color, NO_COLOR, terminal or not. Under a
/// launcher "auto" means no, whatever isatty says (mpirun gives ranks a pty).
bool use_color(const Program& program, int descriptor);
bool is_terminal(const Program& program, int descriptor);
/// Throws UsageError where a page would be printed on a terminal: it is for a browser.
void refuse_page_on_terminal(const Program& program, const std::string& out);

}  // namespace rackproof::cli
