#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "harness/manual/command.hpp"

namespace rackproof::command_line {

struct CommandLine;

/// The command line as people, shells and manuals are told of it: what CLI11 was given, the names
/// of the values and the prose of the verbs. Hidden verbs and options are left out. Throws
/// std::logic_error when an option takes a value of which nothing is said.
manual::Program describe(const CommandLine& line);

/// Writes what --help prints from the same description.
std::shared_ptr<CLI::FormatterBase> help_formatter(const CommandLine& line);

/// The completion script for a shell: bash, zsh or fish.
std::string completion_of(const std::string& shell, const manual::Program& program);

/// Writes man/man1/*.1 and the completion of all shells below a folder, where each of them belongs
/// below `share`. Throws UsageError when it cannot.
void write_manual(const std::string& folder, const manual::Program& program);

}  // namespace rackproof::command_line
