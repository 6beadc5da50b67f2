#pragma once

#include <cstddef>
#include <functional>

#include "harness/cli/program.hpp"

namespace rackproof::cli {

/// How many characters a line for people may have on this descriptor: as many as the terminal has,
/// 60 at least and `widest` at most. Where it is none: as many as COLUMNS says, else 80 in a rank
/// of a launcher, and otherwise 100, which is good to read.
std::size_t screen_columns(const Program& program, int descriptor, std::size_t widest = 200);

/// The same of stderr as it is when it is asked, for run::Progress; empty where it is no terminal.
std::function<std::size_t()> stderr_columns(const Program& program);

}  // namespace rackproof::cli
