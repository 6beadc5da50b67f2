#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/manual/command.hpp"

namespace rackproof::command_line {

/// What is said of the program beside its verbs.
manual::Prose program_prose();

/// What is said of a verb beside its options. Throws std::logic_error for a verb without any.
manual::Prose verb_prose(const std::string& verb);

using ProseOf = std::map<std::string, manual::Prose (*)()>;
/// Those of the verbs that measure, and of those that read reports (verb_prose_reports.cpp).
const ProseOf& prose_of_running();
const ProseOf& prose_of_reports();

/// Exit codes that end with a verdict: 0, 3 and 4.
std::vector<manual::Row> verdict_exits();
/// The same and those of every verb: bad usage, and what must not happen.
std::vector<manual::Row> with_common_exits(std::vector<manual::Row> own);

}  // namespace rackproof::command_line
