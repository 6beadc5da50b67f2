#pragma once

#include <string>

#include "harness/manual/command.hpp"

namespace rackproof::manual {

/// Completion for three shells. What is installed (suites, platforms, ...) is asked of the program
/// when the user asks for it; verbs and options are in the script.
std::string bash_completion(const Program& program);
std::string zsh_completion(const Program& program);
std::string fish_completion(const Program& program);

}  // namespace rackproof::manual
