#pragma once

#include <cstddef>
#include <string>

#include "harness/manual/command.hpp"

namespace rackproof::manual {

/// The manual page of the program: rackproof.1, in the man macros of roff.
std::string page(const Program& program);
/// The manual page of one of its verbs: rackproof-run.1.
std::string page(const Program& program, const Verb& verb);

/// What --help prints, in lines of at most `width` characters.
std::string help(const Program& program, std::size_t width);
std::string help(const Program& program, const Verb& verb, std::size_t width);

}  // namespace rackproof::manual
