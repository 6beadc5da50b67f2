#pragma once

#include <CLI/CLI.hpp>

namespace rackproof::command_line {

/// Refuses what is no time as every option takes it: "90 s", "10 min", "12h", "30 d". A number
/// alone is seconds for the first, and refused by the second.
CLI::Validator is_time();
CLI::Validator is_time_with_unit();

/// A number alone is milliseconds, and the text becomes the number of them.
CLI::Validator as_milliseconds();

/// A share may be written "2 %" in every option: makes it the number that the option takes, one of
/// percent or of one. A number alone stays as it is.
CLI::Validator as_percent();
CLI::Validator as_fraction();

}  // namespace rackproof::command_line
