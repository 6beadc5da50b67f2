#pragma once

#include <string>
#include <vector>

#include "harness/command_line/command_line.hpp"

namespace rackproof::command_line {

/// The verb run with all of its options.
void add_run(CommandLine& line);

/// The verb retest with all of its options.
void add_retest(CommandLine& line);

// What run and judge have in common.
/// The option --hook, whose --hook-timeout needs it.
CLI::Option* add_hook(CommandLine& line, CLI::App* sub, job::HookOptions& hook);
void add_topology(CommandLine& line, CLI::App* sub, std::vector<std::string>& files);
/// The option --compress, also of assemble.
void add_compress(CommandLine& line, CLI::App* sub, std::string& compress);
void add_waive(CommandLine& line, CLI::App* sub, std::vector<std::string>& given);

}  // namespace rackproof::command_line
